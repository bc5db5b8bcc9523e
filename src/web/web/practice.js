// The Practice page. An exercise is shown, a move is clicked, and the answer comes with its lines.
import * as server from "./server.js";
import {t, prose, labelled, useLanguage, translate, number, percent, series, signed, lossOf, lossText, HALF_A_DISC} from "./words.js";
import {EMPTY, START, sideName, nameOf, squareOf, count, parse, along, flips} from "./rules.js";
import {$, element, announce, readSettings, writeSettings, showLanguages, download} from "./controls.js";
import {drawBoard, drawLegend} from "./board.js";
import {depthOf} from "./tables.js";
import {makeSquares, labelSquares} from "./squares.js";
import {onButtons, showSteps} from "./stepper.js";

await useLanguage(readSettings().language);
translate(document.body);
document.documentElement.classList.add("ready");

// `exercises` are the exercises of the session, and `at` is the index of the one that is shown. `answer` is the
// square that was answered, with its grade, or null. `line` is the line on the board: its moves, positions
// and the number of moves made.
let exercises = [], at = 0, answer = null, line = null, hints = 0, lines = null, results = [];
// The theme of the exercises, or "" for all.
let theme = readSettings().puzzles ?? "";
const buttons = makeSquares($("grid"), square => reply(square));
const message = text => { $("message").textContent = text; };

const current = () => exercises[at];
const signOfLoss = lost => lost >= 10 ? "??" : lost >= 4 ? "?" : lost >= 2 ? "?!" : "";
const legal = ({squares, mover}) => squares.map((_, square) => square).filter(square => flips(squares, mover, square).length > 0);

// Returns the values of all moves, which a search may still have to find.
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
  if (!exercise || answer || !legal(parse(exercise.position)).includes(square)) return;
  answer = {square, lost: null};
  show();
  try {
    const all = await lines, own = all.find(one => one.move === nameOf(square));
    if (exercise !== current()) return;
    const [best, second] = all, lost = lossOf(best.score, own.score), mistake = all.find(one => one.move === exercise.mistake);
    const {days, progress, skill} = await server.answer(exercise.position, own.move, hints > 0);
    fillProgress(progress, skill);
    results.push(lost);
    answer = {square, lost, own, best, second, mistake, days};
    if (lost >= HALF_A_DISC) follow(own.line, 0);
  } catch (error) {
    answer = null;
    message(error.message);
  }
  show();
  if (answer) $("next").focus();
}

// Puts a line on the board, after its first `made` moves.
function follow(moves, made = 1) {
  line = {moves, positions: along(parse(current().position), moves), made};
  show();
}
function step(by) {
  if (!line) return;
  line.made = Math.max(0, Math.min(line.moves.length, line.made + by));
  show();
}

function showBoard() {
  const exercise = current();
  const position = !exercise ? parse(START) : line ? line.positions[line.made] : parse(exercise.position), marks = {};
  const isAnswered = Boolean(answer?.own), isFirst = !line || line.made === 0;
  if (isAnswered && isFirst) {
    marks.better = squareOf(answer.best.move);
    if (answer.lost >= HALF_A_DISC) Object.assign(marks, {played: answer.square, sign: signOfLoss(answer.lost)});
  }
  drawBoard($("board"), position, marks, Boolean(line) && line.made > 0);
  drawLegend($("legend"), position, marks);
  labelSquares(buttons, position, answer || !exercise ? [] : legal(position), new Map());
}

function showStatus() {
  const exercise = current(), best = results.filter(lost => lost < HALF_A_DISC).length;
  const tell = (first, rest) => announce($("status"), first, rest);
  if (!exercise) {
    if (results.length === 0) return tell(t("No exercise is due."));
    const mean = results.reduce((sum, lost) => sum + lost, 0) / results.length;
    return tell(t("{best} of {n} answer is best.|{best} of {n} answers are best.", {best, n: results.length}), t("{lost} discs lost per answer.", {lost: number(mean, 2)}));
  }
  const {squares, mover} = parse(exercise.position);
  const share = exercise.found !== null && t("{n} in 10 club players find it.", {n: Math.max(1, Math.round(exercise.found / 10))});
  if (!answer) return tell(t("{side} to move.", {side: sideName(mover)}), prose(t("{n} empty square. Find the best move.|{n} empty squares. Find the best move.", {n: count(squares, EMPTY)}), share));
  if (!answer.own) return tell(t("Searching\u2026"));
  const {own, best: top, lost, days} = answer;
  const certain = top.exact ? t("solved") : t("searched to depth {depth}", {depth: depthOf(top)});
  const returns = t("The exercise returns in {n} day.|The exercise returns in {n} days.", {n: days});
  if (lost < HALF_A_DISC) return tell(t("{move} is best.", {move: own.move}), prose(t("{score}, {certain}.", {score: signed(own.score), certain}), returns));
  tell(t("{move} loses {lost} discs; {best} is best.", {move: own.move + signOfLoss(lost), lost: lossText(lost), best: top.move}),
    prose(t("{own} instead of {best}, {certain}.", {own: signed(own.score), best: signed(top.score), certain}), returns));
}

