// The page of one's own openings. The page plays the other side within the lines, and asks for one's own moves that are
// new or due. When a move returns follows from all answers to its position (src/review/practice/fsrs.rs).
import * as server from "./server.js";
import {t, prose, labelled, series, signed, lossOf, lossText, HALF_A_DISC} from "./words.js";
import {BLACK, WHITE, START, parse, play, along, movesOf, turnOf, nameOf, squareOf, sideName} from "./rules.js";
import {$, element, button, announce, showVerdict, notify, readSettings, writeSettings, openPage, download} from "./controls.js";
import {drawBoard} from "./board.js";
import {depthOf} from "./tables.js";
import {makeSquares, labelSquares} from "./squares.js";
import {lineOf, onButtons, showSteps, message, trying} from "./stepper.js";
import {showChips} from "./chips.js";
import {newTree, addLine, textOf} from "./tree.js";
import {writeSgf, addVariations} from "./sgf.js";
import {read, change, addTo, graphOf, movesIn} from "./repertoire.js";

// Time between moves of the page, and longest time of the search after a wrong move, in milliseconds. Depth in plies at
// which this search ends. Maximum number of lines of a file, and of games that give the weights of moves.
const PACE = 500, LOOK_TIME = 4000, LOOK_DEPTH = 16, MOST_LINES = 1000, MOST_GAMES = 50_000;

await openPage("more-");
document.documentElement.classList.add("ready");

// `lines` are the lines of the colour, `graph` their positions, and `days` the days until each question returns. `made`
// has the moves on the board, and `position` comes after them. `isAsked`: a question waits for its move. `wrong` is a
// wrong answer, {move, hints}, or "shown". `line` is a line that is shown with the answer: {moves, positions, made}.
let colour = readSettings().drill ?? "black", lines = [], graph = new Map(), days = new Map();
let position = parse(START), made = [], isAsked = false, wrong = null, line = null, isOver = false, run = 0, looking = null;
const buttons = makeSquares($("grid"), square => reply(nameOf(square)));
const side = () => colour === "black" ? BLACK : WHITE;
const isOwn = at => turnOf(at) === side();
const nextOf = at => graph.get(textOf(at)) ?? new Map();
const isDue = key => days.get(key) === 0;
const due = () => [...days.values()].filter(left => left === 0).length;

// The names of openings, by position.
const names = new Map();
const openingAt = at => t(names.get(textOf(at)) ?? "");

// Takes over a record of lines and answers.
async function use(all) {
  lines = all.lines[colour];
  graph = graphOf(lines);
  $("put-back").hidden = !all.removed?.[colour];
  const asked = [...graph.keys()].filter(key => isOwn(parse(key)));
  const {days: left} = await server.due(asked.map(key => all.answers[key] ?? []));
  days = new Map(asked.map((key, at) => [key, left[at]]));
}

// Whether a question that is due lies at a position or after it.
function leads(at, known = new Map()) {
  const key = textOf(at);
  if (!known.has(key)) known.set(key, isDue(key) || [...nextOf(at).values()].some(next => leads(next, known)));
  return known.get(key);
}

// Weighs the moves of the other side by how often they were played in My games, or else by the values of the book.
let games = null;
const weights = new Map();
async function weigh(at) {
  games ??= server.listGames().then(all => all.slice(0, MOST_GAMES).map(({start, transcript, result}) => ({start, transcript, result})));
  const {book, moves, games: played} = await server.explore(textOf(at), await games);
  const best = Math.max(...book.map(one => one.value ?? -64));
  return move => {
    if (played > 0) return 1 + (moves.find(one => one.move === move)?.games ?? 0);
    const own = book.find(one => one.move === move);
    return own && own.value !== null ? 1 / (1 + best - own.value) : .1;
  };
}
async function drawn(at, moves) {
  if (moves.length === 1) return moves[0];
  const key = textOf(at);
  weights.set(key, weights.get(key) ?? await weigh(at));
  let rest = Math.random() * moves.reduce((sum, move) => sum + weights.get(key)(move), 0);
  return moves.find(move => (rest -= weights.get(key)(move)) < 0) ?? moves[0];
}

function make(move) {
  position = play(position, move);
  made.push({move, name: openingAt(position)});
  wrong = line = null;
  isAsked = false;
  show(true);
}

