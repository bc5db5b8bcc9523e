// The line below the board of an exercise: {moves, positions, made}, of which the first `made` moves are on the board.
import {along} from "./rules.js";
import {$, onKeys, flip} from "./controls.js";

// More steps than any line has.
const ALL = 100;

export const lineOf = (position, moves, made = 1) => ({moves, positions: along(position, moves), made});

// Connects the buttons and keys that step through a line, and the other buttons of the page with their keys. `line` returns the
// line or null, and `go` shows it after a number of moves.
export function onButtons(line, go, others, keys) {
  const step = by => () => { const at = line(); if (at) go(Math.max(0, Math.min(at.moves.length, at.made + by))); };
  const clicks = {...others, flip, first: step(-ALL), back: step(-1), forward: step(1), last: step(ALL)};
  const press = id => { if (!$(id).disabled) clicks[id](); };
  for (const id of Object.keys(clicks)) $(id).addEventListener("click", () => press(id));
  const all = {ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", f: "flip", ...keys};
  onKeys(Object.fromEntries(Object.entries(all).map(([key, id]) => [key, () => press(id)])));
}

// Shows a message below the exercise. An action of `trying` shows its failure there.
export const message = text => { $("message").textContent = text; };
export const trying = act => (...rest) => act(...rest).catch(error => message(error.message));

// Enables the buttons whose step is possible in the line. Without a line none is.
export function showSteps(line) {
  for (const id of ["first", "back"]) $(id).disabled = !line || line.made === 0;
  for (const id of ["forward", "last"]) $(id).disabled = !line || line.made === line.moves.length;
}
