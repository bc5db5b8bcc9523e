// The list of My games: its rows, search and filter, and actions on all games found. Loaded when it is opened.
import {BLACK} from "./rules.js";
import {t, number, language} from "./words.js";
import {$, element, button, icon, fillChoices} from "./controls.js";
import {makeList} from "./list.js";
import {state, page, settings, update} from "./state.js";
import {shownName, partsOf} from "./players.js";
import {needGames, rename, countDropped} from "./mine.js";
import {collect} from "./review.js";
import {openGame} from "./games.js";

// Number of rows that are drawn at once, and the space for the menu of a game, in pixels.
const ROWS = 200, MENU = 140;

// The result: numbers of discs, where the winner gets the empty squares, or why the game ended before.
const resultOf = ({result, ended}) => ended ? t(ended.why) : typeof result === "number" ? `${32 + result / 2}\u2013${32 - result / 2}` : t("unfinished");
const winnerOf = ({result, ended}) => ended?.winner ?? Math.sign(result ?? 0) * BLACK;

// A date of a record, as 2026-11-27, in the short form of the language. A year stays as it is.
const dateText = date => /^\d{4}.\d\d.\d\d/.test(date) ? new Date(date.replaceAll(".", "-")).toLocaleDateString(language, {day: "2-digit", month: "2-digit", year: "2-digit", timeZone: "UTC"}) : date;

// A row of the list: its texts, and its element when it is shown.
export const textsOf = game => [shownName(game.black, game.white, BLACK), resultOf(game), shownName(game.white, game.black, -BLACK), t(game.opening ?? ""), game.event || game.file || "", game.date];
function rowOf(game) {
  const texts = textsOf(game);
  let made = null;
  return {game, texts, get row() { return made ??= makeRow(texts, game); }};
}
function makeRow(texts, game) {
  const row = element("tr", "", {"data-game": game.id}), open = element("button", "", {class: "line"}), winner = winnerOf(game);
  row.append(...texts.map((text, column) => element("td", [0, 2].includes(column) ? "" : column === 5 ? dateText(text) : text, {title: text, class: column === 5 ? "acts" : column === 1 && /\D{3}/.test(text) ? "soft" : ""})));
  for (const [cell, host, name, color] of [[row.cells[0], open, game.black, BLACK], [row.cells[2], row.cells[2], game.white, -BLACK]]) {
    const [own, level] = partsOf(name);
    if (winner === color) cell.classList.add("winner");
    if (level) host.innerHTML = '<svg class="em" viewBox="0 0 44 44" aria-hidden="true"><use href="#mark"/></svg><span class="hide">Emilia, </span>';
    host.append(level || own || shownName("", color === BLACK ? game.white : game.black, color));
  }
  row.cells[0].append(open);
  row.addEventListener("click", async ({target}) => {
    if (!open.contains(target) && target.closest("button, input")) return;
    await openGame(game);
    open.focus();
  });
  row.cells[5].append(button(icon("more"), () => openActs(row, game), {class: "icon", title: t("Rename, delete"), "aria-label": t("Rename, delete")}));
  return row;
}

// Opens the menu of a game below its row.
let acted = null;
function openActs(row, game) {
  acted = {row, game};
  $("one-game").style.top = `${Math.min(row.getBoundingClientRect().bottom, innerHeight - MENU)}px`;
  $("one-game").showPopover();
}
export const dropActed = () => page.drop([acted.game]);
// The field for the name covers White's cell, which is visible at every width.
export function renameActed() {
  const {row, game} = acted, field = element("input", "", {"aria-label": t("Name of the game"), maxlength: 200}), [, , cell] = row.cells, old = [...cell.childNodes];
  field.value = game.event ?? "";
  cell.replaceChildren(field);
  field.addEventListener("change", () => rename(game, field.value.trim()));
  field.addEventListener("blur", () => cell.replaceChildren(...old));
  field.select();
}

// Kinds of games: all, games of the person, games without an analysis, and games of an event or a file. The list leaves
// out games of one move.
const isMine = ({black, white}) => [black, white].includes(settings.name) || [[black, white], [white, black]].some(([own, other]) => !own && /^Emilia\b/.test(other));
const KINDS = {all: () => true, mine: isMine, open: game => !game.analysed, events: game => Boolean(game.event || game.file)};
let kind = "all";
const isShown = game => game.transcript.length > 2 && KINDS[kind](game);
function fillFilter() {
  fillChoices($("filter"), "filter", [["all", t("All")], ["mine", t("Mine")], ["open", t("To analyse")], ["events", t("Tournaments")]], kind);
  $("filter").addEventListener("change", ({target}) => { kind = target.value; listed = null; update(); });
}

// Practises the mistakes of the person in the listed games. The first click asks, the second starts, and a click during
// the analysis stops it.
let asks = false;
export function practiseMine() {
  const games = found().filter(isMine), player = settings.name || games.flatMap(({black, white}) => /^Emilia\b/.test(black) ? white : black)[0] || "";
  if (!asks && games.length > 1 && !$("collected").textContent) {
    asks = true;
    $("collected").textContent = t("Analyse {n} game? Click again.|Analyse {n} games? Click again.", {n: games.length});
    return;
  }
  asks = false;
  collect(player, games);
}

function foundWords(left, all) {
  $("found").textContent = left === all ? t("{n} game|{n} games", {n: all}) : t("{left} of {all}", {left, all});
}
let list = null, listed = null;
export function showGames() {
  needGames();
  if (!state.games) return;
  if (!list) fillFilter();
  list ??= makeList($("list"), $("search"), foundWords, markGame, ROWS);
  if (listed !== state.games) {
    listed = state.games;
    list.use(listed.filter(isShown).map(rowOf));
  }
  const mine = found().filter(isMine).length;
  $("practise-mine").disabled = mine === 0;
  $("practise-mine").querySelector(".n").textContent = mine > 0 ? number(mine) : "";
  $("undrop").hidden = countDropped() === 0;
  markGame();
}
function markGame() {
  const body = $("list").tBodies[0];
  body.querySelector("[aria-current]")?.removeAttribute("aria-current");
  if (state.own) body.querySelector(`[data-game="${state.own.id}"]`)?.setAttribute("aria-current", "true");
}

// The games that search and filter find.
const found = () => list.left.map(({game}) => game);
export const dropFound = () => page.drop(found());
export const saveFound = async format => (await import("./share.js")).saveGames(found(), format);
