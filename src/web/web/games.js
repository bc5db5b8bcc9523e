// Games that are loaded, from files, texts and links, and their list.
import {BLACK, START, sideName} from "./rules.js";
import {t, number, wholeSigned} from "./words.js";
import {$, element} from "./controls.js";
import {makeList} from "./list.js";
import {addLine} from "./tree.js";
import {state, update, tell, begin, PERSON} from "./state.js";
import {setClocks, stopClock} from "./clocks.js";
import {addVariations} from "./sgf.js";
import * as server from "./server.js";

// Reads games from files or a text. Shows the first.
export async function loadText(text) {
  await opened(server.games(text), text);
}
export async function loadFiles(files) {
  const list = [...files];
  if (list.length === 0) return;
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

// Shows the first of the games that were read, and a message about those that are missing.
export function openGames({games, bad, why, warning, left_out: leftOut}) {
  state.games = games;
  openGame(0);
  state.tab = games.length > 1 ? "game" : "moves";
  if (warning) state.message = warning;
  if (bad > 0) state.message = t("{bad} of {n} game could not be read: {why}|{bad} of {n} games could not be read: {why}", {bad, n: bad + games.length, why});
  if (leftOut > 0) state.message = t("The first {n} games are here; {more} more are left out.", {n: games.length, more: leftOut});
}

function openGame(index) {
  const game = state.games[index];
  state.analysing?.abort();
  stopClock();
  begin(game.start);
  setClocks(state.tree.root, 0);
  const {tree} = state;
  addLine(tree.root, game.transcript.match(/[a-h][1-8]/g) ?? []);
  for (const tag of Object.keys(state.names)) state.names[tag] = game[tag] ?? "";
  Object.assign(state, {isPlaying: false, game: index, players: {black: PERSON, white: PERSON}});
  update();
}

const resultOf = game => game.result === null || game.result === undefined ? "" : wholeSigned(game.result);
let list = null, listed = null;
export function showGames() {
  const {games, game} = state;
  $("collection").hidden = games.length < 2;
  if (games.length < 2) { listed = games; return; }
  list ??= makeList($("list"), $("search"), (left, all) => { $("found").textContent = t("{left} of {all}", {left, all}); });
  const body = $("list").tBodies[0];
  if (listed !== games) {
    listed = games;
    body.replaceChildren(...games.map((one, index) => {
      const row = element("tr", "", {"data-game": index});
      const open = element("button", one.black || sideName(BLACK), {class: "line"}), cell = element("td", "");
      cell.append(open);
      row.append(element("td", number(index + 1), {class: "number"}), cell, element("td", one.white || sideName(-BLACK)), element("td", resultOf(one), {class: "number"}),
        ...[one.date, one.event, one.opening ?? ""].map(text => element("td", text)));
      row.addEventListener("click", () => { openGame(index); open.focus(); });
      return row;
    }));
    list.read();
    const names = [...new Set(games.flatMap(({black, white}) => [black, white]))].filter(Boolean).sort();
    $("player").replaceChildren(...["", ...names].map(name => element("option", name || "\u2026", {value: name})));
  }
  body.querySelector("[aria-current]")?.removeAttribute("aria-current");
  body.querySelector(`[data-game="${game}"]`)?.setAttribute("aria-current", "true");
}

// Opens the game of a link: its moves after the hash, from a position if there is one. Returns whether there is one.
export function openLink() {
  const link = new URLSearchParams(location.hash.slice(1)), moves = link.get("moves"), start = link.get("start") ?? START;
  if (moves === null) return false;
  history.replaceState(null, "", location.pathname);
  openGames({games: [{start, transcript: moves}], bad: 0, why: null, warning: null, left_out: 0});
  return true;
}
