// Clocks of the two sides. The clock of the side to move runs where the running game goes on, whatever position is
// shown, unless the game is paused. A timer shows the clock, and runs while the engine thinks, too. The flag's fall
// ends the game.
import {BLACK, WHITE, EMPTY, count, turnOf} from "./rules.js";
import {$} from "./controls.js";
import {t, number} from "./words.js";
import {state, end, sideOf, isFirst} from "./state.js";
import {plateOf, underName, describe} from "./players.js";

// Seconds below which a clock is red and shows tenths.
const LOW = 20;

// The clock that runs: {node, color, since}, or null. `ticking` is the timer that shows it.
let running = null, ticking = null;

export const isTimed = () => Boolean(state.tree.root.clocks) && !state.spar;
const minutesText = seconds => seconds < LOW ? number(Math.floor(10 * seconds) / 10, 1) : `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

// Returns the seconds that a side has left at a node.
export function secondsLeft(node, color) {
  let at = node;
  while (!at.clocks) at = at.parent;
  const used = running?.node === node && running.color === color ? (performance.now() - running.since) / 1000 : 0;
  return Math.max(0, at.clocks[color === BLACK ? 0 : 1] - used);
}

// Sets both clocks at the start. 0 minutes: no clocks.
export function setClocks(root, minutes) {
  running = null;
  root.clocks = minutes > 0 ? [60 * minutes, 60 * minutes] : null;
}

// Stops the clock that runs. Undo does not return the time used.
export function stopClock() {
  if (!running) return;
  running.node.clocks = [BLACK, WHITE].map(color => secondsLeft(running.node, color));
  running = null;
}

// Copies the clocks to the node of a move, and adds the increment of the side that moved.
export function passClocks(node, mover) {
  if (!isTimed()) return;
  node.clocks = [BLACK, WHITE].map(color => secondsLeft(node.parent, color) + (color === mover ? state.increment : 0));
}

// Starts the clock of the running game if it should run, and stops any other.
export function updateClocks() {
  const {live} = state.tree, color = turnOf(live.position);
  const runs = isTimed() && state.isPlaying && !isFirst() && !state.setup && !state.isPaused && color !== EMPTY;
  if (!runs || running?.node !== live) stopClock();
  if (runs) running ??= {node: live, color, since: performance.now()};
  const isShown = runs || state.search?.kind === "move";
  if (!isShown) clearInterval(ticking);
  ticking = isShown ? ticking ?? setInterval(showSides, 100) : null;
  showSides();
}

// Shows the name, the discs and the clock of each side.
function showSides() {
  const {now, live} = state.tree, position = state.setup ?? now.position, turn = state.setup ? state.setup.mover : turnOf(position);
  for (const color of [BLACK, WHITE]) {
    const side = sideOf(color), host = $(`${side}-side`), [disc, name, sub, clock] = [".disc", ".name", ".sub", ".clock"].map(one => host.querySelector(one));
    if (document.activeElement !== name) name.textContent = plateOf(color);
    name.title = describe(state.players[side]);
    sub.textContent = underName(color);
    const n = count(position.squares, color);
    disc.textContent = number(n);
    disc.title = t("{n} disc|{n} discs", {n});
    const thinks = state.search?.kind === "move" && color === turnOf(state.search.node.position);
    const left = isTimed() && !state.setup ? secondsLeft(state.isPlaying ? live : now, color) : null;
    const thought = thinks ? Math.floor((performance.now() - state.search.since) / 1000) : 0;
    clock.textContent = left !== null ? minutesText(left) : thought > 0 ? t("{n} s", {n: thought}) : "";
    clock.classList.toggle("low", left !== null && left < LOW);
    host.classList.toggle("thinks", thinks);
    if (color === turn) host.setAttribute("aria-current", "true");
    else host.removeAttribute("aria-current");
  }
  if (running && secondsLeft(running.node, running.color) === 0) {
    const {color} = running;
    stopClock();
    end(-color, "time");
  }
}
