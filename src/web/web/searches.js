// Searches that the page starts: the move of the engine, and the values of all moves.

// Shortest time between two moves of the engine in milliseconds, when it plays both sides.
const PACE = 500;
let movedAt = 0;

// `ordered` is the node at which the engine moves, whoever has the side to move.
let ordered = null;

// Returns the search that the shown position needs: {kind, node}, or null.
function neededSearch() {
  const {now} = state.tree, turn = turnOf(now.position);
  if (setup || turn === EMPTY) return null;
  if (ordered === now) return {kind: "move", node: now};
  const isLast = !nextOf(now);
  if (isLast && !state.isPaused && isEngine(turn)) return {kind: "move", node: now};
  return state.values ? {kind: "look", node: now} : null;
}

// Ends a search that is not needed any more, and starts the one that is.
function updateSearch() {
  const needed = neededSearch();
  if (ordered !== state.tree.now) ordered = null;
  if (needed && search && needed.kind === search.kind && needed.node === search.node) return;
  search?.controller.abort();
  search = needed && {...needed, controller: new AbortController(), line: null, isHurried: false};
  if (search?.kind === "move") runMove(search);
  if (search?.kind === "look") runLook(search);
}

const isCurrent = run => run === search && !run.controller.signal.aborted;

// Score of a line for Black.
const forBlack = (node, line) => turnOf(node.position) === BLACK ? line.score : -line.score;

// What a node keeps of a search: the score for Black and the depth.
const foundIn = (node, line) => {
  const {depth, selectivity, exact, book} = line;
  return {score: forBlack(node, line), depth, selectivity, exact, book};
};

async function runMove(run) {
  const {node, controller} = run, turn = turnOf(node.position);
  const player = isEngine(turn) ? playerOf(turn) : isEngine(-turn) ? playerOf(-turn) : "1s";
  const fields = {position: textOf(node.position), seed: Math.floor(Math.random() * 2 ** 32), ...limitsOf(player)};
  if (isTimed() && isEngine(turn)) fields.clock = secondsLeft(node, turn);
  let chosen = null;
  try {
    if (isEngine(-turn)) await pause(PACE - (performance.now() - movedAt));
    if (!isCurrent(run)) return;
    await listen("move", fields, controller.signal, event => {
      if (event.kind === "move") chosen = event;
      else {
        run.line = event;
        if (run.isHurried) return playFound(run);
        showThinking();
      }
    });
  } catch (error) { return fail(run, error); }
  if (!isCurrent(run)) return;
  if (!chosen) return fail(run, new Error("The search ended without a move."));
  run.line = chosen;
  playFound(run);
}

const pause = time => new Promise(resolve => setTimeout(resolve, Math.max(0, time)));

// Plays the best move that a search has found so far.
function playFound(run) {
  if (!isCurrent(run)) return;
  const {node, line} = run;
  search = null;
  run.controller.abort();
  movedAt = performance.now();
  const next = playAt(node, line.move);
  next.found = foundIn(node, line);
  show();
}

// Ends the search of the engine's move with the best one found. Without a search starts one.
function moveNow() {
  if (search?.kind === "move") {
    if (search.line) return playFound(search);
    search.isHurried = true;
    return;
  }
  ordered = state.tree.now;
  show();
}

// Drawing of values that is due with the next frame of the screen, or null. The first iterations of a
// search end within one frame.
let drawing = null;

async function runLook(run) {
  const {node, controller} = run;
  try {
    await listen("look", {position: textOf(node.position)}, controller.signal, event => {
      node.hint = event;
      node.found = foundIn(node, event.hints[0]);
      drawing ??= requestAnimationFrame(() => { drawing = null; showValues(); });
    });
    run.isDone = true;
    showThinking();
  } catch (error) { fail(run, error); }
}

// Shows why a search failed, unless it was aborted. Play is paused, so that it is not repeated.
function fail(run, error) {
  if (run.controller.signal.aborted) return;
  if (run === search) {
    search = null;
    state.isPaused = true;
    state.values = false;
    ordered = null;
  }
  show();
  message(error.message);
}
