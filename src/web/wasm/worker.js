// The engine in a worker. It handles one message after the other. A search ends before the next message.
//
// A message has one of these fields: `stop`, which ends a search with a time limit in a browser that can suspend
// WebAssembly (JavaScript Promise Integration); `code`, a compiled module; `book`, a blob of the opening book;
// `packed`, weights to unpack; `weights`, a blob of unpacked weights to play with; `what` and `body`, a request, with
// `practice`, the text of the exercises, if the request needs them. `what` without `body` is `bench`, for tests. The
// answers to a request have its `id`, and a `kind`: README.md in this folder.

const KINDS = ["event", "done", "refused", "weights", "practice"];
const encoder = new TextEncoder(), decoder = new TextDecoder();
let engine, id;

// Interval at which a search lets messages in, in milliseconds.
const TURN = 40;
// Milliseconds by which the clock of a stopped search is ahead, more than any time limit.
const AHEAD = 1e9;
let turn = 0, ahead = 0;
const {port1, port2} = new MessageChannel();

// The clock of the engine, which polls it if the search has a time limit. Every TURN milliseconds it lets messages in.
function now() {
  const time = performance.now();
  if (time < turn + TURN) return time + ahead;
  return new Promise(done => {
    port1.onmessage = () => { turn = performance.now(); done(turn + ahead); };
    port2.postMessage(null);
  });
}
const {Suspending, promising} = /** @type {any} */ (WebAssembly);
const call = (name, ...more) => Suspending ? promising(engine[name])(...more) : engine[name](...more);

const imports = {worker: {
  now: Suspending ? new Suspending(now) : () => performance.now(),
  date: () => Date.now(),
  send: (kind, at, length) => {
    const bytes = new Uint8Array(engine.memory.buffer, at, length);
    if (KINDS[kind] !== "weights") return postMessage({id, kind: KINDS[kind], text: decoder.decode(bytes)});
    const copy = bytes.slice().buffer;
    postMessage({id, kind: "weights", weights: copy}, {transfer: [copy]});
  },
}};

// Writes bytes to the memory of the engine.
function write(...parts) {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  let at = engine.room(length);
  for (const part of parts) {
    new Uint8Array(engine.memory.buffer, at, part.length).set(part);
    at += part.length;
  }
}

async function handle(message) {
  id = message.id;
  if (message.code) {
    /** @type {any} */
    const instance = await WebAssembly.instantiate(message.code, imports);
    engine = instance.exports;
  }
  if (message.book) { write(new Uint8Array(await message.book.arrayBuffer())); engine.use_book(); }
  if (message.packed) { write(new Uint8Array(message.packed)); engine.unpack(); }
  if (message.weights) { write(new Uint8Array(await message.weights.arrayBuffer())); engine.use_weights(); }
  if (message.what === "bench") {
    const begun = performance.now(), nodes = await call("signature"), milliseconds = performance.now() - begun;
    postMessage({id, kind: "done", text: JSON.stringify({nodes, milliseconds, bytes: engine.memory.buffer.byteLength})});
  }
  else if (message.what) {
    if (message.practice !== undefined) { write(encoder.encode(message.practice)); engine.use_practice(); }
    const name = encoder.encode(message.what);
    write(name, message.body);
    ahead = 0;
    await call("request", name.length);
  }
}

// Each message waits for the message before.
let last = Promise.resolve();
onmessage = ({data}) => {
  if (data.stop) ahead = AHEAD;
  else last = last.then(() => handle(data)).catch(error => postMessage({id, kind: "broken", text: `${error}`}));
};
