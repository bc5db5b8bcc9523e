// Elements by name, keys, the clipboard, and files to save.
import {t} from "./words.js";

/** @type {(id: string) => any} */
export const $ = id => document.getElementById(id);

/** @type {(tag: string, text: any, attributes?: Record<string, any>) => any} */
export const element = (tag, text, attributes = {}) => {
  const made = document.createElement(tag);
  made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
};
export const disc = side => element("span", "", {class: `disc ${side}`, "aria-hidden": "true"});

// Shows a text that a screen reader announces, unless it is there already.
export function announce(host, first, rest = "") {
  if (host.textContent === `${first} ${rest}`) return;
  host.replaceChildren(element("strong", first), ` ${rest}`);
}

// Calls the action of each key that is pressed. Keys with Ctrl, Alt or Meta, those of fields, and those of an
// open dialog keep the meaning that the browser gives them.
export function onKeys(actions) {
  document.addEventListener("keydown", event => {
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    const isTyping = event.target instanceof Element && event.target.closest("input, select, textarea, dialog");
    if (!action || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (action(event) !== false) event.preventDefault();
  });
}

// The settings of the user: a cookie, because storage belongs to one port only. Those that cannot be read are
// the default ones.
export function readSettings() {
  const [, text] = /(?:^|; )emilia=([^;]*)/.exec(document.cookie) ?? [];
  try { return JSON.parse(decodeURIComponent(text ?? "{}")); }
  catch { return {}; }
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
