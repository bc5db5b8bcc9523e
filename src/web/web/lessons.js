// The Lessons page: the rules on six boards, and lessons of strategy. `lessons.txt` has their positions, moves and
// texts. The hash of the address names the board that is shown, #LESSON.BOARD from 1. Without a hash the lessons are
// listed. The person is always Black.
import * as server from "./server.js";
import {t, prose, wholeSigned, lossOf} from "./words.js";
import {BLACK, WHITE, EMPTY, START, sideName, nameOf, squareOf, parse, play, passOf, turnOf, movesOf, outcome, turnedRuns, count} from "./rules.js";
import {$, element, announce, showVerdict, icon, readSettings, writeSettings, openPage} from "./controls.js";
import {drawBoard, miniBoard} from "./board.js";
import {showChips, fillDots} from "./chips.js";
import {lineOf, onButtons, showSteps} from "./stepper.js";
import {makeSquares, labelSquares} from "./squares.js";

// Time between two moves of a line, in milliseconds, and the depth at which the search of values ends.
const PACE = 900, DEPTH = 20;
// The cookie with the boards that are done.
const COOKIE = "lessons";

const words = text => text.split(" ").filter(Boolean);
async function readLessons() {
  const lessons = [];
  for (const [kind, ...cells] of await server.rows("lessons.txt")) {
    const [title, about, idea] = cells, [, start, good, bad, task, right, wrong] = cells;
    if (kind === "lesson") lessons.push({title, about, idea, boards: []});
    else lessons.at(-1).boards.push({isRule: kind === "rule", start, good: words(good), bad: words(bad), task, right, wrong});
  }
  return lessons;
}

await openPage("lesson-");
document.title = t("Learn");
const lessons = await readLessons();

// `at` are the numbers of lesson and board, or null in the list. `position` is what the board shows. `phase`: the
// person is asked for a move ("ask") or for the winner ("count"), a line is being played ("wait"), or the answer was
// "right" or "wrong". `line` are the moves played, which can be stepped through: {moves, positions, made}. `run` is the
// number of the last line, and `search` stops the search of values.
let at = null, position = parse(START), phase = "ask", line = null, run = 0, search = null;
const squares = makeSquares($("grid"), square => choose(nameOf(square)));
const done = new Set(readSettings(COOKIE).done);
const lesson = () => lessons[at[0] - 1], board = () => lesson().boards[at[1] - 1];
const isDone = (...numbers) => done.has(numbers.join("."));

// Opens the board of the address, or the lesson's first board that is not done, or the list.
function open() {
  const [number, index] = location.hash.slice(1).split(".").map(Number), boards = lessons[number - 1]?.boards;
  const next = () => boards.findIndex((_, index) => !isDone(number, index + 1)) + 1 || 1;
  at = boards ? [number, boards[index - 1] ? index : next()] : null;
  if (at) history.replaceState(null, "", `#${at.join(".")}`);
  $("all").hidden = Boolean(at);
  for (const part of [$("lesson"), $("buttons")]) part.hidden = !at;
  // The picture is hidden, not removed, because the cards use its colours.
  const picture = document.querySelector(".position");
  picture.classList.toggle("hide", !at);
  picture.toggleAttribute("inert", !at);
  picture.setAttribute("aria-hidden", `${!at}`);
  document.documentElement.dataset.dots = at && board().isRule ? "off" : readSettings().dots ?? "on";
  if (at) reset();
  else showList();
}
// Shows the lessons as cards, each with its first board. The board of a finished lesson has the move that was found.
function showList() {
  stop();
  const finished = lessons.map(({boards}, index) => boards.filter((_, board) => isDone(index + 1, board + 1)).length);
  const all = finished.filter((number, index) => number === lessons[index].boards.length).length, next = finished.findIndex((number, index) => number < lessons[index].boards.length);
  $("count").textContent = t("Lessons done: {done} of {n}", {done: all, n: lessons.length});
  $("meter").setAttribute("aria-label", $("count").textContent);
  $("meter").value = all / lessons.length;
  const cards = lessons.map(({title, about, boards}, index) => {
    const board = element("div", "", {class: "board"}), [{start, good: [move]}] = boards.filter(({good: [move]}) => /^[a-h]\d/.test(move)), isFinished = finished[index] === boards.length;
    board.innerHTML = miniBoard(parse(start), isFinished ? {better: squareOf(move)} : {});
    const stand = isFinished ? element("span", [icon("tick"), element("span", "\u2713", {class: "hide"})], {class: "pill"})
      : index === next ? element("span", t(finished[index] > 0 ? "Continue" : "Begin"), {class: "pill"})
        : finished[index] > 0 && element("span", `${finished[index]}/${boards.length}`, {class: "pill"});
    return element("a", [element("div", board, {class: "top"}), cardWords(`${index + 1}. ${t(title)}`, t(about)), stand], {class: `lesson ${index === next ? "next" : ""}`, href: `#${index + 1}`});
  });
  const tree = element("div", "", {class: "tree"});
  tree.innerHTML = TREE;
  const search = element("a", [tree, cardWords(t("How a program searches"), t("Minimax and alpha-beta, step by step"))], {class: "lesson wide", href: "learn.html"});
  $("lessons").replaceChildren(...[...cards, search].map((card, index) => element("li", card, {class: index === lessons.length ? "last" : ""})));
}
const cardWords = (title, about) => element("div", [element("strong", title), element("span", about, {class: "soft"})], {class: "words"});
const TREE = `<svg viewBox="0 0 100 78" fill="none" stroke="currentColor" stroke-width="2" aria-hidden="true"><path d="M50 12L22 38M50 12L78 38M22 38L10 64M22 38L34 64M78 38L66 64M78 38L90 64" stroke-opacity=".55"/><rect x="42" y="4" width="16" height="16" rx="3" fill="currentColor"/><g fill="var(--panel)"><circle cx="22" cy="38" r="8"/><circle cx="78" cy="38" r="8"/><path d="M3 57h14v14H3zM27 57h14v14H27zM59 57h14v14H59zM83 57h14v14H83z"/></g></svg>`;

