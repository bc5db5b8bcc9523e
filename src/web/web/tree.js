// Tree of the moves of a game and its variations. A node is a position and the move that led to it. The first child of
// a node continues the game or the variation. The other children are variations. `chosen` is the index of the child to
// which one step forward leads. Forced passes have no node. `judged` is the analysis of the move, `found` the score for
// Black and the depth of a search, `hint` the values of all moves, `clocks` the seconds left for Black and White,
// `comment` a text, and `opening` a name. `now` is the shown node, and `live` the node at which a running game goes on.
import {START, parse, play, obf, squareOf, movesOf} from "./rules.js";

export function newTree(start = START) {
  const root = {move: null, position: parse(start), parent: null, children: [], chosen: 0, ply: 0};
  return {root, now: root, live: root, analysis: null};
}

// Plays a move at a node. Returns the new node, or the existing node of the same move.
export function addMove(node, move) {
  let at = node.children.findIndex(child => child.move === move);
  if (at < 0) {
    at = node.children.length;
    const position = play(node.position, move);
    node.children.push({move, position, parent: node, children: [], chosen: 0, ply: node.ply + 1});
  }
  node.chosen = at;
  return node.children[at];
}

// Plays moves at a node up to the first illegal move. Returns the last node.
export function addLine(node, moves) {
  for (const move of moves) {
    if (move === "pass") continue;
    if (!movesOf(node.position).includes(squareOf(move))) break;
    node = addMove(node, move);
  }
  return node;
}

export const nextOf = node => node.children[node.chosen];

// Returns the nodes from a node to the end: `mainFrom` along first children, `lineFrom` along chosen children.
export function mainFrom(node) {
  const nodes = [node];
  while (nodes.at(-1).children[0]) nodes.push(nodes.at(-1).children[0]);
  return nodes;
}
export function lineFrom(node) {
  const nodes = [node];
  while (nextOf(nodes.at(-1))) nodes.push(nextOf(nodes.at(-1)));
  return nodes;
}

// Returns the nodes from the root to a node.
export function lineTo(node) {
  const nodes = [];
  for (let at = node; at; at = at.parent) nodes.unshift(at);
  return nodes;
}

// Returns the node at which a variation leaves the game, or null if the node belongs to the game.
export const branchOf = node => lineTo(node).find(at => at.parent && at.parent.children[0] !== at)?.parent ?? null;

// Chooses the children that lead to `node`, so that steps go through it.
export function choose(node) {
  for (let at = node; at.parent; at = at.parent) at.parent.chosen = at.parent.children.indexOf(at);
}

// Makes the line to `node` the main line of the game.
export function promote(node) {
  for (let at = node; at.parent; at = at.parent) {
    const {children} = at.parent;
    children.unshift(...children.splice(children.indexOf(at), 1));
    at.parent.chosen = 0;
  }
}

// Removes a node and all nodes after it. Returns its place and the moves, for `putBack`.
export function remove(node) {
  const {parent} = node, at = parent.children.indexOf(node);
  parent.children.splice(at, 1);
  parent.chosen = 0;
  return {path: pathTo(parent), at, moves: packNode(node)};
}
// Puts removed moves back. Returns their first node.
export function putBack({root}, {path, at, moves}) {
  const parent = path.reduce((node, index) => node.children[index], root), node = addMove(parent, moves[0]);
  unpackNode(node, moves);
  parent.children.splice(at, 0, ...parent.children.splice(parent.children.indexOf(node), 1));
  parent.chosen = at;
  return node;
}

// Returns the position in the notation of the server.
export const textOf = position => obf(position).replace(";", "");

// Returns the moves of nodes as a transcript.
export const transcriptOf = nodes => nodes.slice(1).map(node => node.move).join("");

// Attaches an analysis to the tree, and its moves to the nodes of the game, with the root first.
export function attach(tree, nodes, analysis) {
  tree.analysis = analysis;
  analysis.moves.forEach((judged, index) => { if (nodes[index + 1]) nodes[index + 1].judged = {...judged, level: analysis.level}; });
}

// The moves and comments from a node on, which decide whether a game has changed.
export const shapeOf = node => [node.move, node.comment, ...node.children.map(shapeOf)];

// Pack a tree into nested arrays, for storage, and unpack it.
const packNode = node => [node.move, node.chosen, node.found ?? null, node.clocks ?? null, node.comment ?? "", ...node.children.map(packNode)];
function unpackNode(node, [, chosen, found, clocks, comment, ...children]) {
  if (found) node.found = found;
  if (clocks) node.clocks = clocks;
  if (comment) node.comment = comment;
  for (const child of children) unpackNode(addMove(node, child[0]), child);
  node.chosen = chosen;
}
const pathTo = node => lineTo(node).slice(1).map(at => at.parent.children.indexOf(at));
export const packTree = ({root, now, live, analysis}) =>
  ({start: textOf(root.position), moves: packNode(root), path: pathTo(now), live: pathTo(live), analysis});
export function unpackTree({start, moves, path, live = path, analysis}) {
  const tree = newTree(start);
  unpackNode(tree.root, moves);
  if (analysis) attach(tree, lineAlong(tree.root, analysis), analysis);
  const along = path => path.reduce((node, at) => node.children[at], tree.root);
  [tree.now, tree.live] = [along(path), along(live)];
  return tree;
}

// Returns the nodes of the analysed moves.
function lineAlong(root, {moves}) {
  const nodes = [root];
  for (const {move} of moves) {
    const next = nodes.at(-1).children.find(child => child.move === move);
    if (!next) break;
    nodes.push(next);
  }
  return nodes;
}