// Plays up to the next question, or to the end of the line.
async function goOn() {
  const own = ++run;
  for (;;) {
    isAsked = isOwn(position) && isDue(textOf(position));
    const moves = [...nextOf(position)].filter(([, next]) => leads(next)).map(([move]) => move);
    isOver = !isAsked && moves.length === 0;
    // The last answer must be kept before the days until the first question are known.
    if (isOver && due() === 0) {
      await keeping;
      await use(await read());
    }
    if (own !== run) return;
    show();
    if (isAsked || isOver) return;
    const [move] = await Promise.all([drawn(position, moves), new Promise(done => setTimeout(done, made.length === 0 ? 0 : PACE))]);
    if (own !== run) return;
    make(move);
  }
}
async function begin() {
  looking?.abort();
  [position, made, wrong, line] = [parse(START), [], null, null];
  message("");
  await goOn();
}

// Promise of the last answer that is being kept.
let keeping = null;

// Keeps the first answer to the question of a position. Later answers do not count.
async function keepAnswer(key, isKnown) {
  if (!isDue(key)) return;
  days.set(key, 1);
  keeping = change(all => { (all.answers[key] ??= []).push([Math.floor(Date.now() / 1000), isKnown]); });
  await keeping;
}

async function reply(chosen) {
  if (!isAsked || !isHere() || !movesOf(position).includes(squareOf(chosen))) return;
  // All first moves are symmetric, so any of them counts as the first move of the lines.
  const move = made.length === 0 ? right()[0] : chosen;
  const key = textOf(position), isRight = nextOf(position).has(move);
  const kept = keepAnswer(key, isRight);
  if (isRight) {
    looking?.abort();
    make(move);
    await Promise.all([kept, goOn()]);
  } else {
    [wrong, line] = [{move, hints: null}, null];
    show();
    await Promise.all([kept, look(position, wrong)]);
  }
}

// Searches the values of all moves, to show what a wrong move loses.
async function look(at, answer) {
  looking?.abort();
  const stop = looking = new AbortController(), begun = performance.now();
  let found = null;
  try {
    await server.look(textOf(at), stop.signal, ({hints}) => {
      found = hints;
      if (hints[0].exact || parseInt(hints[0].depth) >= LOOK_DEPTH || performance.now() - begun > LOOK_TIME) stop.abort();
    });
  } catch (error) { if (!stop.signal.aborted) throw error; }
  answer.hints = found;
  if (answer === wrong) show();
}

function hint() {
  wrong = "shown";
  const kept = keepAnswer(textOf(position), false);
  show();
  return kept;
}

// Puts a line on the board, after its first `made` moves.
function follow(moves, at) {
  line = lineOf(position, moves, at);
  show();
}
function go(at) {
  line.made = at;
  show();
}

const isHere = () => !line || line.made === 0;

// The right moves of the position. `ownLine` is the line of the openings that begins with the first of them.
const right = () => [...nextOf(position).keys()];
function ownLine() {
  const moves = [];
  for (let at = position; nextOf(at).size > 0;) {
    const [[move, next]] = nextOf(at);
    moves.push(move);
    at = next;
  }
  return moves;
}

function statusWords() {
  const name = made.findLast(one => one.name)?.name, opening = name ? t("Opening: {opening}.", {opening: name}) : "";
  if (days.size === 0) return [t("There is no line for {side} yet.", {side: sideName(side())}), ""];
  if (isOver && due() === 0) return [t("All moves are practised."), t("The first one returns in {n} day.|The first one returns in {n} days.", {n: Math.min(...days.values())})];
  if (isOver) return [t("The line is done."), opening];
  if (!isAsked) return [t("{side} to move.", {side: sideName(turnOf(position))}), opening];
  if (!wrong) return [t("What do you play here?"), opening];
  const own = right()[0];
  if (wrong === "shown") return [t("{move} is your move: play it.", {move: right().join(", ")}), opening];
  const first = t("{move} is not in your openings: play {own}.", {move: wrong.move, own: right().join(", ")});
  const [theirs, mine] = [wrong.move, own].map(move => wrong.hints?.find(one => one.move === move));
  if (!mine) return [first, t("Searching\u2026")];
  const lost = lossOf(mine.score, theirs.score), values = t("{score} instead of {own}, depth {depth}.", {score: signed(theirs.score), own: signed(mine.score), depth: depthOf(mine)});
  return [first, prose(lost > 0 ? t("{move} loses {lost}.", {move: wrong.move, lost: lossText(lost)}) : "", values)];
}

function showAnswer() {
  const theirs = wrong?.hints?.find(one => one.move === wrong.move);
  $("answer").hidden = !wrong;
  if (!wrong) return;
  const shown = [[t("Your openings"), ownLine()]];
  const mine = wrong.hints?.find(one => one.move === right()[0]), isAsGood = mine && lossOf(mine.score, theirs?.score) < HALF_A_DISC;
  if (theirs) shown.push([t(isAsGood ? "Your move" : "Refutation of your move"), theirs.line, signed(theirs.score)]);
  $("lines").replaceChildren(...shown.map(([name, moves, score]) => showChips(moves.slice(0, 10), {name, score, made: line?.moves.join() === moves.join() ? line.made : 0}, made => follow(moves, made))));
}

