// The engine behind the page: the only module that sends requests. Addresses are relative to that of the page,
// which holds the token. Another module with the same functions can take its place.

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
const ask = async (what, fields, signal) => (await post(what, fields, signal)).json();

// Calls `event` with each object that a search sends. Ends the search if `signal` is aborted.
async function listen(what, fields, signal, event) {
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
// Reads games from a text or a file, or from several files that belong together.
export const games = text => ask("games", new Blob([text]));
export const files = list => {
  if (list.length === 1) return games(list[0]);
  const head = JSON.stringify(list.map(({name, size}) => ({name, size}))) + "\n";
  return ask("files", new Blob([head, ...list]));
};
// A drawn opening of XOT, as a transcript.
export const opening = seed => ask("opening", {seed});
// The opening book and the loaded games at a position.
export const explore = (position, games) => ask("explore", {position, games});
// Searches: the move to play, the values of all moves, and the analysis of a game.
export const move = (fields, signal, event) => listen("move", fields, signal, event);
export const look = (position, signal, event) => listen("look", {position}, signal, event);
export const analyze = (game, depth, signal, event) => listen("analyze", {game, depth}, signal, event);
// The text of a file with a game, or with the page of its analysis.
export const save = async fields => (await post("save", fields)).text();
// Exercises: those that are due, the values of one, an answer, and new ones from a game or a player.
export const exercises = () => ask("exercises", {});
export const key = (id, signal, event) => listen("key", {id}, signal, event);
export const answer = (id, move, hinted) => ask("answer", {id, move, hinted});
export const practise = (game, analysis, side) => ask("practise", {game, analysis, side});
export const collect = (games, player, signal, event) => listen("collect", {games, player}, signal, event);

// The server counts the browsers that hold this request open. A browser opens six connections to a
// server, so that only one of its tabs holds the request, and the next when that is closed.
export function holdTab() {
  const hold = async () => (await fetch("tab")).body.pipeTo(new WritableStream());
  const name = `emilia ${new URL(".", location.href).pathname}`;
  const held = navigator.locks ? navigator.locks.request(name, hold) : hold();
  held.catch(() => {});
}