// Ends the running line and the running search.
function stop() {
  run++;
  search?.abort();
  search = null;
  if (at) $("note").textContent = "";
}
// Shows the position of the board, and its task.
function reset() {
  stop();
  line = null;
  position = parse(board().start);
  $("title").textContent = `${at[0]}. ${t(lesson().title)}`;
  $("idea").textContent = lesson().idea ? t(lesson().idea) : "";
  $("idea-card").hidden = !lesson().idea;
  draw(false);
  show("ask", t("Your turn"));
}
// Shows a message and the buttons.
function show(next, first, rest = "", kind = {right: "good", wrong: "warn"}[next] ?? "") {
  const isLast = at[1] === lesson().boards.length, {isRule, task} = board();
  phase = next;
  announce($("status"), first, rest, phase === "ask" ? t(task) : "");
  showVerdict($("slot"), kind, "?");
  fillDots($("dots"), lesson().boards.map((_, index) => isDone(at[0], index + 1) ? "done" : ""), at[1] - 1);
  $("task").textContent = t(task);
  $("pass").hidden = !isRule;
  $("pass").disabled = phase !== "ask";
  $("again").disabled = !["wrong", "right"].includes(phase);
  $("values").hidden = isRule;
  $("values").setAttribute("aria-pressed", Boolean(search));
  $("next").textContent = t(!isLast ? "Next" : at[0] === 1 ? "Play a first game" : lessons[at[0]] ? "Next lesson" : "To the board");
  $("next").disabled = isRule && !isDone(...at);
  $("next").classList.toggle("primary", phase !== "wrong" && isDone(...at));
  $("again").classList.toggle("primary", phase === "wrong");
  $("choice").hidden = phase !== "count";
  showLine();
  const focused = {right: "next", wrong: "again"}[phase];
  if (focused) $(focused).focus({preventScroll: true});
  if (phase !== "ask") $("slot").scrollIntoView({block: "nearest"});
}
// Shows the line that was played. Once it has ended, it can be stepped through.
function showLine() {
  const isOver = line && ["right", "wrong"].includes(phase);
  $("follow").hidden = !isOver;
  showSteps(isOver ? line : null);
  if (!isOver) return;
  $("lines").replaceChildren(showChips(line.moves, {made: line.made}, go));
  const end = line.positions.at(-1);
  $("end").innerHTML = miniBoard(end);
  $("ending").textContent = t("At its end: {black}\u2013{white}, moves for White: {moves}.", {black: count(end.squares, BLACK), white: count(end.squares, WHITE), moves: movesOf({...end, mover: WHITE}).length});
}
function go(made) {
  const isOn = made === line.made + 1;
  line.made = made;
  position = line.positions[line.made];
  draw(isOn);
  showLine();
}
function draw(isMove, texts = new Map(), marks = {}) {
  const isFound = phase === "right" && line?.made === 1;
  drawBoard($("board"), isFound ? {...position, last: null} : position, isFound ? {better: squareOf(line.moves[0]), isJoy: true} : marks, isMove);
  labelSquares(squares, position, at && !board().isRule && phase !== "wait" ? movesOf(position) : [], texts);
}

// Plays moves one after the other. Returns whether all of them were played.
async function follow(moves) {
  stop();
  const own = run, known = moves.filter(move => move !== "pass");
  line = lineOf(position, known, known.length);
  show("wait", t("Your turn"));
  for (const [index, move] of moves.entries()) {
    if (index > 0) await new Promise(next => setTimeout(next, PACE));
    if (own !== run) return false;
    position = play(position, move);
    draw(true);
  }
  return true;
}

