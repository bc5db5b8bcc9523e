// Games that are loaded, from files, texts, links and the list of My games.
import {START} from "./rules.js";
import {t} from "./words.js";
import {newTree, addLine, lineTo, textOf, transcriptOf} from "./tree.js";
import {state, update, tell, begin, unpackGame, areEngines, mainLine, PERSON} from "./state.js";
import {setClocks, stopClock, isTimed} from "./clocks.js";
import {keepLoaded, contentOf} from "./mine.js";
import * as server from "./server.js";

// Limit of the server for all files of a request, in bytes.
const MAX_BYTES = 16 << 20;

// Reads games from files or a text, and shows the first. Returns why it cannot be read, or null.
export async function loadText(text) {
  return opened(server.games(text), text);
}
export async function loadFiles(files) {
  const list = [...files];
  if (list.length === 0) return;
  if (list.reduce((sum, {size}) => sum + size, 0) > MAX_BYTES) return t("These files are too large: at most 16 MB are read at once.");
  const text = list.length === 1 && /\.sgf$/i.test(list[0].name) ? await list[0].text() : "";
  return opened(server.files(list), text, list.length === 1 ? list[0].name : "");
}
async function opened(reading, text, file = "") {
  try {
    const read = await reading;
    await openGames(read, file);
    const {tree} = state;
    // The engine reads the main line only.
    if (read.games.length === 1 && text.trimStart().startsWith("(;")) (await import("./sgf.js")).addVariations(tree, text);
    update();
    return null;
  } catch (error) { return error.message; }
}

// Shows the first of the games that were read, and a message about games that could not be read.
export async function openGames({games, bad = 0, why = "", warning = "", left_out: leftOut = 0}, file = "") {
  const all = await keepLoaded(games, file);
  await openGame(all[0]);
  state.tab = games.length > 1 ? "games" : "moves";
  if (/^#\d+$/.test(games[0].black)) state.message = t("Players are numbers: to see their names, open WTHOR.JOU and WTHOR.TRN together with this file.");
  if (warning) state.message = warning;
  if (bad > 0) state.message = t("{bad} of {n} game could not be read: {why}|{bad} of {n} games could not be read: {why}", {bad, n: bad + games.length, why});
  if (leftOut > 0) state.message = t("The first {n} of {all} games are here.", {n: games.length, all: games.length + leftOut});
}

// Puts one of My games on the board: the last game requested, if several are being fetched. A game with a clock waits
// until the person continues it.
let asked = null;
export async function openGame(game) {
  asked = game;
  try {
    const content = await contentOf(game);
    if (asked !== game) return;
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

// Opens the game of a link, whose hash has moves, start position, players, and the position shown when it was copied.
// If a part is not readable, says so and shows the game up to there. Returns whether there is a link.
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
