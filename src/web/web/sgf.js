// SGF with variations and comments: written from the tree, and added to it.
import {BLACK, WHITE, EMPTY, START, turnOf, squareOf, nameOf, movesOf} from "./rules.js";
import {addMove, textOf} from "./tree.js";

const letters = square => "abcdefgh"[square % 8] + "abcdefgh"[square >> 3];
const escaped = text => text.replace(/[\]\\]/g, "\\$&").replace(/\(;/g, "(\\;");

const ENDS = {resigned: "R", time: "T"};
// Writes a tree. `names` are the tags of the game and how it ended before its last move, `score` its result for Black or null.
export function writeSgf({root}, names, score) {
  const parts = ["(;FF[4]GM[2]SZ[8]AP[Emilia]"];
  const tag = (name, text) => { if (text) parts.push(`${name}[${escaped(text)}]`); };
  tag("PB", names.black); tag("PW", names.white); tag("EV", names.event); tag("DT", names.date);
  const {ended} = names, won = ended ? ended.winner : score;
  if (won !== null) tag("RE", won === 0 ? "Draw" : `${won > 0 ? "B" : "W"}+${ended ? ENDS[ended.why] : Math.abs(won)}`);
  if (textOf(root.position) !== START) {
    const {squares} = root.position, start = [...START].map(letter => letter === "-");
    const list = (name, holds) => {
      const all = squares.map((disc, square) => holds(disc, square) ? `[${letters(square)}]` : "").join("");
      if (all) parts.push(name + all);
    };
    list("AB", disc => disc === BLACK);
    list("AW", disc => disc === WHITE);
    list("AE", (disc, square) => disc === EMPTY && !start[square]);
    parts.push(`PL[${turnOf(root.position) === WHITE ? "W" : "B"}]`);
  }
  tag("C", root.comment);
  // Writes the nodes after a node: a single line without brackets, several variations each in brackets.
  const write = node => {
    for (let at = node; at.children.length > 0; at = at.children[0]) {
      if (at.children.length > 1) {
        for (const child of at.children) { parts.push("\n("); writeNode(child); write(child); parts.push(")"); }
        return;
      }
      writeNode(at.children[0]);
    }
  };
  const writeNode = node => {
    parts.push(`;${turnOf(node.parent.position) === BLACK ? "B" : "W"}[${letters(squareOf(node.move))}]`);
    tag("C", node.comment);
  };
  write(root);
  return parts.join("") + ")\n";
}

// Adds the variations and comments of a record to the tree of its main line. The rest of a variation with an
// illegal move is left out.
export function addVariations({root}, text) {
  const stack = [];
  let node = root, at = 0, name = "";
  const value = () => {
    let found = "";
    for (at++; at < text.length && text[at] !== "]"; at++) found += text[at] === "\\" ? text[++at] : text[at];
    return found;
  };
  for (; at < text.length; at++) {
    const letter = text[at];
    if (letter === "(") stack.push(node);
    else if (letter === ")") { node = stack.pop(); if (stack.length === 0) break; }
    else if (/[A-Za-z]/.test(letter)) name = /[A-Z;(]/.test(text[at - 1] ?? ";") ? name + letter : letter;
    else if (letter === ";") name = "";
    else if (letter === "[") {
      const found = value();
      if (name === "C" && node) node.comment = found;
      if (node && /^[BW]$/.test(name) && /^[a-h]{2}$/.test(found)) {
        const square = found.charCodeAt(0) - 97 + 8 * (found.charCodeAt(1) - 97);
        node = movesOf(node.position).includes(square) ? addMove(node, nameOf(square)) : null;
      }
      if (text[at + 1] !== "[") name = "";
    }
  }
  for (const open = [root]; open.length > 0;) {
    const one = open.pop();
    one.chosen = 0;
    open.push(...one.children);
  }
}
