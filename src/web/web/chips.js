// A line of moves as chips, and the steps of a session as dots.
import {t} from "./words.js";
import {element, button} from "./controls.js";

// A row of moves. The last move made is marked. A click on a move leads to the position after it.
export function showChips(moves, {name = "", score = "", made = 0}, go) {
  const chips = moves.map((move, at) => button(move, () => go(at + 1), {class: "chip", "aria-current": at + 1 === made || null}));
  return element("div", [name && element("span", name, {class: "soft"}), score && element("b", score), element("span", chips, {class: "chips"})], {class: "line-row"});
}

// Dots of the kinds "done", "missed" and "". The dot with index `now` is marked.
export function fillDots(host, kinds, now) {
  host.replaceChildren(...kinds.map((kind, at) => element("i", "", {class: `${kind} ${at === now ? "now" : ""}`})));
  host.setAttribute("aria-label", t("{done} of {n} done", {done: kinds.filter(kind => kind === "done").length, n: kinds.length}));
}
