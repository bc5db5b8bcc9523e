// The Lessons page: the rules on six boards, and lessons of strategy. `lessons.txt` has their positions, moves and
// texts. The hash of the address is the board that is shown, #LESSON.BOARD from 1; without one the lessons are listed.
// The person is always Black.
import * as server from "./server.js";
import {t, prose, signed, lossOf, useLanguage, addWords, translate} from "./words.js";
import {BLACK, WHITE, EMPTY, START, sideName, nameOf, squareOf, parse, play, passOf, turnOf, movesOf, outcome, turnedRuns} from "./rules.js";
import {$, element, announce, onKeys, readSettings, writeSettings, showLanguages} from "./controls.js";
import {drawBoard} from "./board.js";
import {makeSquares, labelSquares} from "./squares.js";

// Time between two moves of a line, in milliseconds, and the depth at which the search of values ends.
const PACE = 900, DEPTH = 20;
// The cookie with the boards that are done.
const COOKIE = "lessons";

const words = text => text.split(" ").filter(Boolean);
async function readLessons() {
  const lessons = [], text = await (await fetch(new URL("lessons.txt", import.meta.url))).text();
  for (const line of text.split("\n")) {
    const [kind, ...cells] = line.split("\t");
    if (kind === "lesson") lessons.push({title: cells[0], about: cells[1], idea: cells[2], boards: []});
    else if (cells.length > 0) {
      const [, start, good, bad, task, right, wrong] = cells;
      lessons.at(-1).boards.push({isRule: kind === "rule", start, good: words(good), bad: words(bad), task, right, wrong});
    }
  }
  return lessons;
}

await useLanguage(readSettings().language);
await addWords("lesson-");
translate(document.body);
document.title = t("Learn");
const lessons = await readLessons();

// `at` are the numbers of lesson and board, or null in the list. `position` is what the board shows. `phase` is what the
// person is asked for, a move ("ask") or the winner ("count"), or else a line is played ("wait"), or ended well ("right")
// or not ("wrong"). `run` is the number of the last line, and `search` stops the search of values.
let at = null, position = parse(START), phase = "ask", run = 0, search = null;
const squares = makeSquares($("grid"), square => choose(nameOf(square)));
const done = new Set(readSettings(COOKIE).done);
const lesson = () => lessons[at[0] - 1], board = () => lesson().boards[at[1] - 1];
const isDone = (...numbers) => done.has(numbers.join("."));

// Opens the board of the address, the first one of a lesson that is not done, or the list.
function open() {
  const [number, index] = location.hash.slice(1).split(".").map(Number), boards = lessons[number - 1]?.boards;
  const next = () => boards.findIndex((_, index) => !isDone(number, index + 1)) + 1 || 1;
  at = boards ? [number, boards[index - 1] ? index : next()] : null;
  if (at) history.replaceState(null, "", `#${at.join(".")}`);
  $("all").hidden = Boolean(at);
  for (const part of [$("lesson"), $("buttons")]) part.hidden = !at;
  document.documentElement.dataset.dots = at && board().isRule ? "off" : readSettings().dots ?? "on";
  if (at) reset();
  else showList();
}
function showList() {
  stop();
  position = parse(START);
  draw(false);
  $("about").textContent = "";
  $("list").replaceChildren(...lessons.map(({title, about, boards}, index) => {
    const item = element("li", ""), finished = boards.filter((_, board) => isDone(index + 1, board + 1)).length;
    const state = finished === boards.length ? "\u2713" : finished > 0 ? `${finished}/${boards.length}` : "";
    item.append(element("a", t(title), {href: `#${index + 1}`}), ` ${state}`, element("span", t(about)));
    return item;
  }));
}

// Ends the line and the search that go on.
function stop() {
  run++;
  search?.abort();
  search = null;
  if (at) $("note").textContent = "";
}
// Shows the position of the board, and its task.
function reset() {
  stop();
  position = parse(board().start);
  $("title").textContent = t(lesson().title);
  $("about").textContent = `${at[1]} / ${lesson().boards.length}`;
  $("idea").textContent = at[1] === 1 && lesson().idea ? t(lesson().idea) : "";
  draw(false);
  show("ask", "", t(board().task));
}
// Shows what is said, and the buttons.
function show(next, first, rest = "") {
  const isLast = at[1] === lesson().boards.length, {isRule} = board();
  phase = next;
  announce($("status"), first, rest);
  $("back").disabled = at.join() === "1,1";
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
  const focused = {right: "next", wrong: "again"}[phase];
  if (focused) $(focused).focus({preventScroll: true});
  if (phase !== "ask") $("status").scrollIntoView({block: "nearest"});
}
function draw(isMove, texts = new Map()) {
  drawBoard($("board"), position, {}, isMove);
  labelSquares(squares, position, at && !board().isRule && phase !== "wait" ? movesOf(position) : [], texts);
}

// Plays moves one after the other. Returns whether all of them were played.
async function follow(moves) {
  stop();
  const own = run;
  show("wait", "", t(board().task));
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
  const {isRule, good, bad, task, right, wrong} = board(), mustPass = passOf(position) === BLACK;
  const isLegal = mustPass ? move === "pass" : move !== "pass" && movesOf(position).includes(squareOf(move));
  if (!isLegal) return show("ask", refusal(move), t(task));
  const isGood = [move, "any"].includes(good[0]), runs = mustPass ? [] : turnedRuns(position.squares, BLACK, squareOf(move));
  const facts = {move, reply: bad[1], n: runs.length, turned: runs.flat().length, moves: movesOf(play(position, move)).length};
  if (isGood) {
    if (!await follow([move, ...good.slice(1)])) return;
    if (turnOf(position) !== EMPTY) succeed(t("Right."), prose(t(right, facts), !isRule && wentOn(good)));
    else if (isRule) show("count", t("The game is over. Which side has more discs?"));
    else succeed(result(), t(right, facts));
  } else if (move === bad[0]) {
    if (await follow(bad)) show("wrong", t("{move} is a mistake.", facts), prose(t(wrong, facts), wentOn(bad)));
  } else if (isRule) show("ask", t(wrong, facts), t(task));
  else show("ask", t("{move} is possible, but another move is better.", facts), prose(t("Discs turned: {turned}. Moves for White: {moves}.", facts), t(task)));
}
// The moves that were played after the person's own.
const wentOn = ([, ...moves]) => moves.length > 0 && t("Then came {moves}.", {moves: moves.join(" ")});
function succeed(first, rest) {
  done.add(at.join("."));
  writeSettings({done: [...done]}, COOKIE);
  show("right", first, rest);
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
        const kind = `${lossOf(hints[0].score, score) === 0 ? "best" : ""} ${exact ? "exact" : ""}`, text = signed(score);
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
function back() {
  location.hash = at[1] > 1 ? `${at[0]}.${at[1] - 1}` : `${at[0] - 1}.${lessons[at[0] - 2].boards.length}`;
}
const clicks = {back, next, again: reset, pass: () => choose("pass"), values: toggleValues};
const press = id => { if (at && !$(id).hidden) clicks[id](); };
for (const id of Object.keys(clicks)) $(id).addEventListener("click", () => press(id));
const sides = {black: BLACK, white: WHITE, draw: EMPTY};
for (const [id, side] of Object.entries(sides)) $(id).addEventListener("click", () => judge(side));
onKeys({n: () => press("next"), v: () => press("values")});
addEventListener("hashchange", open);
open();
showLanguages();
server.holdTab();
document.documentElement.classList.add("ready");
