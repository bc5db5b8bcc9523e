// The Practice page. An exercise is shown, a move is clicked, and the answer comes with its lines.
import * as server from "./server.js";
import {t, prose, number, series, signed, lossOf, lossText, HALF_A_DISC} from "./words.js";
import {EMPTY, START, sideName, nameOf, squareOf, count, parse, movesOf} from "./rules.js";
import {$, element, announce, showVerdict, readSettings, writeSettings, openPage, download} from "./controls.js";
import {drawBoard, miniBoard} from "./board.js";
import {showChips, fillDots} from "./chips.js";
import {depthOf} from "./tables.js";
import {makeSquares, labelSquares} from "./squares.js";
import {lineOf, onButtons, showSteps, message, trying} from "./stepper.js";

await openPage("more-");
document.documentElement.classList.add("ready");

// `exercises` are the exercises of the session, and `at` is the index of the shown exercise. `answer` is the square
// that was clicked with its grade, or null. `line` is the line on the board: its moves, positions and the number of
// moves made.
let exercises = [], at = 0, answer = null, line = null, hints = 0, lines = null, results = [], rating = 0;
// The theme of the exercises, or "" for all.
let theme = readSettings().puzzles ?? "";
const buttons = makeSquares($("grid"), square => reply(square));

const current = () => exercises[at];
const signOfLoss = lost => lost >= 10 ? "??" : lost >= 4 ? "?" : lost >= 2 ? "?!" : "";

// Returns a promise of the values of all moves, which a search may have to find first.
function keyOf(exercise) {
  const stop = new AbortController();
  let found = null;
  const done = server.key(exercise.position, stop.signal, event => { found = event.lines; });
  /** @type {any} */
  const key = done.then(() => found ?? Promise.reject(new Error(t("The search ended without a result."))));
  key.stop = () => stop.abort();
  // An error is shown when the answer needs the result.
  key.catch(() => {});
  return key;
}

function open(index) {
  lines?.stop?.();
  [at, answer, line, hints] = [index, null, null, 0];
  lines = current() ? keyOf(current()) : null;
  message("");
  show();
}

async function reply(square) {
  const exercise = current();
  if (!exercise || answer || !movesOf(parse(exercise.position)).includes(square)) return;
  answer = {square, lost: null};
  show();
  try {
    const all = await lines, own = all.find(one => one.move === nameOf(square));
    if (exercise !== current()) return;
    const [best, second] = all, lost = lossOf(best.score, own.score), mistake = all.find(one => one.move === exercise.mistake);
    if (results[at] === undefined) {
      const {days, due, skill} = await server.answer(exercise.position, own.move, hints > 0), before = rating;
      if (exercise !== current()) return;
      fillProgress(due, skill);
      results[at] = lost;
      answer = {days, gained: before && rating ? rating - before : 0};
    }
    answer = {...answer, square, lost, own, best, second, mistake};
    follow(own.line, lost < HALF_A_DISC ? 1 : 0);
  } catch (error) {
    answer = null;
    message(error.message);
  }
  show();
  if (answer) $("next").focus();
}

// Puts a line on the board, after its first `made` moves.
function follow(moves, made) {
  line = lineOf(parse(current().position), moves, made);
  show();
}
function go(made) {
  line.made = made;
  show();
}

function showBoard() {
  const exercise = current();
  const position = !exercise ? parse(START) : line ? line.positions[line.made] : parse(exercise.position);
  const isAnswered = Boolean(answer?.own), isGood = isAnswered && answer.lost < HALF_A_DISC;
  const isFirst = !line || line.made === (isGood && line.moves === answer.own.line ? 1 : 0);
  // If the person's move is one of several best moves, it gets the tick.
  const marks = !isAnswered || !isFirst ? {} : isGood ? {better: answer.square, isJoy: true} : {better: squareOf(answer.best.move), played: answer.square, sign: signOfLoss(answer.lost)};
  drawBoard($("board"), marks.isJoy ? {...position, last: null} : position, marks, Boolean(line) && line.made > 0);
  labelSquares(buttons, position, answer || !exercise ? [] : movesOf(position), new Map());
}

function showStatus() {
  const exercise = current(), done = results.filter(lost => lost !== undefined), best = done.filter(lost => lost < HALF_A_DISC).length;
  const tell = (first, rest, kind = "", sign = "") => { announce($("status"), first, rest); showVerdict($("slot"), kind, sign); };
  $("change").textContent = $("task").textContent = "";
  if (!exercise) {
    if (done.length === 0) return tell(t("No exercise is due."));
    const mean = done.reduce((sum, lost) => sum + lost, 0) / done.length;
    return tell(t("{best} of {n} answer is best.|{best} of {n} answers are best.", {best, n: done.length}), t("{lost} discs lost per answer.", {lost: number(mean, 2)}));
  }
  const {squares, mover} = parse(exercise.position);
  const share = exercise.found !== null && t("{n} in 10 club players find it.", {n: Math.max(1, Math.round(exercise.found / 10))});
  const task = prose(t("{side} to move.", {side: sideName(mover)}), t("{n} empty square.|{n} empty squares.", {n: count(squares, EMPTY)}));
  $("task").textContent = task;
  if (!answer) return tell(t("Find the best move"), hintText(exercise) || share || "");
  if (!answer.own) return tell(t("Searching\u2026"));
  const {own, best: top, second, lost, days, gained} = answer;
  const returns = days !== undefined && t(days === 1 ? "The exercise returns tomorrow." : "The exercise returns in {n} days.", {n: days});
  if (gained) $("change").append(`${t("Rating")} ${number(Math.round(rating))} `, element("b", signed(Math.round(gained)).replace(/[.,]0$/, "")));
  const isOnlyWin = top.exact && second?.exact && top.score > 0 && second.score <= 0, wins = isOnlyWin && t("Only {move} wins.", {move: top.move});
  if (lost < HALF_A_DISC) return tell(t("{move} is the best move", {move: own.move}), prose(wins, share, returns), "good");
  const sign = signOfLoss(lost);
  tell(t("{move} loses {lost} discs", {move: own.move, lost: lossText(lost)}), prose(wins || t("{best} is best.", {best: top.move}), share, returns),
    lost >= 10 ? "bad" : "warn", sign || "?!");
}

