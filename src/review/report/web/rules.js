// Rules of Othello. A position holds 64 squares from a1 to h8, the side to move, and the square of
// the last move.
const BLACK = 1, WHITE = -1, EMPTY = 0;
const nameOf = square => "abcdefgh"[square % 8] + (1 + (square >> 3));
const squareOf = name => name.charCodeAt(0) - 97 + 8 * (name.charCodeAt(1) - 49);
const sideName = color => color === BLACK ? "Black" : "White";
const STEPS = [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];

function flips(squares, mover, square) {
  if (squares[square] !== EMPTY) return [];
  const all = [];
  for (const [fileStep, rankStep] of STEPS) {
    const run = [];
    let file = square % 8 + fileStep, rank = (square >> 3) + rankStep;
    while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
      const at = file + 8 * rank;
      if (squares[at] === -mover) run.push(at);
      else { if (squares[at] === mover) all.push(...run); break; }
      file += fileStep; rank += rankStep;
    }
  }
  return all;
}

const canMove = (squares, mover) => squares.some((_, square) => flips(squares, mover, square).length > 0);
const count = (squares, color) => squares.filter(disc => disc === color).length;

function parse(text) {
  const color = letter => "X*".includes(letter) ? BLACK : letter === "O" ? WHITE : EMPTY;
  const mover = text.trim().endsWith("O") ? WHITE : BLACK;
  return {squares: Array.from(text.slice(0, 64), color), mover, last: null};
}

// Returns the position after a move. Forced passes missing from the record are made first.
function play(position, move) {
  let {squares, mover} = position;
  if (move === "pass") return {squares, mover: -mover, last: null};
  const square = squareOf(move);
  let turned = flips(squares, mover, square);
  if (turned.length === 0) { mover = -mover; turned = flips(squares, mover, square); }
  squares = squares.slice();
  for (const at of [square, ...turned]) squares[at] = mover;
  return {squares, mover: -mover, last: square};
}

// Returns the positions before each move and after the last.
function along(start, moves) {
  const positions = [start];
  for (const move of moves) positions.push(play(positions[positions.length - 1], move));
  return positions;
}

// Returns the side that can move, even if the record omits a pass, or EMPTY at the end of the game.
function turnOf({squares, mover}) {
  if (canMove(squares, mover)) return mover;
  return canMove(squares, -mover) ? -mover : EMPTY;
}

const obf = ({squares, mover}) =>
  squares.map(disc => disc === BLACK ? "X" : disc === WHITE ? "O" : "-").join("") + (mover === BLACK ? " X;" : " O;");
