// Answers the requests of `server` by workers of this browser. One worker answers requests without a search. Two
// workers search, so that looking and playing do not wait for each other. If a search does not end when it is stopped,
// a new worker replaces its worker.
//
// The code of the engine, its opening book and its weights are fetched one after the other, so that the first move is
// possible soon. Until the weights are there, the engine plays with the evaluation `classic`, and analyses wait.

import {t} from "./words.js";
import {element, notify} from "./controls.js";

const SEARCHERS = 2;
// Wait before a search of all moves, in milliseconds, so that a held arrow key starts no searches.
const REST = 50;
// Wait for the end of a stopped search, in milliseconds: 0 without suspension of WebAssembly, where a search cannot be
// stopped (worker.js).
const PATIENCE = globalThis.WebAssembly && "Suspending" in WebAssembly ? 100 : 0;
// Written by site.rs: the answer to the request `start`, and names of files.
/** @type {any} */
const START = {};
const BOOK = "book.data", PACKED = "weights.data";
const CACHE = "emilia-weights";
// Time for which a notice without buttons stays, in milliseconds.
const NEWS = 6000;

const failed = () => new Error(t("No connection: load the page again."));
const unkept = () => new Error(t("This window keeps no games and no exercises: it is private, or its storage is full."));

// A module with one vector instruction.
const SIMD = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];
// Name of a feature that the browser lacks, or "".
const lacking = !globalThis.WebAssembly ? "WebAssembly" : !WebAssembly.validate(new Uint8Array(SIMD)) ? "SIMD of WebAssembly"
  : !globalThis.DecompressionStream ? "DecompressionStream" : "";
const unable = () => new Error(t("This browser lacks {what}: the engine cannot run. Chrome 103, Firefox 113, Safari 17 and later have it.", {what: lacking}));

// The files of this version are in the folder of this module, and book and weights in the folder above.
const besides = name => new URL(name, import.meta.url);
async function fetched(name) {
  const response = await fetch(besides(name)).catch(() => { throw failed(); });
  if (!response.ok) throw failed();
  return response;
}

// The compiled code, which all workers share.
const code = lacking ? new Promise(() => {}) : fetched("engine.bin").then(async ({body}) => {
  const bytes = body.pipeThrough(new DecompressionStream("deflate-raw"));
  return WebAssembly.compileStreaming(new Response(bytes, {headers: {"Content-Type": "application/wasm"}}));
});