function showLines() {
  const isAnswered = Boolean(answer?.own);
  $("answer").hidden = !isAnswered;
  if (!isAnswered) return;
  const {own, best, second, mistake, lost} = answer;
  const shown = lost < HALF_A_DISC ? [[t("Your move"), own], second && [t("Second best move"), second]] : [[t("Refutation of your move"), own], [t("Best move"), best]];
  if (mistake && current().found === null && ![own, best].includes(mistake)) shown.push([t("Refutation of the mistake"), mistake]);
  $("lines").replaceChildren(...shown.filter(Boolean).map(([name, one]) => {
    const button = element("button", labelled(`${name}, ${signed(one.score)}`, one.line.slice(0, 10).join(" ")), {"aria-pressed": line?.moves === one.line});
    button.addEventListener("click", () => follow(one.line));
    return button;
  }));
  $("themes").textContent = themesText(current());
}

const themesText = ({themes}) => t("Themes: {themes}.", {themes: series(themes.map(theme => t(theme)))});

function showHints() {
  const exercise = current();
  const texts = exercise && !answer ? [themesText(exercise), t("The best move is in row {row}.", {row: exercise.best[1]})] : [];
  $("hints").textContent = texts.slice(0, hints).join(" ");
}

function show() {
  const exercise = current();
  showBoard();
  showStatus();
  showLines();
  showHints();
  $("number").textContent = exercise ? t("{at} of {all}", {at: at + 1, all: exercises.length}) : t("End of the session");
  $("about").textContent = (exercise?.source ?? "").replace("? - ?, ", "").replace(/\bmove (\d+)$/, (_, number) => t("move {number}", {number}));
  $("hint").disabled = !exercise || Boolean(answer) || hints > 1;
  // The button leads on: past the exercise, to the next one, or to another session.
  const label = !exercise ? "Next session" : answer ? "Next exercise" : "Skip";
  $("next").firstChild.data = `${t(label)} `;
  $("next").classList.toggle("primary", !exercise || Boolean(answer));
  $("next").disabled = Boolean(answer) && !answer.own;
  showSteps(line);
}

// Fills the table of the progress by theme, and tells the rating by the answers to puzzles.
function fillProgress(themes, {rating, streak, answered}) {
  $("skill").textContent = answered === 0 ? "" : prose(t("Rating: {rating}.", {rating: number(Math.round(rating))}), t("Solved in a row: {n}.", {n: streak}));
  $("progress").tBodies[0].replaceChildren(...themes.map(one => {
    const row = element("tr", ""), answers = Math.max(1, one.answers);
    const cells = [one.exercises, one.practised, one.due, one.answers ? percent(one.best / answers) : "", one.answers ? number(one.lost / answers, 2) : ""];
    row.append(element("th", t(one.theme), {scope: "row"}), ...cells.map(cell => element("td", cell)));
    return row;
  }));
}

// Begins a session.
async function begin() {
  const session = await server.exercises(theme);
  exercises = session.exercises;
  if ($("theme").options.length === 1) $("theme").append(...session.themes.map(theme => element("option", t(theme), {value: theme})));
  $("theme").value = theme;
  fillProgress(session.progress, session.skill);
  results = [];
  open(0);
  message("");
}
function next() {
  if (current()) open(at + 1);
  else begin().catch(error => message(error.message));
}

// Exercises and answers as a file of `emilia practice --export FILE.jsonl`.
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

onButtons(step, {hint: () => { hints++; show(); }, next}, {h: "hint", n: "next"});
begin().catch(error => message(error.message));
const trying = act => () => act().catch(error => message(error.message));
$("save").addEventListener("click", trying(save));
$("theme").addEventListener("change", trying(() => {
  theme = $("theme").value;
  writeSettings({puzzles: theme});
  return begin();
}));
$("load").addEventListener("change", trying(load));
showLanguages();
server.holdTab();
