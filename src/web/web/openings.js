// Names of openings, in English from the engine's table, looked up by the position.
import {START} from "./rules.js";
import {t} from "./words.js";
import {lineTo, textOf, transcriptOf} from "./tree.js";
import {state, update} from "./state.js";
import * as server from "./server.js";

const PLIES = 30;

export async function nameOpening(node) {
  if (node.ply === 0 || node.ply > PLIES || node.opening !== undefined) return;
  node.opening = null;
  if (textOf(state.tree.root.position) !== START) return;
  try {
    const read = await server.games(transcriptOf(lineTo(node)));
    node.opening = read.games[0].opening ?? null;
  } catch { node.opening = undefined; }
  if (node === state.tree.now && node.opening) update();
}

// Returns the name of the opening at a node, or "", in English and in the language of the page.
export function nameAt(node) {
  for (let at = node; at; at = at.parent) if (at.opening) return at.opening;
  return node.ply > PLIES ? state.names.opening : "";
}
export const openingOf = node => t(nameAt(node));
// The name of an opening at a node whose move leads to it, or "".
export const openingAt = node => node.opening && !(node.parent && nameAt(node.parent) === node.opening) ? t(node.opening) : "";
