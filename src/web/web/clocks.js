// Clocks of the two sides. The clock of the side to move runs at the end of the game's line, unless
// the game is paused. Without clocks no timer runs.

// The clock that runs: {node, color, since}, or null. `ticking` is the timer that shows it.
let running = null, ticking = null;

const isTimed = () => Boolean(state.tree.root.clocks);
const minutesText = seconds => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

// Returns the seconds that a side has left at a node.
function secondsLeft(node, color) {
  let at = node;
  while (!at.clocks) at = at.parent;
  const used = running?.node === node && running.color === color ? (performance.now() - running.since) / 1000 : 0;
  return Math.max(0, at.clocks[color === BLACK ? 0 : 1] - used);
}

// Sets both clocks at the shown node and at the start. 0 minutes removes them.
function setClocks(tree, minutes) {
  const open = [tree.root];
  for (const node of open) {
    node.clocks = null;
    open.push(...node.children);
  }
  if (minutes > 0) for (const node of [tree.root, tree.now]) node.clocks = [60 * minutes, 60 * minutes];
  running = null;
}

// Stops the clock that runs. Undo does not return the time used.
function stopClock() {
  if (!running) return;
  running.node.clocks = [BLACK, WHITE].map(color => secondsLeft(running.node, color));
  running = null;
}

// Starts the clock of the shown node if it should run, and stops any other.
function updateClocks() {
  const {now} = state.tree, color = turnOf(now.position);
  const runs = isTimed() && !setup && !state.isPaused && !nextOf(now) && color !== EMPTY;
  if (!runs || running?.node !== now) stopClock();
  if (runs) running ??= {node: now, color, since: performance.now()};
  if (!runs) clearInterval(ticking);
  ticking = runs ? ticking ?? setInterval(showSides, 200) : null;
  showSides();
}

// Shows the name, the discs and the clock of each side.
function showSides() {
  const {now} = state.tree, position = setup ?? now.position, turn = setup ? setup.mover : turnOf(position);
  for (const color of [BLACK, WHITE]) {
    const side = sideOf(color), host = $(`${side}-side`), {names, players} = state;
    const clock = isTimed() && !setup ? ` \u00b7 ${minutesText(secondsLeft(now, color))}` : "";
    host.querySelector(".name").textContent = names[side] || playerName(players[side]) || sideName(color);
    host.querySelector(".count").textContent = `${count(position.squares, color)}${clock}`;
    if (color === turn) host.setAttribute("aria-current", "true");
    else host.removeAttribute("aria-current");
  }
  if (running && secondsLeft(now, turn) === 0) {
    state.isPaused = true;
    show();
    message(`${sideName(turn)} has no time left: ${sideName(-turn)} wins on time.`);
  }
}
