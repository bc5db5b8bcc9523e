// Answers the requests of `server` by workers of this browser. One answers what needs no search. Two search, so that
// looking and playing do not wait for each other. A search that does not end when it is asked to is ended by ending its
// worker, whose place a new one takes.
//
// The code of the engine and its weights are fetched apart. Until the weights are there it plays with the evaluation
// `classic`, and analyses wait.

import {t} from "./words.js";

const SEARCHERS = 2;
// Wait before a search of all moves, in milliseconds: whoever holds an arrow key starts none.
const REST = 50;
// Wait for the end of a stopped search, in milliseconds. Without suspension of WebAssembly it does not end (worker.js).
const PATIENCE = "Suspending" in WebAssembly ? 100 : 0;
const PACKED = "net.packed";
const CACHE = "emilia-weights";

const failed = () => new Error(t("No connection: load the page again."));

// Shows how much of the weights has arrived.
const bar = document.createElement("progress");
bar.id = "loading";
bar.setAttribute("aria-label", t("Loading the engine"));

async function fetched(name) {
  const response = await fetch(name).catch(() => { throw failed(); });
  if (!response.ok) throw failed();
  return response;
}

// The compiled code, which all workers share.
const code = fetched("engine.bin").then(async ({body}) => {
  const bytes = body.pipeThrough(new DecompressionStream("deflate-raw"));
  return WebAssembly.compileStreaming(new Response(bytes, {headers: {"Content-Type": "application/wasm"}}));
});

// A worker with the code and, once they are there, the weights.
class Seat {
  #next = 0;
  #waiting = new Map();
  constructor() {
    this.worker = new Worker("worker.js");
    // Messages wait until the exercises before them are kept.
    let last = Promise.resolve();
    this.worker.onmessage = ({data}) => { last = last.then(() => this.#waiting.get(data.id)?.(data)).catch(() => {}); };
    this.worker.onerror = () => this.#fail(failed().message);
    code.then(code => this.worker.postMessage({code}), error => this.#fail(error.message));
    this.hasWeights = false;
  }
  #fail(text) { for (const hear of this.#waiting.values()) hear({kind: "broken", text}); }
  // Sends a message, and calls `event` with each event of its answer. Returns the last message.
  async send(message, event = _ => {}) {
    await code;
    const id = ++this.#next;
    return new Promise((done, refuse) => {
      this.#waiting.set(id, data => {
        if (data.kind === "event") return event(JSON.parse(data.text));
        if (data.kind === "practice") return keepPractice(data.text);
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
async function packed() {
  const {body, headers} = await fetched(PACKED), parts = [];
  bar.max = Number(headers.get("Content-Length")) || 6e6;
  const reader = body.getReader();
  for (let got = 0; ;) {
    const {done, value} = await reader.read();
    if (done) return new Blob(parts).arrayBuffer();
    parts.push(value);
    bar.value = got += value.length;
  }
}

// The unpacked weights, a blob, which are kept for the next visit.
const weights = (async () => {
  const cache = await globalThis.caches?.open(CACHE), kept = await cache?.match(PACKED);
  if (kept) return kept.blob();
  document.querySelector(".tools")?.prepend(bar);
  try {
    // With the code the first move is possible: it arrives before the weights.
    await code;
    const seat = new Seat(), all = await packed();
    bar.removeAttribute("value");
    const {weights} = await seat.send({packed: all});
    seat.end();
    for (const old of await cache?.keys() ?? []) await cache.delete(old);
    const blob = new Blob([weights]);
    await cache?.put(PACKED, new Response(blob)).catch(() => {});
    return blob;
  } finally { bar.remove(); }
})();
let arrived = null;
weights.then(blob => { arrived = blob; }, () => {});

// Gives the weights to a worker that lacks them.
async function ready(seat) {
  if (!arrived || seat.hasWeights) return;
  seat.hasWeights = true;
  await seat.send({weights: arrived});
}

// The exercises are one text in the database of the browser. A lock keeps others from changing it during a request.
const PRACTICE = ["exercises", "answer", "practise", "key", "collect"];
function database(mode, act) {
  return new Promise((done, refuse) => {
    const opened = indexedDB.open("emilia", 1);
    opened.onerror = () => refuse(opened.error);
    opened.onupgradeneeded = () => opened.result.createObjectStore("texts");
    opened.onsuccess = () => {
      const request = act(opened.result.transaction("texts", mode).objectStore("texts"));
      request.onsuccess = () => { opened.result.close(); done(request.result); };
      request.onerror = () => refuse(request.error);
    };
  });
}
const keepPractice = text => database("readwrite", texts => texts.put(text, "practice"));
// Calls `send` with the exercises for the request.
async function withPractice(what, send) {
  if (!PRACTICE.includes(what)) return send({});
  return navigator.locks.request("emilia practice", async () => {
    const practice = await database("readonly", texts => texts.get("practice"));
    return send({practice: practice ?? ""});
  });
}

const desk = new Seat();
// The second worker is made when both are needed, and none is about to be free.
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

// Sends a request to the worker that answers what needs no search.
async function request(what, fields) {
  const bytes = fields instanceof Blob ? await fields.arrayBuffer() : new TextEncoder().encode(JSON.stringify(fields));
  return (await withPractice(what, more => desk.send({what, body: new Uint8Array(bytes), ...more}))).text;
}
export const ask = async (what, fields) => JSON.parse(await request(what, fields));
export const text = request;
export const start = () => ask("start", {});

// Calls `event` with each object that a search sends. Ends the search if `signal` is aborted.
export async function listen(what, fields, signal, event) {
  if (what === "analyze" || PRACTICE.includes(what)) await weights;
  if (what === "look") await new Promise(done => setTimeout(done, REST));
  signal?.throwIfAborted();
  const seat = await take(signal);
  let answer = Promise.resolve();
  const ended = new Promise((_, refuse) => {
    const end = () => { seat.worker.postMessage({stop: true}); refuse(signal.reason); };
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

// Gives a worker back after its answer. If it goes on, another one takes its place.
async function leave(seat, answer) {
  const late = new Promise(done => setTimeout(() => done("late"), PATIENCE));
  leaving++;
  if (await Promise.race([answer.catch(() => {}), late]) === "late") seat.isBroken = true;
  leaving--;
  if (seat.isBroken) seat.end();
  give(seat.isBroken ? new Seat() : seat);
}

// Keeps the page for visits without a network, and says when there is a newer one.
export function holdTab() {
  const {serviceWorker} = navigator;
  if (!serviceWorker) return;
  const hadPage = Boolean(serviceWorker.controller);
  serviceWorker.addEventListener("controllerchange", () => {
    if (hadPage) document.querySelector(".tools")?.prepend(t("A new version is here: load the page again."), " ");
  });
  serviceWorker.register("service.js").catch(() => {});
}