function showLines() {
  const isAnswered = Boolean(answer?.own);
  $("answer").hidden = !isAnswered;
  if (!isAnswered) return;
  const {own, best, second, mistake, lost} = answer;
  const shown = lost < HALF_A_DISC ? [[t("Your move"), own], second && [t("Second best"), second]] : [[t("Refutation"), own], [t("Best move"), best]];
  if (mistake && current().found === null && ![own, best].includes(mistake)) shown.push([t("Refutation of the mistake"), mistake]);
  $("lines").replaceChildren(...shown.filter(Boolean).map(([name, one]) => showChips(one.line.slice(0, 8), {name, score: signed(one.score), made: line?.moves === one.line ? line.made : 0}, made => follow(one.line, made))));
  $("end").innerHTML = miniBoard(line ? line.positions.at(-1) : parse(current().position));
  const certain = best.exact ? t("solved") : t("searched to depth {depth}", {depth: depthOf(best)});
  $("themes").textContent = prose(themesText(current()), t("Values: {certain}.", {certain}));
}

const themesText = ({themes}) => t("Themes: {themes}.", {themes: series(themes.map(theme => t(theme)))});

// Hints: first the quarter of the board, then two squares, one of which is the best move.
const QUARTERS = ["upper left", "upper right", "lower left", "lower right"];
function hintText(exercise) {
  if (hints === 0) return "";
  const best = squareOf(exercise.best), other = movesOf(parse(exercise.position)).filter(square => square !== best).sort((one, two) => (one * 37 + best) % 64 - (two * 37 + best) % 64)[0];
  const quarter = t(QUARTERS[(best % 8 > 3 ? 1 : 0) + (best > 31 ? 2 : 0)]), pair = [best, other ?? best].sort((one, two) => one - two).map(nameOf);
  return hints === 1 ? t("The best move is in the {quarter} quarter.", {quarter}) : t("It is one of {squares}.", {squares: series([...new Set(pair)])});
}

function show() {
  const exercise = current();
  showBoard();
  showStatus();
  showLines();
  $("title").textContent = exercise ? t("Exercise {n}", {n: at + 1}) : t("End of the session");
  $("number").textContent = exercise ? t("{at} of {all}", {at: at + 1, all: exercises.length}) : "";
  fillDots($("dots"), exercises.map((_, index) => results[index] === undefined ? "" : results[index] < HALF_A_DISC ? "done" : "missed"), at);
  $("source").textContent = (exercise?.source ?? "").replace("? - ?, ", "").replace(/\bmove (\d+)$/, (_, number) => t("move {number}", {number}));
  $("solved").textContent = number(results.filter(lost => lost < HALF_A_DISC).length);
  $("hint").hidden = Boolean(answer);
  $("hint").disabled = !exercise || hints > 1;
  $("again").hidden = !answer?.own || answer.lost < HALF_A_DISC;
  // The button skips the exercise, or leads to the next exercise or to another session.
  $("next").textContent = t(!exercise ? "Next session" : answer ? "Next exercise" : "Skip");
  $("next").classList.toggle("primary", !exercise || Boolean(answer));
  $("next").disabled = Boolean(answer) && !answer.own;
  showSteps(line);
}

// Shows the exercises due and the rating by the answers to puzzles.
function fillProgress(due, skill) {
  rating = skill.answered === 0 ? 0 : skill.rating;
  $("skill").textContent = rating ? number(Math.round(rating)) : "\u2013";
  $("streak").textContent = number(skill.streak);
  $("due").textContent = number(due);
}

// Begins a session.
async function begin() {
  const session = await server.exercises(theme);
  exercises = session.exercises;
  if ($("theme").options.length === 1) $("theme").append(...session.themes.map(theme => element("option", t(theme), {value: theme})));
  $("theme").value = theme;
  fillProgress(session.due, session.skill);
  results = [];
  open(0);
  message("");
}
async function next() {
  if (current()) open(at + 1);
  else await begin();
}

// Saves exercises and answers as a file like that of `emilia practice --export FILE.jsonl`.
async function save() {
  download("emilia-exercises", "jsonl", await server.exportExercises(), "application/jsonl");
}
async function load() {
  const [file] = $("load").files;
  $("load").value = "";
  if (!file) return;
  const added = await server.importExercises(file);
  await begin();
  message(t("Exercises added: {exercises}, answers: {answers}.", added));
}

onButtons(() => line, go, {hint: () => { hints++; show(); }, again: () => { [answer, line] = [null, null]; show(); }, next: trying(next)}, {h: "hint", n: "next"});
trying(begin)();
$("save").addEventListener("click", trying(save));
$("theme").addEventListener("change", trying(() => {
  theme = $("theme").value;
  writeSettings({puzzles: theme});
  return begin();
}));
$("load").addEventListener("change", trying(load));
server.holdTab();