function show(isMove = false) {
  const shown = line ? line.positions[line.made] : position, marks = {};
  if (wrong && isHere()) marks.better = squareOf(right()[0]);
  if (wrong?.move && isHere()) Object.assign(marks, {played: squareOf(wrong.move), sign: "?"});
  drawBoard($("board"), shown, marks, isMove || line?.made > 0);
  labelSquares(buttons, shown, isAsked && isHere() ? movesOf(position) : [], new Map());
  announce($("status"), ...statusWords());
  showVerdict($("slot"), wrong?.move ? "warn" : "", "?");
  showAnswer();
  $("number").textContent = t("{n} move is due|{n} moves are due", {n: due()});
  $("line").replaceChildren(...made.map(({move, name}) => element("li", name ? `${move} ${name}` : move)));
  $("hint").disabled = !isAsked || Boolean(wrong);
  // The button leads on: to the next line, or once more through all of them.
  $("next").textContent = t(due() > 0 ? "Next line" : "All lines again");
  $("next").disabled = days.size === 0;
  $("next").classList.toggle("primary", isOver);
  showSteps(line);
}

// Shows the lines of the colour, each with the name of its last named opening and a button that removes it.
function showLines() {
  $("colour").value = colour;
  $("counts").textContent = series([t("{n} line|{n} lines", {n: lines.length}), t("{n} move to know|{n} moves to know", {n: days.size})]);
  $("own").replaceChildren(...lines.map(text => {
    const moves = movesIn(text), name = along(parse(START), moves).map(openingAt).findLast(Boolean);
    const drop = button("\u2715", trying(() => remove(text)), {class: "icon", title: t("Remove the line"), "aria-label": t("Remove the line")});
    return element("li", [name ? labelled(name, moves.join(" ")) : moves.join(" "), " ", drop], {class: "buttons"});
  }));
  $("save").disabled = lines.length === 0;
}
async function renew(all) {
  await use(all);
  showLines();
  trying(begin)();
}
// A removed line is kept beside the lines until it is put back or another line is removed.
async function remove(text) {
  await renew(await change(all => {
    all.lines[colour] = all.lines[colour].filter(own => own !== text);
    all.removed = {...all.removed, [colour]: text};
  }));
}
const putBack = async () => renew(await change(all => {
  addTo(all.lines[colour], movesIn(all.removed[colour]));
  delete all.removed[colour];
}));

async function next() {
  if (due() === 0) for (const key of days.keys()) days.set(key, 0);
  await begin();
}

// Saves the lines as the variations of a record, with the names of openings as comments.
function save() {
  const {root} = newTree();
  for (const text of lines) addLine(root, movesIn(text));
  const all = [root];
  for (const node of all) {
    node.comment = openingAt(node.position);
    all.push(...node.children);
  }
  download(`emilia-openings-${colour}`, "sgf", writeSgf({root}, {event: t("My openings")}, null), "application/x-go-sgf");
}
// Adds the variations of a record, or the games of a file of any format, to the lines.
async function load() {
  const [file] = $("load").files;
  $("load").value = "";
  if (!file) return;
  const text = await file.text(), {root} = newTree();
  if (text.trimStart().startsWith("(;")) addVariations({root}, text);
  else for (const {start, transcript} of (await server.files([file])).games) if (start === START) addLine(root, movesIn(transcript));
  const ends = [], open = [{node: root, moves: []}];
  for (const {node, moves} of open) {
    if (node.children.length === 0) ends.push(moves);
    for (const child of node.children) open.push({node: child, moves: [...moves, child.move]});
  }
  if (ends.length > MOST_LINES) throw new Error(t("The file has {n} lines: at most {most} are read.", {n: ends.length, most: MOST_LINES}));
  await renew(await change(all => { for (const moves of ends) addTo(all.lines[colour], moves); }));
  notify(t("{n} line was read.|{n} lines were read.", {n: ends.length}), t("Close"));
}

onButtons(() => line, go, {hint: trying(async () => hint()), next: trying(next), save, "put-back": trying(putBack)}, {h: "hint", n: "next"});
$("load").addEventListener("change", trying(load));
$("colour").addEventListener("change", trying(async () => {
  colour = $("colour").value;
  writeSettings({drill: colour});
  await renew(await read());
}));
server.holdTab();
trying(async () => {
  for (const [moves, name] of await server.namedOpenings()) names.set(textOf(along(parse(START), movesIn(moves)).at(-1)), name);
  await renew(await read());
})();
