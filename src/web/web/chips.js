// A line of moves as chips, and the steps of a session as dots.
import {t} from "./words.js";
import {element} from "./controls.js";

// A row of moves, of which the one that was made last is marked. A click on one leads to the position after it.
export function showChips(moves, {name = "", score = "", made}, go) {
  const row = element("div", "", {class: "line-row"});
  if (name) row.append(element("span", name, {class: "soft"}));
  if (score) row.append(element("b", score));
  const chips = element("span", "", {class: "chips"});
  chips.append(...moves.map((move, at) => {
    const chip = element("button", move, {class: "chip"});
    if (at + 1 === made) chip.setAttribute("aria-current", "true");
    chip.addEventListener("click", () => go(at + 1));
    return chip;
  }));
  row.append(chips);
  return row;
}

// Dots of the kinds "done", "missed" and "", of which one is now.
export function fillDots(host, kinds, now) {
  host.replaceChildren(...kinds.map((kind, at) => element("i", "", {class: `${kind} ${at === now ? "now" : ""}`})));
  host.setAttribute("aria-label", t("{done} of {n} done", {done: kinds.filter(kind => kind === "done").length, n: kinds.length}));
}
