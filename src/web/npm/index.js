// Rules of Othello, and the engine in a worker. A position is a text of 64 squares and the side to move, as in `START`.
//
// `worker.js` has the engine: one message after the other, so an `Engine` runs one request at a time. A request that is
// aborted while it runs ends its worker, and the next one starts another.

import * as rules from "./rules.js";

export const {START} = rules;

function parse(text) {
  if (!/^[-.X*O]{64} ?[X*O]$/i.test(text)) throw new Error(`not a position: '${text}' (expected 64 squares of X, O and -, and the side to move)`);
  return rules.parse(text.toUpperCase());
}

// Returns the names of the legal moves: squares, only "pass" if the side to move must pass, none after the end.
export function legalMoves(position) {
  const parsed = parse(position);
  return rules.passOf(parsed) ? ["pass"] : rules.movesOf(parsed).map(rules.nameOf);
}

// Returns the position after a legal move.
export function play(position, move) {
  const legal = legalMoves(position);
  move = `${move}`.toLowerCase();
  if (!legal.includes(move)) throw new Error(`illegal move: ${move} (legal: ${legal.join(" ") || "none, the game is over"})`);
  const {squares, mover} = rules.play(parse(position), move), letters = {[rules.BLACK]: "X", [rules.WHITE]: "O", [rules.EMPTY]: "-"};
  return `${squares.map(disc => letters[disc]).join("")} ${letters[mover]}`;
}

// Returns Black's score in discs, as if the game ended here. Empty squares count for the winner.
export const score = position => rules.finalScore(parse(position));

// How this platform reads a file of the package, and starts `worker.js`. `node.js` replaces both.
export const platform = {
  read: async url => (await fetch(url)).blob(),
  start: () => new Worker(new URL("./worker.js", import.meta.url)),
};

// A worker, and the request that it answers.
class Seat {
  constructor(code) {
    this.worker = platform.start();
    this.worker.onmessage = ({data}) => this.#receive(data);
    this.worker.onerror = error => this.#request?.refuse(new Error(error.message));
    this.worker.postMessage({code});
  }
  #request;
  #receive({kind, text, weights}) {
    const {event, done, refuse} = this.#request;
    if (kind === "event") event(JSON.parse(text));
    else if (kind === "done" || kind === "weights") done(weights);
    else refuse(new Error(text.startsWith("{") ? JSON.parse(text).text : text));
  }
  send(message, event) {
    return new Promise((done, refuse) => {
      this.#request = {event, done, refuse};
      this.worker.postMessage(message);
    });
  }
  end(why) {
    this.worker.terminate();
    this.#request?.refuse(why);
  }
}

// The compiled engine, its opening book and its unpacked weights, for all engines.
let loaded;
async function load() {
  const [engine, book, packed] = await Promise.all(["engine.bin", "book.data", "weights.data"].map(name => platform.read(new URL(name, import.meta.url))));
  const code = await WebAssembly.compile(await new Response(engine.stream().pipeThrough(new DecompressionStream("deflate-raw"))).arrayBuffer());
  const seat = new Seat(code), weights = new Blob([await seat.send({packed: await packed.arrayBuffer()})]);
  seat.end();
  return {code, book, weights};
}

export class Engine {
  #seat = null;
  #last = Promise.resolve();

  async #start() {
    const {code, book, weights} = await (loaded ??= load());
    const seat = new Seat(code);
    await seat.send({book});
    await seat.send({weights});
    return seat;
  }

  // Sends a request after those before it, and returns the last object of its answer.
  #ask(what, fields, signal, event = _ => {}) {
    const run = async () => {
      signal?.throwIfAborted();
      const seat = await (this.#seat ??= this.#start());
      signal?.throwIfAborted();
      let last;
      const abort = () => this.close(signal.reason);
      signal?.addEventListener("abort", abort);
      try { await seat.send({what, body: new TextEncoder().encode(JSON.stringify(fields))}, object => { event(last = object); }); }
      finally { signal?.removeEventListener("abort", abort); }
      return last;
    };
    const answer = this.#last.then(run);
    this.#last = answer.catch(() => {});
    return answer;
  }

  // Searches the best `lines` lines, best first.
  async search(position, {signal, onProgress, ...limits} = {}) {
    const {hints} = await this.#ask("look", {position, lines: 1, ...limits}, signal, onProgress && (({hints}) => onProgress(hints)));
    return hints;
  }

  // Chooses a move as a player of a level does.
  move(position, {signal, onProgress, level, seed = Math.floor(Math.random() * 2 ** 32), ...limits} = {}) {
    return this.#ask("move", {position, seed, level: level?.toString(), ...limits}, signal, onProgress && (line => { if (line.kind === "line") onProgress(line); }));
  }

  // Judges each move of a game.
  analyze(transcript, {signal, onProgress, start = START, depth} = {}) {
    const game = {start, transcript};
    return this.#ask("analyze", {game, depth}, signal, onProgress && (({kind, done, all}) => { if (kind === "progress") onProgress(done, all); }));
  }

  // Ends the worker; the running request is refused. The next request starts another worker.
  close(why = new Error("the engine is closed")) {
    this.#seat?.then(seat => seat.end(why), () => {});
    this.#seat = null;
  }
}
