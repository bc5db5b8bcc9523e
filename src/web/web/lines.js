// The dialog that adds the moves to the shown position to one's own openings. Loaded when it is opened.
import {START} from "./rules.js";
import {t, labelled} from "./words.js";
import {$} from "./controls.js";
import {lineTo, textOf} from "./tree.js";
import {state, tell} from "./state.js";
import {openingOf} from "./openings.js";
import {addTo, change} from "./repertoire.js";

let moves = [];
export function openLine(now) {
  const {root} = state.tree;
  if (textOf(root.position) !== START || now === root) return tell(t("Go to the last move of the line: it is added from the first move on."));
  moves = lineTo(now).slice(1).map(node => node.move);
  const opening = openingOf(now);
  $("line-moves").textContent = opening ? labelled(opening, moves.join(" ")) : moves.join(" ");
  $("line-kept").textContent = "";
  $("line-dialog").showModal();
}

async function add(colour) {
  try {
    const {lines} = await change(all => addTo(all.lines[colour], moves));
    $("line-kept").textContent = t("{n} line for this colour is kept.|{n} lines for this colour are kept.", {n: lines[colour].length});
  } catch (error) { $("line-kept").textContent = error.message; }
}
for (const colour of ["black", "white"]) $(`line-${colour}`).addEventListener("click", () => add(colour));
