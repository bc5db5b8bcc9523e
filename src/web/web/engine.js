// Searches that the page starts: the move of the engine, the values of all moves, and a hint.
import {BLACK, EMPTY, turnOf, squareOf} from "./rules.js";
import {t} from "./words.js";
import {addMove, textOf, promote} from "./tree.js";
import {state, update, seesValues, isEngine, areEngines, playerOf, inVariation, goesOn} from "./state.js";
import {limitsOf} from "./players.js";
import {isTimed, secondsLeft, stopClock, passClocks} from "./clocks.js";
import {stillAfter} from "./position.js";
import {showValues} from "./values.js";
import * as server from "./server.js";

// Shortest time between two moves of the engine when it plays both sides, shortest time that a human level thinks
// after the discs have turned, and the time of a hint, in milliseconds.
const PACE = 500, MOMENT = 600, HINT_TIME = 700;
let movedAt = 0;

// Plays a move at a node, and shows the position after it. In a running game it belongs to the game, whatever
// was played there before.
export function playAt(node, move) {
  stopClock();
  const next = addMove(node, move);
  if (state.isPlaying && !state.spar) promote(next);
  if (!next.clocks) passClocks(next, turnOf(node.position));
  state.tree.now = next;
  return next;
}

// Returns the search that the shown position needs: {kind, node}, or null.
function neededSearch() {
  const {now} = state.tree, turn = turnOf(now.position);
  if (state.setup || turn === EMPTY) return null;
  if (state.ordered === now) return {kind: "move", node: now};
  if (state.isPlaying && !goesOn(now) && !state.isPaused && isEngine(turn)) return {kind: "move", node: now};
  if (state.hinted?.node === now && state.hinted.square === null) return {kind: "hint", node: now};
  const isLive = state.tree.analysis && inVariation();
  return seesValues() && (state.values || isLive) ? {kind: "look", node: now} : null;
}

// Ends a search that is not needed any more, and starts the one that is.
export function updateSearch() {
  const {now} = state.tree;
  if (state.ordered !== now) state.ordered = null;
  if (state.hinted?.node !== now) state.hinted = null;
  const needed = neededSearch(), {search} = state;
  if (needed && search && needed.kind === search.kind && needed.node === search.node) return;
  search?.controller.abort();
  const run = state.search = needed && {...needed, since: performance.now(), controller: new AbortController(), line: null, isHurried: false};
  if (run?.kind === "move") runMove(run);
  else if (run) runLook(run);
}
function stopSearch() {
  state.search?.controller.abort();
  state.search = null;
}

const isCurrent = run => run === state.search && !run.controller.signal.aborted;
const pause = time => new Promise(resolve => setTimeout(resolve, Math.max(0, time)));

// Score of a line for Black.
export const forBlack = (node, line) => turnOf(node.position) === BLACK ? line.score : -line.score;

// What a node keeps of a search: the score for Black and the depth.
const foundIn = (node, {score, depth, selectivity, exact, book}) => ({score: forBlack(node, {score}), depth, selectivity, exact, book});

async function runMove(run) {
  const {node, controller: {signal}} = run, turn = turnOf(node.position);
  const player = isEngine(turn) ? playerOf(turn) : isEngine(-turn) ? playerOf(-turn) : "1s";
  const fields = {position: textOf(node.position), seed: Math.floor(Math.random() * 2 ** 32), ...limitsOf(player)};
  if (isTimed() && isEngine(turn)) Object.assign(fields, {clock: secondsLeft(node, turn), increment: state.increment});
  let chosen = null;
  try {
    if (areEngines()) await pause(PACE - (performance.now() - movedAt));
    if (!isCurrent(run)) return;
    await server.move(fields, signal, event => {
      if (event.kind === "move") chosen = event;
      else {
        run.line = event;
        if (run.isHurried) return playFound(run);
        showValues();
      }
    });
  } catch (error) { return fail(run, error); }
  run.line = chosen;
  // The discs of the person's move turn first.
  await pause(stillAfter() + (player.startsWith("h") ? MOMENT : 0));
  if (!isCurrent(run)) return;
  if (!chosen) return fail(run, new Error(t("The search ended without a move.")));
  playFound(run);
}

// Plays the best move that a search has found so far.
function playFound(run) {
  if (!isCurrent(run)) return;
  const {node, line} = run;
  stopSearch();
  movedAt = performance.now();
  playAt(node, line.move).found = foundIn(node, line);
  update();
}

// Ends the search of the engine's move with the best one found. Without a search starts one.
export function moveNow() {
  const {search} = state;
  if (search?.kind === "move") {
    if (search.line) return playFound(search);
    search.isHurried = true;
    return;
  }
  state.ordered = state.tree.now;
  update();
}

// Shows a good move, without its value.
export function hint() {
  state.hinted = {node: state.tree.now, square: null};
  update();
}

// Drawing of values that is due with the next frame of the screen, or null. The first iterations of a
// search end within one frame.
let drawing = null;
const draw = () => { drawing ??= requestAnimationFrame(() => { drawing = null; showValues(Boolean(state.search) && !state.search.isDone); }); };

async function runLook(run) {
  const {node, controller: {signal}} = run;
  // On a slow machine the first values come after this time: they are the hint then.
  const until = run.kind === "hint" ? setTimeout(() => { run.isDue = true; endHint(run); }, HINT_TIME) : null;
  try {
    await server.look(textOf(node.position), signal, event => {
      run.best = event.hints[0];
      if (run.kind === "hint") return run.isDue && endHint(run);
      node.hint = event;
      node.found = foundIn(node, event.hints[0]);
      draw();
    });
    run.isDone = true;
    if (run.kind === "hint") endHint(run);
    else draw();
  } catch (error) { fail(run, error); }
  clearTimeout(until);
}

function endHint(run) {
  if (!isCurrent(run) || !run.best) return;
  state.hinted = {node: run.node, square: squareOf(run.best.move)};
  update();
}

// Shows why a search failed, unless it was aborted. Play is paused, so that it is not repeated.
function fail(run, error) {
  if (run.controller.signal.aborted) return;
  if (run === state.search) Object.assign(state, {search: null, isPaused: true, values: false, ordered: null, hinted: null});
  state.message = error.message;
  update();
}
