// Searches that the page starts: the move of the engine, the values of all moves, and a hint.
import {BLACK, EMPTY, turnOf, squareOf} from "./rules.js";
import {t} from "./words.js";
import {addMove, lineTo, textOf, promote} from "./tree.js";
import {state, page, update, seesValues, isEngine, areEngines, playerOf, inVariation} from "./state.js";
import {limitsOf} from "./players.js";
import {isTimed, secondsLeft, stopClock, passClocks} from "./clocks.js";
import {stillAfter} from "./position.js";
import * as server from "./server.js";

// Shortest time between two moves of the engine when it plays both sides, shortest time that a human level thinks
// after the discs have turned, and the time of a hint, in milliseconds.
const PACE = 500, MOMENT = 600, HINT_TIME = 700;
// Values are not searched any further after this time without a touch, in milliseconds.
const REST = 600_000;
let movedAt = 0;

// Plays a move at a node, and shows the position after it if the node is shown. In a running game the move becomes the
// move of the game, whatever was played there before.
export function playAt(node, move) {
  stopClock();
  const {tree} = state, next = addMove(node, move);
  if (state.isPlaying) {
    // A game that begins at a position of a reviewed game is a variation of the reviewed game.
    if (!state.spar) promote(next);
    tree.live = next;
  }
  if (!next.clocks) passClocks(next, turnOf(node.position));
  if (tree.now === node) tree.now = next;
  return next;
}

// Returns the search that the running game or the shown position needs: {kind, node}, or null.
function neededSearch() {
  const {now, live} = state.tree, turn = turnOf(live.position);
  if (state.setup) return null;
  const isWatched = !areEngines() || !document.hidden;
  if (state.isPlaying && !state.isPaused && isEngine(turn) && isWatched) return {kind: "move", node: live};
  if (turnOf(now.position) === EMPTY) return null;
  if (state.hinted?.node === now && state.hinted.square === null) return {kind: "hint", node: now};
  const isLive = state.tree.analysis && inVariation();
  const isSeen = !document.hidden && !state.isResting && seesValues();
  return isSeen && (state.values || isLive) ? {kind: "look", node: now} : null;
}

// The page was touched: the search of values goes on, and stops again after REST without a touch.
let rest = null;
export function touch() {
  clearTimeout(rest);
  rest = setTimeout(() => { state.isResting = true; update(); }, REST);
  if (!state.isResting) return;
  state.isResting = false;
  update();
}

// Ends a search that is not needed any more, and starts the search that is needed.
export function updateSearch() {
  const {now} = state.tree;
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

// What a node keeps of a line: the score for Black, the depth, and whether it is exact or from the book.
const foundIn = (node, {score, depth, selectivity, exact, book}) => ({score: forBlack(node, {score}), depth, selectivity, exact, book});

async function runMove(run) {
  const {node, controller: {signal}} = run, turn = turnOf(node.position);
  const fields = {position: textOf(node.position), seed: Math.floor(Math.random() * 2 ** 32), ...limitsOf(playerOf(turn))};
  if (isTimed()) Object.assign(fields, {clock: secondsLeft(node, turn), increment: state.increment});
  let chosen = null;
  try {
    if (areEngines()) await pause(PACE - (performance.now() - movedAt));
    const own = await ownMove(node);
    if (!isCurrent(run)) return;
    if (own) chosen = {move: own};
    else await server.move(fields, signal, event => {
      if (event.kind === "move") chosen = event;
      else {
        run.line = event;
        if (run.isHurried) return playFound(run);
        page.draw();
      }
    });
  } catch (error) { return fail(run, error); }
  run.line = chosen;
  // The discs of the person's move turn first.
  await pause(stillAfter() + (playerOf(turn).startsWith("h") ? MOMENT : 0));
  if (!isCurrent(run)) return;
  if (!chosen) return fail(run, new Error(t("The search ended without a move.")));
  playFound(run);
}

// Returns the next move of the lines that the engine follows, or null after their end.
async function ownMove(node) {
  if (state.follow.length === 0 || state.spar) return null;
  return (await import("./repertoire.js")).followed(state.follow, lineTo(node).slice(1).map(at => at.move));
}

// Plays the best move that a search has found so far.
function playFound(run) {
  if (!isCurrent(run)) return;
  const {node, line} = run;
  stopSearch();
  movedAt = performance.now();
  const next = playAt(node, line.move);
  if (line.depth !== undefined) next.found = foundIn(node, line);
  update();
}

// Ends the search of the engine's move, and plays the best move found.
export function moveNow() {
  const {search} = state;
  if (search.line) playFound(search);
  else search.isHurried = true;
}

// Shows a good move, without its value.
export function hint() {
  state.hinted = {node: state.tree.now, square: null};
  update();
}

// Drawing of values that is due with the next frame of the screen, or null. The first iterations of a
// search end within one frame.
let drawing = null;
const draw = () => { drawing ??= requestAnimationFrame(() => { drawing = null; page.draw(Boolean(state.search) && !state.search.isDone); }); };

async function runLook(run) {
  const {node, controller: {signal}} = run;
  // A hint comes after HINT_TIME, or later with the first line, which may take longer while the engine loads.
  const until = run.kind === "hint" ? setTimeout(() => { run.isLate = true; endHint(run); }, HINT_TIME) : null;
  try {
    await server.look(textOf(node.position), signal, event => {
      run.best = event.hints[0];
      if (run.kind === "hint") return run.isLate && endHint(run);
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
  if (run === state.search) Object.assign(state, {search: null, isPaused: true, values: false, hinted: null});
  state.message = error.message;
  update();
}
