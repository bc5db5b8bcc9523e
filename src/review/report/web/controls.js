// Elements by name, keys, the clipboard, and files to save.
import {t, language, tagOf, useLanguage, addWords, translate, LANGUAGES} from "./words.js";

/** @type {(id: string) => any} */
export const $ = id => document.getElementById(id);

// Makes an element with a text, or a list of elements and texts. Attributes that are null and parts without content are left out.
/** @type {(tag: string, content: any, attributes?: Record<string, any>) => any} */
export const element = (tag, content, attributes = {}) => {
  const made = document.createElement(tag);
  made.append(...[content].flat().filter(part => part || part === 0));
  for (const [name, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(name, value);
  return made;
};
// Makes a button that calls `act` when it is clicked.
export function button(content, act, attributes = {}) {
  const made = element("button", content, attributes);
  made.addEventListener("click", act);
  return made;
}
export const disc = side => element("span", "", {class: `disc ${side}`, "aria-hidden": "true"});

// Returns a sentence as a heading, without its full stop.
export const headingOf = text => text.replace(/[.\u3002]$/, "");

// Shows a text that a screen reader announces, unless it is there already. `more` is only read aloud.
export function announce(host, first, rest = "", more = "") {
  const heading = headingOf(first);
  if (host.textContent === `${heading} ${rest} ${more}`) return;
  host.replaceChildren(element("strong", heading), element("span", ` ${rest} `), element("span", more, {class: "hide"}));
}
// Gives the card of a verdict its background and its badge. `kind` is "good", "warn", "bad" or "odd", or "" without a
// verdict.
export function showVerdict(card, kind, sign = "") {
  for (const one of ["good", "warn", "bad", "odd"]) card.classList.toggle(one, one === kind);
  card.querySelector(".badge").replaceChildren(...kind === "good" ? [icon("tick")] : kind ? [sign] : []);
}
// An icon of the page, by its name.
export function icon(name) {
  const host = element("span", "");
  host.innerHTML = `<svg class="i" viewBox="0 0 24 24" aria-hidden="true"><use href="#i-${name}"/></svg>`;
  return host.firstChild;
}
// Fills a group of choices: [value, elements or texts] of each. `kind` is the class of all.
export function fillChoices(host, name, choices, chosen, kind = "") {
  host.replaceChildren(...choices.map(([value, ...parts]) => {
    const field = element("input", "", {type: "radio", name, value});
    field.checked = value === chosen;
    return element("label", [field, ...parts], {class: kind});
  }));
}

// Whether the pointer was used after the last Tab. Arrow keys then do not belong to the tab or the choice that was
// clicked.
export let isPointed = false;
document.addEventListener("pointerdown", () => { isPointed = true; }, true);
document.addEventListener("keydown", ({key}) => { if (key === "Tab") isPointed = false; }, true);
const isLeft = ({key, target}) => isPointed && target.matches("select") && /^Arrow(Left|Right)$/.test(key);

// Calls the action of each key that is pressed. Keys with Ctrl, Alt or Meta, keys in fields, and keys of an
// open dialog keep the meaning that the browser gives them.
export function onKeys(actions) {
  document.addEventListener("keydown", event => {
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    const isTyping = event.target instanceof Element && event.target.closest("input, select, textarea, [contenteditable]");
    if (!action || (isTyping && !isLeft(event)) || document.querySelector("dialog[open]") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (action(event) !== false) event.preventDefault();
  });
}

// Reads the settings of the user from a cookie, because storage belongs to one port only. Settings that cannot be read
// have their defaults. `cookie` is the name of the cookie.
export function readSettings(cookie = "emilia") {
  const text = document.cookie.split("; ").find(one => one.startsWith(`${cookie}=`))?.slice(cookie.length + 1);
  try { return JSON.parse(decodeURIComponent(text ?? "{}")); }
  catch { return {}; }
}
// Applies the look of the page: theme, colour of the board, dots on legal moves, speed of the discs, and how the board
// is turned.
export function wear({theme = "auto", board = "green", dots = "on", speed = "1", turn = "0", sound = "off"}) {
  Object.assign(document.documentElement.dataset, {theme, board, dots, speed, turn, sound});
}
wear(readSettings());
const TURNS = {90: (file, rank) => [7 - rank, file], 180: (file, rank) => [7 - file, 7 - rank], 270: (file, rank) => [rank, 7 - file], mirror: (file, rank) => [7 - file, rank]};
const turned = TURNS[document.documentElement.dataset.turn];
// Squares of a board that is turned for the viewer. PLACES[square] is the place where the square is drawn, numbered as
// the squares of an unturned board. SQUARES[place] is the square that is drawn at a place.
export const PLACES = Array.from({length: 64}, (_, square) => {
  const [file, rank] = turned?.(square % 8, square >> 3) ?? [square % 8, square >> 3];
  return file + 8 * rank;
});
export const SQUARES = PLACES.map((_, place) => PLACES.indexOf(place));
export function writeSettings(changes, cookie = "emilia") {
  const settings = {...readSettings(cookie), ...changes};
  document.cookie = `${cookie}=${encodeURIComponent(JSON.stringify(settings))}; path=/; max-age=31536000; samesite=strict`;
}

// Turns the board by half.
export function flip() {
  writeSettings({turn: readSettings().turn === "180" ? "0" : "180"});
  location.reload();
}

// Prepares a page: loads its words, with the words of these parts of the tables, and fills the choice of the language.
export async function openPage(...parts) {
  await useLanguage(readSettings().language);
  for (const part of parts) await addWords(part);
  translate(document.body);
  showLanguages();
}
// Fills the choice of the language. Another choice reloads the page.
function showLanguages() {
  const list = $("language");
  const isNarrow = matchMedia("(max-width:48rem)").matches;
  list.replaceChildren(...Object.entries(LANGUAGES).map(([code, name]) => element("option", isNarrow ? code.toUpperCase() : name, {value: code, lang: tagOf(code)})));
  list.value = language;
  list.addEventListener("change", () => { writeSettings({language: list.value}); location.reload(); });
}

// Shows a sentence over the page, and a button that ends it.
export function notify(text, label, act = () => {}) {
  document.querySelector(".news[role=alert]")?.remove();
  const news = element("p", [`${text} `, button(label, () => { news.remove(); act(); })], {class: "news", role: "alert"});
  document.body.append(news);
}

// Copies a text to the clipboard. Without permission the text is selected and copied by a command.
export async function copy(text, told = $("copied")) {
  try { await navigator.clipboard.writeText(text); }
  catch {
    const area = element("textarea", text);
    (document.querySelector("dialog[open]") ?? document.body).append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  told.textContent = t("Copied");
  setTimeout(() => { told.textContent = ""; }, 1500);
}

// Saves a file in the folder for downloads. Its name gets the date.
export function download(name, ending, content, type) {
  const day = new Date().toISOString().slice(0, 10), href = URL.createObjectURL(new Blob([content], {type}));
  element("a", "", {download: `${name}-${day}.${ending}`, href}).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
