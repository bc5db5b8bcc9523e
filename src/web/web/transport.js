// Sends the requests of `server` to the server of this page. Addresses are relative to the page's address, which holds
// the token.

import {t} from "./words.js";
import {notify} from "./controls.js";

// Awaits a part of an answer, and names the cause if the server does not answer.
async function connected(part, signal) {
  try { return await part; }
  catch (error) {
    if (signal?.aborted) throw error;
    throw new Error(t("No connection: is emilia still running?"));
  }
}

// Name under which the browser stores the path of the page. After a restart of the program, older tabs find the new
// path there.
const PATH = "emilia path", path = new URL(".", location.href).pathname;

// Throws the sentence with which a request was refused. After a restart the program has another token: offers to go to
// its new address.
async function refuse(response) {
  if (response.status !== 403) throw new Error(await response.text());
  const next = localStorage.getItem(PATH) ?? path, isKnown = /^\/\w+\/$/.test(next) && next !== path;
  if (isKnown) notify(t("Emilia was started again and has a new address."), t("Go on there"), () => location.replace(next));
  else notify(t("Emilia was started again: open the address that it printed."), t("Close"));
  throw new Error("");
}

// Requests that are sent even if the page ends, and the size in bytes up to which browsers allow it.
const LAST = ["put", "delete"], MOST = 60_000;

// Sends a request. Returns the response.
async function post(what, fields, signal) {
  const text = JSON.stringify(fields), keepalive = LAST.includes(what) && text.length < MOST;
  const response = await connected(fetch(what, {method: "POST", body: fields instanceof Blob ? fields : text, signal, keepalive}), signal);
  return response.ok ? response : refuse(response);
}
export const ask = async (what, fields) => (await post(what, fields)).json();
export const text = async (what, fields) => (await post(what, fields)).text();
// The server decodes files.
export const decoded = file => file;

// Calls `event` with each object that a search sends. Ends the search if `signal` is aborted.
export async function listen(what, fields, signal, event) {
  const response = await post(what, fields, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const {done, value} = await connected(reader.read(), signal);
    if (done) return;
    const events = (text + value).split("\n\n");
    text = events.pop();
    for (const one of events) event(JSON.parse(one.slice("data: ".length)));
  }
}

// The games of the command line, and the levels of the engine.
export async function start() {
  const response = await connected(fetch("start"));
  if (!response.ok) await refuse(response).catch(() => {});
  else localStorage.setItem(PATH, path);
  return response.ok ? response.json() : {games: [], people: [], levels: 0, depth: 12};
}

// The server counts the browsers that hold this request open. A browser opens at most six connections to a server, so
// only one of its tabs holds the request. When that tab is closed, another tab holds it.
export function holdTab() {
  const hold = async () => (await fetch("tab")).body.pipeTo(new WritableStream());
  const name = `emilia ${new URL(".", location.href).pathname}`;
  const held = navigator.locks ? navigator.locks.request(name, hold) : hold();
  held.catch(() => {});
}