// A worker with the compiled code, and with book and weights once they are loaded.
class Seat {
  #next = 0;
  #waiting = new Map();
  constructor() {
    this.worker = new Worker(besides("worker.js"));
    // Messages are handled in order: each waits until the exercises of the message before are kept.
    let last = Promise.resolve();
    this.worker.onmessage = ({data}) => { last = last.then(() => this.#waiting.get(data.id)?.(data)).catch(() => {}); };
    this.worker.onerror = () => this.#fail(failed().message);
    code.then(code => this.worker.postMessage({code}), error => this.#fail(error.message));
    this.has = new Set();
    this.isStopped = false;
  }
  #fail(text) { for (const hear of this.#waiting.values()) hear({kind: "broken", text}); }
  // Sends a message, and calls `event` with each event of its answer. Returns the last message.
  async send(message, event = _ => {}) {
    if (lacking) throw unable();
    await code;
    const id = ++this.#next;
    return new Promise((done, refuse) => {
      this.#waiting.set(id, async data => {
        if (data.kind === "event") return event(JSON.parse(data.text));
        if (data.kind === "practice") {
          // A stopped search has given up its lock, so another request may have changed the exercises.
          if (this.isStopped) return;
          try { return await keepPractice(data.text); }
          catch { data = {kind: "refused", text: unkept().message}; }
        }
        this.#waiting.delete(id);
        if (data.kind === "broken") this.isBroken = true;
        if (data.kind === "done" || data.kind === "weights") done(data);
        else refuse(new Error(data.text));
      });
      this.worker.postMessage({...message, id});
    });
  }
  end() { this.worker.terminate(); }
}

// Fetches the packed weights with progress.
async function packed(bar) {
  const {body, headers} = await fetched(`../${PACKED}`), parts = [];
  bar.max = Number(headers.get("Content-Length")) || 6e6;
  const reader = body.getReader();
  for (let got = 0; ;) {
    const {done, value} = await reader.read();
    if (done) return new Blob(parts).arrayBuffer();
    parts.push(value);
    bar.value = got += value.length;
  }
}

// The opening book.
const book = code.then(async () => (await fetched(`../${BOOK}`)).blob());

// The unpacked weights as a blob. They are cached for the next visit.
const weights = (async () => {
  // Without a cache the weights are unpacked at each visit.
  const cache = await (async () => caches.open(CACHE))().catch(() => null), kept = await cache?.match(PACKED);
  if (kept) return kept.blob();
  // The code comes first, because the first move needs nothing else.
  await code;
  const bar = element("progress", "", {"aria-label": t("Loading the engine")});
  const news = element("p", [t("Emilia is still loading, and plays more simply until then."), " ", bar], {id: "loading", class: "news", role: "status"});
  document.body.append(news);
  try {
    await book;
    const seat = new Seat(), all = await packed(bar);
    bar.removeAttribute("value");
    const {weights} = await seat.send({packed: all});
    seat.end();
    for (const old of await cache?.keys() ?? []) await cache.delete(old);
    const blob = new Blob([weights]);
    await cache?.put(PACKED, new Response(blob)).catch(() => {});
    news.textContent = t("Emilia has loaded, and plays at full strength from the next move on.");
    return blob;
  } finally {
    bar.remove();
    setTimeout(() => news.remove(), NEWS);
  }
})();
const arrived = {};
book.then(blob => { arrived.book = blob; }, () => {});
weights.then(blob => { arrived.weights = blob; }, () => {});

// Gives book and weights to a worker that lacks them.
async function ready(seat) {
  for (const [name, blob] of Object.entries(arrived)) {
    if (seat.has.has(name)) continue;
    seat.has.add(name);
    await seat.send({[name]: blob});
  }
}

// The database of the browser. `texts` has `practice`, the text of the exercises, and `visit`, what the last tab stored.
// `summaries` and `contents` have My games by identifier.
const GAMES = ["summaries", "contents"];
const database = new Promise((done, refuse) => {
  const opened = indexedDB.open("emilia", 2);
  opened.onupgradeneeded = () => {
    for (const name of ["texts", ...GAMES]) if (!opened.result.objectStoreNames.contains(name)) opened.result.createObjectStore(name);
  };
  opened.onsuccess = () => {
    opened.result.onversionchange = () => opened.result.close();
    done(opened.result);
  };
  opened.onerror = () => refuse(opened.error);
  // A tab with the previous version has the database open.
  opened.onblocked = () => refuse(opened.error);
});
database.catch(() => {});
async function stored(mode, act) {
  const transaction = (await database).transaction("texts", mode), request = act(transaction.objectStore("texts"));
  // The transaction is committed at once, because the page may end before an answer comes.
  transaction.commit();
  return new Promise((done, refuse) => {
    transaction.oncomplete = () => done(request.result);
    transaction.onabort = () => refuse(transaction.error);
  });
}
const keep = (name, value) => stored("readwrite", texts => texts.put(value, name));
const kept = name => stored("readonly", texts => texts.get(name));

// Asks the browser to keep the stored data. Otherwise it may remove them after some weeks without a visit.
let isAsked = false;
function persist() {
  if (!isAsked) navigator.storage?.persist().catch(() => {});
  isAsked = true;
}
async function keepPractice(text) {
  await keep("practice", text);
  persist();
}

// Answers requests of My games as the server does. `act` gets the two stores, makes its requests, and returns a
// function that gives the answer once they are done. `isWhole`: `act` makes no request later, so the transaction is
// committed at once, in case the page ends.
async function withGames(mode, act, isWhole = true) {
  const transaction = await database.then(open => open.transaction(GAMES, mode)).catch(() => { throw unkept(); });
  const answer = act(...GAMES.map(name => transaction.objectStore(name)));
  if (isWhole) transaction.commit();
  return new Promise((done, refuse) => {
    transaction.oncomplete = () => done(answer());
    transaction.onabort = () => refuse(unkept());
  });
}
const games = {
  list: () => withGames("readonly", summaries => {
    const all = summaries.getAll();
    return () => ({games: all.result.map(({summary}) => summary).reverse()});
  }),
  get: ({ids}) => withGames("readonly", (_, contents) => {
    const all = ids.map(id => contents.get(id));
    return () => ({contents: all.map(({result}) => result ?? null)});
  }),
  put: ({games}) => withGames("readwrite", (summaries, contents) => {
    const refused = [];
    persist();
    for (const {id, was, revision, summary, content} of games) {
      const put = () => {
        summaries.put({revision, summary}, id);
        if (content) contents.put(content, id);
      };
      // A new game has no stored revision to compare.
      if (was === null) { put(); continue; }
      const old = summaries.get(id);
      old.onsuccess = () => { if ((old.result?.revision ?? was) === was) put(); else refused.push(id); };
    }
    return () => ({refused});
  }, games.every(({was}) => was === null)),
  delete: ({ids}) => withGames("readwrite", (...stores) => {
    for (const store of stores) for (const id of ids) store.delete(id);
    return () => ({});
  }),
};

// Calls `send` with the exercises that the request needs. Until the request ends, a lock keeps others from changing
// them.
const PRACTICE = ["exercises", "answer", "practise", "key", "collect", "export", "import"];
async function withPractice(what, send) {
  if (!PRACTICE.includes(what)) return send({});
  const locks = await database.then(() => navigator.locks, () => null);
  if (!locks) throw unkept();
  return locks.request("emilia practice", async () => send({practice: await kept("practice") ?? ""}));
}

// The first tab of a visit continues the game of the last visit. Further tabs have games of their own.
const TAB = "emilia tab";
async function restore() {
  const {held} = await navigator.locks.query();
  if (sessionStorage.length > 0 || held.some(({name}) => name === TAB)) return;
  for (const [name, text] of await kept("visit") ?? []) sessionStorage.setItem(name, text);
}

const desk = new Seat();
// The second worker is created when the first is busy and not about to become free.
const free = [new Seat()], queue = [];
let count = free.length, leaving = 0;
weights.then(() => free.forEach(ready), () => {});

// Waits for a worker without a search.
function take(signal) {
  if (free.length > 0) return Promise.resolve(free.pop());
  if (count < SEARCHERS && leaving === 0) { count++; return Promise.resolve(new Seat()); }
  return new Promise((done, refuse) => {
    queue.push(done);
    signal?.addEventListener("abort", () => {
      const at = queue.indexOf(done);
      if (at < 0) return;
      queue.splice(at, 1);
      refuse(signal.reason);
    });
  });
}
function give(seat) {
  const next = queue.shift();
  if (next) next(seat);
  else { free.push(seat); ready(seat).catch(() => {}); }
}

// Sends a request to the worker for requests without a search.
async function request(what, fields) {
  if (what === "explore" && !desk.has.has("book")) {
    desk.has.add("book");
    await desk.send({book: await book});
  }
  const bytes = fields instanceof Blob ? await fields.arrayBuffer() : new TextEncoder().encode(JSON.stringify(fields));
  return (await withPractice(what, more => desk.send({what, body: new Uint8Array(bytes), ...more}))).text;
}
export const ask = async (what, fields) => games[what]?.(fields) ?? JSON.parse(await request(what, fields));
export const text = request;
// Returns a file in an encoding that SGF names (`CA`) as one in UTF-8: the module has no tables of encodings.
export async function decoded(file) {
  const bytes = await file.arrayBuffer(), head = new TextDecoder("latin1").decode(bytes.slice(0, 4096));
  const [, name] = /^\s*\((?!;GM\[Othello\])[^]*?CA\[([^\]]+)\]/i.exec(head) ?? [];
  try { return name ? new File([new TextDecoder(name, {fatal: true}).decode(bytes)], file.name) : file; }
  catch { return file; }
}
export async function start() {
  await restore().catch(() => notify(unkept().message, t("Close")));
  if (lacking) notify(unable().message, t("Close"));
  return START;
}

// Calls `event` with each object that a search sends. Ends the search if `signal` is aborted.
export async function listen(what, fields, signal, event) {
  if (lacking) throw unable();
  if (["analyze", "draw"].includes(what) || PRACTICE.includes(what)) await Promise.all([book, weights]);
  if (what === "look") await new Promise(done => setTimeout(done, REST));
  signal?.throwIfAborted();
  const seat = await take(signal);
  seat.isStopped = false;
  let answer = Promise.resolve();
  const ended = new Promise((_, refuse) => {
    const end = () => { seat.isStopped = true; seat.worker.postMessage({stop: true}); refuse(signal.reason); };
    if (signal?.aborted) end();
    else signal?.addEventListener("abort", end);
  });
  const search = async () => {
    await ready(seat);
    const body = new TextEncoder().encode(JSON.stringify(fields));
    return withPractice(what, more => {
      signal?.throwIfAborted();
      answer = seat.send({what, body, ...more}, one => { if (!signal?.aborted) event(one); });
      return Promise.race([ended, answer]);
    });
  };
  try { await Promise.race([search(), ended]); }
  finally { leave(seat, answer); }
}

// Gives a worker back after its answer. If its search does not end, a new worker takes its place.
async function leave(seat, answer) {
  const late = new Promise(done => setTimeout(() => done("late"), PATIENCE));
  leaving++;
  if (await Promise.race([answer.catch(() => {}), late]) === "late") seat.isBroken = true;
  leaving--;
  if (seat.isBroken) seat.end();
  give(seat.isBroken ? new Seat() : seat);
}

// Keeps the game of this tab for the next visit, and the page for visits without a network. Offers to reload when there
// is a newer version of the page.
export function holdTab() {
  navigator.locks?.request(TAB, {mode: "shared"}, () => new Promise(() => {})).catch(() => {});
  // When this runs, the page has already stored its game in the tab.
  const keepVisit = async () => { if (document.hidden && sessionStorage.length > 0) await keep("visit", Object.entries(sessionStorage)); };
  document.addEventListener("visibilitychange", () => keepVisit().catch(() => {}));
  // Runs after the weights: without an HTTP cache, the service worker fetches all files a second time.
  weights.catch(() => {}).then(update).catch(() => {});
}
async function update() {
  const {serviceWorker} = navigator;
  let hasVersion = Boolean(serviceWorker.controller);
  // All tabs change to the new version at once.
  serviceWorker.addEventListener("controllerchange", () => {
    if (hasVersion) location.reload();
    hasVersion = true;
  });
  const registration = await serviceWorker.register("service.js");
  const offer = () => {
    const {waiting} = registration;
    if (waiting && serviceWorker.controller) notify(t("A new version is here."), t("Reload"), () => waiting.postMessage("take"));
  };
  offer();
  registration.addEventListener("updatefound", () => registration.installing.addEventListener("statechange", offer));
  // An installed page may stay open for weeks.
  document.addEventListener("visibilitychange", () => { if (!document.hidden) registration.update().catch(() => {}); });
}
