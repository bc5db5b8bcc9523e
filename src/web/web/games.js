// Games that are loaded, from files, texts and links, and their list.
import {BLACK, START, sideName} from "./rules.js";
import {t, wholeSigned} from "./words.js";
import {$, element} from "./controls.js";
import {makeList} from "./list.js";
import {addLine, nextOf} from "./tree.js";
import {state, snapshot, update, tell, begin, PERSON} from "./state.js";
import {setClocks, stopClock} from "./clocks.js";
import {addVariations} from "./sgf.js";
import * as server from "./server.js";

// Limit of the server for all files of a request, in bytes, and the number of rows that are listed.
const MAX_BYTES = 16 << 20, MAX_ROWS = 500;

// Reads games from files or a text. Shows the first.
export async function loadText(text) {
  await opened(server.games(text), text);
}
export async function loadFiles(files) {
  const list = [...files];
  if (list.length === 0) return;
  if (list.reduce((sum, {size}) => sum + size, 0) > MAX_BYTES) return tell(t("These files are too large: at most 16 MB are read at once."));
  const text = list.length === 1 && /\.sgf$/i.test(list[0].name) ? await list[0].text() : "";
  await opened(server.files(list), text);
}
async function opened(reading, text) {
  try {
    openGames(await reading);
    // The engine reads the main line.
    if (state.games.length === 1 && text.trimStart().startsWith("(;")) addVariations(state.tree, text);
    update();
  } catch (error) { tell(error.message); }
}

// What a loaded game replaces: the game on the board, unless that was loaded too and an own one is kept.
const isOwn = shown => shown.games.length === 0;
function replaced() {
  stopClock();
  const isWorth = nextOf(state.tree.root) && (isOwn(state) || !state.kept || !isOwn(state.kept));
  return isWorth ? snapshot() : state.kept;
}
export function restoreKept() {
  state.analysing?.abort();
  Object.assign(state, state.kept, {kept: null, setup: null, asked: null, shown: null, hinted: null, ordered: null, explored: null});
  update();
}

// Shows the first of the games that were read, and a message about those that are missing.
export function openGames({games, bad, why, warning, left_out: leftOut}) {
  const kept = replaced();
  state.games = games;
  openGame(0);
  Object.assign(state, {kept, tab: games.length > 1 ? "games" : "moves"});
  if (/^#\d+$/.test(games[0].black)) state.message = t("Players are numbers: to see their names, open WTHOR.JOU and WTHOR.TRN together with this file.");
  if (warning) state.message = warning;
  if (bad > 0) state.message = t("{bad} of {n} game could not be read: {why}|{bad} of {n} games could not be read: {why}", {bad, n: bad + games.length, why});
  if (leftOut > 0) state.message = t("The first {n} of {all} games are here.", {n: games.length, all: games.length + leftOut});
}

// The trees of the loaded games that were shown, with their variations and analyses.
const trees = new WeakMap();

function openGame(index) {
  const {games, kept} = state, game = games[index];
  state.analysing?.abort();
  stopClock();
  begin(game.start);
  setClocks(state.tree.root, 0);
  if (trees.has(game)) state.tree = trees.get(game);
  else addLine(state.tree.root, game.transcript.match(/[a-h][1-8]/g) ?? []);
  for (const tag of Object.keys(state.names)) state.names[tag] = game[tag] ?? "";
  Object.assign(state, {kept, isPlaying: false, game: index, players: {black: PERSON, white: PERSON}});
  update();
}

const resultOf = game => game.result === null || game.result === undefined ? "" : wholeSigned(game.result);

// A row of the list: its texts, and its element when it is shown.
function rowOf(game, index) {
  const texts = [`${index + 1}`, game.black || sideName(BLACK), game.white || sideName(-BLACK), resultOf(game), game.date, game.event, t(game.opening ?? "")];
  let made = null;
  return {texts, get row() { return made ??= makeRow(texts, index); }};
}
function makeRow(texts, index) {
  const row = element("tr", "", {"data-game": index}), open = element("button", texts[1], {class: "line"});
  row.append(...texts.map((text, column) => element("td", column === 1 ? "" : text, [0, 3].includes(column) ? {class: "number"} : {})));
  row.cells[1].append(open);
  row.addEventListener("click", () => {
    trees.set(state.games[state.game], state.tree);
    openGame(index);
    open.focus();
  });
  return row;
}

function foundWords(left, all) {
  $("found").textContent = left === all ? t("{n} game|{n} games", {n: all}) : t("{left} of {all}", {left, all});
  $("listed").textContent = left > MAX_ROWS ? t("The first {n} are listed.", {n: MAX_ROWS}) : "";
}
let list = null, listed = null;
export function showGames() {
  const {games} = state;
  if (games.length < 2) { listed = games; return; }
  list ??= makeList($("list"), $("search"), foundWords, markGame, MAX_ROWS);
  if (listed !== games) {
    listed = games;
    list.use(games.map(rowOf));
    const names = [...new Set(games.flatMap(({black, white}) => [black, white]))].filter(Boolean).sort();
    $("player").replaceChildren(...["", ...names].map(name => element("option", name || t("a player\u2026"), {value: name})));
  }
  markGame();
}
function markGame() {
  const body = $("list").tBodies[0];
  body.querySelector("[aria-current]")?.removeAttribute("aria-current");
  body.querySelector(`[data-game="${state.game}"]`)?.setAttribute("aria-current", "true");
}

// Opens the game of a link: its moves after the hash, from a position if there is one. Returns whether there is one.
export function openLink() {
  const link = new URLSearchParams(location.hash.slice(1)), moves = link.get("moves"), start = link.get("start") ?? START;
  if (moves === null) return false;
  history.replaceState(null, "", location.pathname);
  openGames({games: [{start, transcript: moves}], bad: 0, why: null, warning: null, left_out: 0});
  return true;
}