// Says why a move is not legal.
function refusal(move) {
  if (move === "pass") return t("Black has a legal move, and may not pass.");
  const square = squareOf(move), {squares: discs} = position;
  if (discs[square] !== EMPTY) return t("There is a disc on this square already.");
  const away = other => Math.max(Math.abs(other % 8 - square % 8), Math.abs((other >> 3) - (square >> 3)));
  return discs.some((disc, other) => disc === WHITE && away(other) === 1)
    ? t("White discs touch this square, but no black disc is at the other end of their line: nothing turns.")
    : t("No white disc touches this square: nothing turns.");
}

// Plays the move of the person.
async function choose(move) {
  if (!at || phase !== "ask") return;
  const {isRule, good, bad, right, wrong} = board(), mustPass = passOf(position) === BLACK;
  const isLegal = mustPass ? move === "pass" : move !== "pass" && movesOf(position).includes(squareOf(move));
  if (!isLegal) return show("ask", refusal(move));
  const isGood = [move, "any"].includes(good[0]), runs = mustPass ? [] : turnedRuns(position.squares, BLACK, squareOf(move));
  const facts = {move, reply: bad[1], n: runs.length, turned: runs.flat().length, moves: movesOf(play(position, move)).length};
  if (isGood) {
    // In a lesson of strategy only the first move is played: the person steps through the rest of the line.
    if (!await follow([move, ...isRule ? good.slice(1) : []])) return;
    if (!isRule && good.length > 1) line = lineOf(parse(board().start), [move, ...good.slice(1)]);
    if (turnOf(position) !== EMPTY) succeed(isRule ? t("Right.") : t("{move} is the right move", facts), t(right, facts));
    else if (isRule) show("count", t("The game is over. Which side has more discs?"));
    else succeed(result(), t(right, facts));
  } else if (move === bad[0]) {
    if (await follow(bad)) show("wrong", t("{move} is a mistake.", facts), prose(t(wrong, facts), wentOn(bad)));
  } else if (isRule) show("ask", t(wrong, facts));
  else {
    draw(false, new Map(), {played: squareOf(move), sign: "?"});
    show("ask", t("{move} is possible, but another move is better.", facts), t("Discs turned: {turned}. Moves for White: {moves}.", facts), "warn");
  }
}
// Sentence about the moves played after the person's move.
const wentOn = ([, ...moves]) => moves.length > 0 && t("Then came {moves}.", {moves: moves.join(" ")});
function succeed(first, rest) {
  done.add(at.join("."));
  writeSettings({done: [...done]}, COOKIE);
  show("right", first, rest);
  if (line?.made === 1) draw(false);
}
const result = () => {
  const {winner, discs} = outcome(position);
  return t("{side} wins {discs}.", {side: sideName(winner), discs});
};
function judge(side) {
  if (side === outcome(position).winner) succeed(result(), t(board().right));
  else show("count", t(board().wrong));
}

// Shows the values of all moves on the squares, deeper and deeper, or hides them.
async function toggleValues() {
  const isShown = Boolean(search);
  reset();
  if (isShown) return;
  const own = search = new AbortController();
  $("values").setAttribute("aria-pressed", "true");
  $("note").textContent = t("Looking\u2026");
  try {
    await server.look(board().start, own.signal, ({hints}) => {
      draw(false, new Map(hints.map(({move, score, exact}) => {
        const kind = `${lossOf(hints[0].score, score) === 0 ? "best" : ""} ${exact ? "exact" : ""}`, text = wholeSigned(Math.round(score));
        return [squareOf(move), {text, kind, label: t("value {value}", {value: text})}];
      })));
      $("note").textContent = prose(t("Depth {depth}\u2026", {depth: hints[0].depth}), t("Values are for the side to move. Yellow: the best. Underlined: exact, solved to the end."));
      if (hints[0].depth >= DEPTH) own.abort();
    });
  } catch (error) { if (!own.signal.aborted) $("note").textContent = error.message; }
}

function next() {
  if (lesson().boards[at[1]]) location.hash = `${at[0]}.${at[1] + 1}`;
  else if (at[0] > 1 && lessons[at[0]]) location.hash = `${at[0] + 1}.1`;
  else location.href = at[0] === 1 ? "./#first" : "./";
}
onButtons(() => line, go, {next, again: reset, pass: () => choose("pass"), values: toggleValues}, {n: "next", v: "values"});
const sides = {black: BLACK, white: WHITE, draw: EMPTY};
for (const [id, side] of Object.entries(sides)) $(id).addEventListener("click", () => judge(side));
addEventListener("hashchange", open);
open();
server.holdTab();
document.documentElement.classList.add("ready");
