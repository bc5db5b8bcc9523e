// Games that are loaded, from files, texts and links, and the list of My games.
import {BLACK, EMPTY, START, sideName} from "./rules.js";
import {t, wholeSigned} from "./words.js";
import {$, element} from "./controls.js";
import {makeList} from "./list.js";
import {newTree, addLine, lineTo, textOf, transcriptOf} from "./tree.js";
import {state, update, tell, begin, unpackGame, areEngines, mainLine, PERSON} from "./state.js";
import {setClocks, stopClock, isTimed} from "./clocks.js";
import {shownName} from "./players.js";
import {keepLoaded, contentOf, needGames, rename, drop, isDropped} from "./mine.js";
import * as server from "./server.js";

// Limit of the server for all files of a request, in bytes, and the number of rows that are drawn at once.
const MAX_BYTES = 16 << 20, ROWS = 200;

// Reads games from files or a text. Shows the first.
export async function loadText(text) {
  await opened(server.games(text), text);
}
export async function loadFiles(files) {
  const list = [...files];
  if (list.length === 0) return;
  if (list.reduce((sum, {size}) => sum + size, 0) > MAX_BYTES) return tell(t("These files are too large: at most 16 MB are read at once."));
  const text = list.length === 1 && /\.sgf$/i.test(list[0].name) ? await list[0].text() : "";
  await opened(server.files(list), text, list.length === 1 ? list[0].name : "");
}
async function opened(reading, text, file = "") {
  try {
    const read = await reading;
    await openGames(read, file);
    // The engine reads the main line.
    if (read.games.length === 1 && text.trimStart().startsWith("(;")) (await import("./sgf.js")).addVariations(state.tree, text);
    update();
  } catch (error) { tell(error.message); }
}

