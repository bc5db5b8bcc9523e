// Rules of Othello. A position holds 64 squares from a1 to h8, the side to move, and the square of
// the last move.
import {t} from "./words.js";

export const BLACK = 1, WHITE = -1, EMPTY = 0;
export const START = "---------------------------OX------XO--------------------------- X";
export const nameOf = square => "abcdefgh"[square % 8] + (1 + (square >> 3));
export const squareOf = name => name.charCodeAt(0) - 97 + 8 * (name.charCodeAt(1) - 49);
export const sideName = color => t(color === BLACK ? "Black" : "White");
const STEPS = [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];

// Returns the discs that a move turns, one list for each direction.
export function turnedRuns(squares, mover, square) {
  if (squares[square] !== EMPTY) return [];
  const runs = [];
  for (const [fileStep, rankStep] of STEPS) {
    const run = [];
    let file = square % 8 + fileStep, rank = (square >> 3) + rankStep;
    while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
      const at = file + 8 * rank;
      if (squares[at] === -mover) run.push(at);
      else { if (squares[at] === mover && run.length > 0) runs.push(run); break; }
      file += fileStep; rank += rankStep;
    }
  }
  return runs;
}
export const flips = (squares, mover, square) => turnedRuns(squares, mover, square).flat();

const canMove = (squares, mover) => squares.some((_, square) => turnedRuns(squares, mover, square).length > 0);
export const count = (squares, color) => squares.filter(disc => disc === color).length;

export function parse(text) {
  const color = letter => "X*".includes(letter) ? BLACK : letter === "O" ? WHITE : EMPTY;
  const mover = text.trim().endsWith("O") ? WHITE : BLACK;
  return {squares: Array.from(text.slice(0, 64), color), mover, last: null};
}

// Returns the position after a move. Forced passes missing from the record are made first.
export function play(position, move) {
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
export function along(start, moves) {
  const positions = [start];
  for (const move of moves) positions.push(play(positions[positions.length - 1], move));
  return positions;
}

// Returns the side that can move, even if the record omits a pass, or EMPTY at the end of the game.
export function turnOf({squares, mover}) {
  if (canMove(squares, mover)) return mover;
  return canMove(squares, -mover) ? -mover : EMPTY;
}

// Returns the side that has to pass, or EMPTY.
export function passOf(position) {
  const turn = turnOf(position);
  return turn !== EMPTY && turn !== position.mover ? position.mover : EMPTY;
}

// Returns the legal moves of a position, as indices of squares.
export function movesOf(position) {
  const mover = turnOf(position);
  if (mover === EMPTY) return [];
  return position.squares.map((_, square) => square).filter(square => turnedRuns(position.squares, mover, square).length > 0);
}

// Returns the score of a finished game for Black: empty squares count for the winner.
export function finalScore({squares}) {
  const black = count(squares, BLACK), white = count(squares, WHITE), empty = 64 - black - white;
  return black - white + Math.sign(black - white) * empty;
}

// Returns the winner of a finished game, EMPTY for a draw, and the discs of both sides, the winner's first.
export function outcome(position) {
  const score = finalScore(position), won = 32 + Math.abs(score) / 2;
  return {winner: Math.sign(score), discs: `${won}\u2013${64 - won}`};
}

// Returns the position in OBF. If the side to move must pass, the other side is to move.
export const obf = position => {
  const side = turnOf(position) || position.mover;
  return position.squares.map(disc => disc === BLACK ? "X" : disc === WHITE ? "O" : "-").join("") + (side === BLACK ? " X;" : " O;");
};
