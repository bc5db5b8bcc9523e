// Sends the requests of `server` to the server of this page. Addresses are relative to the page's address, which holds
// the token.

import {t} from "./words.js";

// Awaits a part of an answer, and names the cause if the server does not answer.
async function connected(part, signal) {
  try { return await part; }
  catch (error) {
    if (signal?.aborted) throw error;
    throw new Error(t("No connection: is emilia still running?"));
  }
}

// Sends a request. Returns the response, or throws the sentence with which it was refused.
async function post(what, fields, signal) {
  const body = fields instanceof Blob ? fields : JSON.stringify(fields);
  const response = await connected(fetch(what, {method: "POST", body, signal}), signal);
  if (!response.ok) throw new Error(await response.text());
  return response;
}
export const ask = async (what, fields) => (await post(what, fields)).json();
export const text = async (what, fields) => (await post(what, fields)).text();

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

// The games of the command line, and what the engine can do.
export const start = async () => (await connected(fetch("start"))).json();

// The server counts the browsers that hold this request open. A browser opens six connections to a
// server, so that only one of its tabs holds the request, and the next when that is closed.
export function holdTab() {
  const hold = async () => (await fetch("tab")).body.pipeTo(new WritableStream());
  const name = `emilia ${new URL(".", location.href).pathname}`;
  const held = navigator.locks ? navigator.locks.request(name, hold) : hold();
  held.catch(() => {});
}
