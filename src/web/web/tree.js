// Tree of the moves of a game and its variations. A node is a position and the move that led to it.
// `chosen` is the index of the child that belongs to the current line. Forced passes have no node.
// `judged` is the analysis of the move, `analysis` that of the game which ends here, `found` the score for Black and the depth of a search, `clocks`
// the seconds left for Black and White, and `opening` the name of the opening.

const START = "---------------------------OX------XO--------------------------- X";

function newTree(start = START) {
  const root = {move: null, position: parse(start), parent: null, children: [], chosen: 0, ply: 0};
  return {root, now: root};
}

// Plays a move at a node. Returns the new node, or that of the same move before.
function addMove(node, move) {
  let at = node.children.findIndex(child => child.move === move);
  if (at < 0) {
    at = node.children.length;
    const position = play(node.position, move);
    node.children.push({move, position, parent: node, children: [], chosen: 0, ply: node.ply + 1});
  }
  node.chosen = at;
  return node.children[at];
}

const nextOf = node => node.children[node.chosen];

// Returns the nodes from a node to the end of its line.
function lineFrom(node) {
  const nodes = [node];
  while (nextOf(nodes.at(-1))) nodes.push(nextOf(nodes.at(-1)));
  return nodes;
}

// Returns the nodes from the root to a node.
function lineTo(node) {
  const nodes = [];
  for (let at = node; at; at = at.parent) nodes.unshift(at);
  return nodes;
}

// Makes `node` a part of the current line.
function choose(node) {
  for (let at = node; at.parent; at = at.parent) at.parent.chosen = at.parent.children.indexOf(at);
}

// Returns the legal moves of a position, as indices of squares.
function movesOf(position) {
  const mover = turnOf(position);
  if (mover === EMPTY) return [];
  return position.squares.map((_, square) => square).filter(square => flips(position.squares, mover, square).length > 0);
}

// Returns the side that has to pass, or EMPTY.
function passOf(position) {
  const turn = turnOf(position);
  return turn !== EMPTY && turn !== position.mover ? position.mover : EMPTY;
}

// Returns the position in the notation of the server, with the side to move that has a move.
const textOf = position => obf({squares: position.squares, mover: turnOf(position) || position.mover}).replace(";", "");

// Returns the moves of the current line, as a transcript.
const transcriptOf = ({root}) => lineFrom(root).slice(1).map(node => node.move).join("");

// Attaches an analysis to the node at which its game ends, and its moves to theirs. `nodes` are those of
// the game, with the root first.
function attach(nodes, analysis) {
  nodes.at(-1).analysis = analysis;
  analysis.moves.forEach((judged, index) => { nodes[index + 1].judged = {...judged, level: analysis.level}; });
}

// Returns the score of a node for Black, or null: from the analysis if there is one.
function scoreOf(node) {
  const next = nextOf(node);
  if (next?.judged) return next.judged.best_score;
  return node.judged?.score ?? node.found?.score ?? null;
}

// The tree as nested arrays, for storage, and back.
const packNode = node => [node.move, node.chosen, node.found ?? null, node.clocks ?? null, node.analysis ?? null, ...node.children.map(packNode)];
function unpackNode(node, [, chosen, found, clocks, analysis, ...children]) {
  if (found) node.found = found;
  if (clocks) node.clocks = clocks;
  if (analysis) attach(lineTo(node), analysis);
  for (const child of children) unpackNode(addMove(node, child[0]), child);
  node.chosen = chosen;
}
function packTree({root, now}) {
  const path = [];
  for (let at = now; at.parent; at = at.parent) path.unshift(at.parent.children.indexOf(at));
  return {start: textOf(root.position), moves: packNode(root), path};
}
function unpackTree({start, moves, path}) {
  const tree = newTree(start);
  unpackNode(tree.root, moves);
  for (const at of path) tree.now = tree.now.children[at];
  return tree;
}
