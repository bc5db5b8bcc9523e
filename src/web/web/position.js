// The board: its drawing with marks, what stands on its squares, and the evaluation bar.
import {squareOf, sideName, turnOf, play, movesOf} from "./rules.js";
import {t, series, signed, wholeSigned, lossOf} from "./words.js";
import {$, button} from "./controls.js";
import {drawBoard} from "./board.js";
import {makeSquares, labelSquares} from "./squares.js";
import {SIGNS, isBad} from "./tables.js";
import {nextOf} from "./tree.js";
import {state, page, seesValues, looksBack, sideOf, isEngine, scored} from "./state.js";

// A button of a list that plays a move.
export const playButton = move => button(move, () => page.play(squareOf(move)), {class: "line", title: t("Play this move")});

let buttons = null;
export const makeBoard = choose => { buttons = makeSquares($("grid"), choose); };
export const focusBoard = () => $("grid").querySelector("[tabindex='0']").focus({preventScroll: true});

// The node that was drawn last, and the time at which its discs have stopped turning.
let drawn = null, still = 0;
export const stillAfter = () => still - performance.now();

// Squares that can be clicked: legal moves, unless it is the engine's turn or a running game goes on elsewhere.
export function clickable() {
  const {now} = state.tree;
  if (state.setup || looksBack()) return [];
  const waits = state.isPlaying && isEngine(turnOf(now.position)) && !state.isPaused;
  return waits ? [] : movesOf(now.position);
}

export function showBoard() {
  const {now} = state.tree, position = state.setup ?? now.position, marks = {};
  // The marks of the next move are left out where values would cover them.
  const next = state.setup || state.values || state.shown || !seesValues() ? null : (state.asked ?? nextOf(now))?.judged;
  if (next) marks.better = squareOf(next.best);
  if (next && isBad(next)) Object.assign(marks, {played: squareOf(next.move), sign: SIGNS[next.grade]});
  if (state.hinted?.square != null) marks.better = state.hinted.square;
  const isMove = !state.setup && drawn !== null && now.parent === drawn;
  const isLook = state.values && seesValues() && now.hint && !state.setup && !state.shown;
  if (isLook && state.tab === "values") marks.best = squareOf(now.hint.hints[0].move);
  still = Math.max(still, performance.now() + drawBoard($("board"), position, marks, isMove));
  drawn = now;
  showSquares();
}

// Formats a value: an exact value as a whole number, and a large value rounded where there is little room.
export const valueText = (line, isShort) =>
  line.exact || (isShort && Math.abs(line.score) >= 9.95) ? wholeSigned(Math.round(line.score)) : signed(line.score);
export const bookOf = (hint, move) => hint.book?.find(one => one.move === move);

// Returns the texts on the squares: values, or the moves of the line that is shown.
function squareTexts(node) {
  const texts = new Map();
  if (state.shown) {
    squaresOf(node.position, state.shown).forEach(({square, side}, index) => {
      const label = t("{side}, move {number} of the line", {side: sideName(side), number: index + 1});
      texts.set(square, {text: `${index + 1}`, kind: `ghost ${sideOf(side)}`, label});
    });
    return texts;
  }
  if (state.hinted?.square != null) texts.set(state.hinted.square, {text: "", kind: "", label: t("hint")});
  if (!state.values || !seesValues() || !node.hint || state.setup) return texts;
  node.hint.hints.forEach((line, index) => {
    const book = bookOf(node.hint, line.move);
    const kinds = [lossOf(node.hint.hints[0].score, line.score) === 0 && index < 8 ? "best" : "", line.exact ? "exact" : "", book ? "book" : ""];
    const text = valueText(line, true), words = [t("value {value}", {value: text}), line.exact ? t("exact") : "", book ? t("in the opening book") : ""];
    texts.set(squareOf(line.move), {text, kind: kinds.join(" "), label: series(words.filter(Boolean))});
  });
  return texts;
}

// Returns the squares of a line of play from a position, with the side of each move.
function squaresOf(position, moves) {
  const squares = [];
  for (const move of moves) {
    if (move !== "pass") squares.push({square: squareOf(move), side: turnOf(position)});
    position = play(position, move);
  }
  return squares;
}

function showSquares() {
  const {now} = state.tree;
  labelSquares(buttons, state.setup ?? now.position, clickable(), squareTexts(now));
}

// Shows a line of play on the board, or no line.
export function preview(moves) {
  state.shown = moves;
  showBoard();
}

// The bar beside the board: the share of Black is its expected number of discs at the end, and the text is the score.
export function showBar() {
  const known = seesValues() && !state.setup ? scored(state.tree.now) : null, bar = $("bar");
  bar.classList.toggle("empty", !known);
  bar.classList.toggle("exact", Boolean(known?.exact));
  const black = Math.max(0, Math.min(64, 32 + known?.score / 2));
  bar.style.setProperty("--white", `${100 - 100 * black / 64}%`);
  $("bar-text").textContent = known ? valueText(known, true) : "";
  bar.title = known ? scoreText(known) : t("Evaluation: not shown");
  bar.setAttribute("aria-label", bar.title);
}
export const scoreText = ({score, exact}) => t(exact ? "Score for Black {score}, exact." : "Score for Black {score}.", {score: signed(score)});