// Shows the first of the games that were read, and a message about those that are missing.
export async function openGames({games, bad = 0, why = "", warning = "", left_out: leftOut = 0}, file = "") {
  const all = await keepLoaded(games, file);
  await openGame(all[0]);
  state.tab = games.length > 1 ? "games" : "moves";
  if (/^#\d+$/.test(games[0].black)) state.message = t("Players are numbers: to see their names, open WTHOR.JOU and WTHOR.TRN together with this file.");
  if (warning) state.message = warning;
  if (bad > 0) state.message = t("{bad} of {n} game could not be read: {why}|{bad} of {n} games could not be read: {why}", {bad, n: bad + games.length, why});
  if (leftOut > 0) state.message = t("The first {n} of {all} games are here.", {n: games.length, all: games.length + leftOut});
}

// Puts one of My games on the board. A game with a clock goes on when the person says so.
async function openGame(game) {
  try {
    const content = await contentOf(game);
    state.analysing?.abort();
    stopClock();
    begin(game.start);
    setClocks(state.tree.root, 0);
    Object.assign(state, {isPlaying: false, players: {black: PERSON, white: PERSON}});
    if (content) unpackGame(JSON.parse(content));
    else addLine(state.tree.root, game.transcript.match(/[a-h][1-8]/g) ?? []);
    for (const tag of Object.keys(state.names)) state.names[tag] = game[tag] ?? state.names[tag];
    if (game.id) state.own = {id: game.id, revision: game.revision};
    if (state.isPlaying) {
      state.tree.now = state.tree.live;
      state.isPaused = isTimed() || areEngines();
    }
    update();
  } catch (error) { tell(error.message); }
}

const WINS = {[BLACK]: "1\u20130", [EMPTY]: "\u00bd\u2013\u00bd", [-BLACK]: "0\u20131"};
const resultOf = ({result, ended}) => WINS[ended?.winner] ?? (typeof result === "number" ? wholeSigned(result) : "");

// A row of the list: its texts, and its element when it is shown.
export const textsOf = game => [shownName(game.black) || sideName(BLACK), shownName(game.white) || sideName(-BLACK), resultOf(game), game.date, game.event || game.file || "", t(game.opening ?? "")];
function rowOf(game) {
  const texts = textsOf(game);
  let made = null;
  return {game, texts, get row() { return made ??= makeRow(texts, game); }};
}
function makeRow(texts, game) {
  const row = element("tr", "", {"data-game": game.id}), open = element("button", texts[0], {class: "line"}), tools = element("td", "");
  row.append(...texts.map((text, column) => element("td", column === 0 ? "" : text, column === 2 ? {class: "number"} : {})), tools);
  row.cells[0].append(open);
  row.addEventListener("click", async ({target}) => {
    if (target !== open && target.closest("button, input")) return;
    await openGame(game);
    open.focus();
  });
  const tool = (sign, name, act) => {
    const button = element("button", sign, {class: "icon", title: name, "aria-label": name});
    button.addEventListener("click", act);
    tools.append(button);
  };
  tool("\u270e", t("Rename"), () => {
    const field = element("input", "", {"aria-label": t("Name of the game"), maxlength: 200});
    field.value = game.event ?? "";
    row.cells[4].replaceChildren(field);
    field.addEventListener("change", () => rename(game, field.value.trim()));
    field.addEventListener("blur", () => { row.cells[4].textContent = texts[4]; });
    field.select();
  });
  tool("\u2715", t("Delete"), () => drop([game]));
  return row;
}

function foundWords(left, all) {
  $("found").textContent = left === all ? t("{n} game|{n} games", {n: all}) : t("{left} of {all}", {left, all});
}
let list = null, listed = null;
export function showGames() {
  if (state.tab !== "games") return;
  needGames();
  if (!state.games) return;
  list ??= makeList($("list"), $("search"), foundWords, markGame, ROWS);
  if (listed !== state.games) {
    listed = state.games;
    list.use(listed.map(rowOf));
    const names = [...new Set(listed.flatMap(({black, white}) => [black, white]))].filter(Boolean).sort();
    $("player").replaceChildren(...["", ...names].map(name => element("option", shownName(name) || t("a player\u2026"), {value: name})));
  }
  const count = isDropped();
  $("dropped").hidden = count === 0;
  $("dropped-words").textContent = t("{n} game deleted.|{n} games deleted.", {n: count});
  markGame();
}
function markGame() {
  const body = $("list").tBodies[0];
  body.querySelector("[aria-current]")?.removeAttribute("aria-current");
  if (state.own) body.querySelector(`[data-game="${state.own.id}"]`)?.setAttribute("aria-current", "true");
}

// The games that the search leaves.
export const found = () => list.left.map(({game}) => game);

// Opens the game of a link: its moves after the hash, from a position if there is one, with its players, where it was
// copied. What cannot be read is said, and the end of what can is shown. Returns whether there is a link.
export async function openLink() {
  const link = new URLSearchParams(location.hash.slice(1)), moves = link.get("moves"), start = link.get("start") ?? START;
  if (moves === null) return false;
  history.replaceState(null, "", location.pathname);
  const isStart = /^[-XO]{64} [XO]$/.test(start), {root} = newTree(isStart ? start : START);
  const words = (moves.toLowerCase().match(/pass|\S\S?/g) ?? []).filter(word => word !== "pass"), bad = words.findIndex(word => !/^[a-h][1-8]$/.test(word));
  const end = isStart ? addLine(root, words.slice(0, bad < 0 ? words.length : bad)) : root, wrong = isStart ? words[end.ply] : start;
  const game = {start: textOf(root.position), transcript: transcriptOf(lineTo(end)), black: link.get("black") ?? "", white: link.get("white") ?? ""};
  await openGames({games: [game]});
  const at = wrong === undefined ? Number(link.get("at")) : end.ply;
  state.tree.now = mainLine()[at] ?? state.tree.root;
  if (wrong !== undefined) state.message = t("The link was read to move {n}: \u201c{text}\u201d is not a legal move or a position.", {n: end.ply, text: wrong.slice(0, 70)});
  update();
  return true;
}
