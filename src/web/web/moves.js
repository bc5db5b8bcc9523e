// The list of moves with its variations, the graph of the scores, and the tools of a move.
import {BLACK, EMPTY, turnOf, passOf, count} from "./rules.js";
import {t, signed, lossText} from "./words.js";
import {$, element, button} from "./controls.js";
import {showChips} from "./chips.js";
import {makeGraph} from "./graph.js";
import {isBad, signOf, fillSummary} from "./tables.js";
import {mainFrom, branchOf, addLine, promote, remove, putBack, attach} from "./tree.js";
import {state, page, update, seesValues, mainLine, inVariation, scoreOf, isOver} from "./state.js";
import {shownName} from "./players.js";
import {fork} from "./mine.js";

let graph = null;

// The move of a node, in the form that the graph takes.
const rowOf = node => ({number: node.ply, move: node.move, grade: "good", ...(node.judged ?? node.found), score: scoreOf(node)});

export function showGraph() {
  const nodes = mainLine(), host = $("graph");
  const isKnown = seesValues() && !state.setup && nodes.filter(node => scoreOf(node) !== null).length > 1;
  host.hidden = !isKnown;
  if (!isKnown) return;
  graph = makeGraph(host, {
    moves: nodes.slice(1).map(rowOf), scores: nodes.map(scoreOf), turning_point: state.tree.analysis?.turning_point,
    // In a game that is not over, the axis has room for the moves to come.
    length: isOver(nodes.at(-1)) ? nodes.length - 1 : count(state.tree.root.position.squares, EMPTY),
  });
  graph.draw();
  const at = branchOf(state.tree.now) ?? state.tree.now;
  graph.mark(state.asked ? state.asked.ply : at.ply);
}
export function watchGraph() {
  new ResizeObserver(() => { if (!$("graph").hidden) showGraph(); }).observe($("panel-moves"));
  $("graph").addEventListener("click", event => {
    const {ring, at} = graph.at(event), nodes = mainLine();
    if (ring) page.ask(nodes[ring.number]);
    else if (nodes[at]) page.go(nodes[at]);
  });
}

// Button of a move, with its mark and its score.
function moveButton(node, isNumbered) {
  const {judged} = node, isShown = seesValues(), isCurrent = node === (state.asked ?? state.tree.now);
  const sign = isShown && judged ? signOf(judged) : "", score = isShown ? scoreOf(node) : null;
  const parts = [element("b", (isNumbered ? `${node.ply}. ` : "") + node.move), node.comment && element("span", "\u2710", {class: "commented", title: node.comment}),
    sign && element("i", sign, {class: sign === "!!" ? "brilliant" : judged.grade}), score !== null && element("span", signed(score), {class: "score"})];
  return button(parts, () => judged && isBad(judged) && isShown ? page.ask(node) : page.go(node),
    {class: "move", "aria-current": isCurrent || null, title: isShown && judged?.lost >= .05 ? t("loses {lost}", {lost: lossText(judged.lost)}) : null});
}

// Mark of a forced pass, which has no node.
const passWord = () => element("span", t("pass"), {class: "pass"});

// Folded variations, by their first node.
const folded = new WeakSet();

// Returns a variation: its moves on one line, and below them the variations of these moves.
function variationOf(first) {
  const name = `${first.ply}. ${first.move}`, line = element("div", "", {class: "line-of"});
  const block = element("details", [element("summary", element("span", name), {"aria-label": name}), line], {class: "variation"});
  block.open = !folded.has(first);
  block.addEventListener("toggle", () => { if (block.open) folded.delete(first); else folded.add(first); });
  const nodes = mainFrom(first);
  nodes.forEach((node, index) => {
    if (index > 0 && passOf(node.parent.position) !== EMPTY) line.append(passWord());
    line.append(moveButton(node, index === 0 || turnOf(node.parent.position) === BLACK));
  });
  // The variations of the moves after the first.
  for (const node of nodes) for (const other of node.children.slice(1)) block.append(variationOf(other));
  return block;
}

let shownMoves = "";
const keyOf = node => [node.move, node.comment, node.judged?.grade, scoreOf(node), node === state.tree.now, node === state.asked, node.children.map(keyOf)];
export function showMoves() {
  const {tree} = state, key = JSON.stringify([keyOf(tree.root), seesValues()]), list = $("moves");
  if (key === shownMoves) return;
  shownMoves = key;
  const hadFocus = list.contains(document.activeElement) && document.activeElement !== list;
  const rows = [];
  let row = null;
  const variations = node => node.children.slice(1).map(variationOf);
  // Adds a move or a pass.
  const add = (host, isBlack, number) => {
    if (!row || isBlack || row.isFull) {
      row = {host: element("div", [element("span", `${number}.`, {class: "number"}), !isBlack && element("span", "\u2013", {class: "pass"})], {class: "pair"}), isFull: false};
      rows.push(row.host);
    }
    row.host.append(host);
    row.isFull = !isBlack;
  };
  const addPass = ({position, ply}) => {
    const side = passOf(position);
    if (side !== EMPTY) add(passWord(), side === BLACK, ply + 1);
  };
  const nodes = mainLine();
  for (const node of nodes.slice(1)) {
    addPass(node.parent);
    add(moveButton(node, false), turnOf(node.parent.position) === BLACK, node.ply);
    if (node.comment) rows.push(element("p", node.comment, {class: "note"}));
    const others = variations(node.parent);
    rows.push(...others);
    // After variations or a comment below Black's move, White's move begins a new row.
    if (others.length > 0 || node.comment) row = null;
  }
  addPass(nodes.at(-1));
  list.replaceChildren(...rows);
  const current = list.querySelector("[aria-current]");
  if (!current) { list.scrollTop = tree.now === tree.root ? 0 : list.scrollTop; return; }
  const top = current.getBoundingClientRect().top - list.getBoundingClientRect().top;
  // Scrolls by whole rows, so that no row is cut.
  const high = list.querySelector(".pair").offsetHeight;
  if (top < 0 || top > list.clientHeight - 40) list.scrollTop = Math.round((list.scrollTop + top - list.clientHeight / 2) / high) * high;
  if (hadFocus) current.focus({preventScroll: true});
}

let summarized = null;
export function showNode() {
  const {tree: {now, analysis}, asked} = state, isShown = seesValues();
  $("judged").hidden = !analysis || !isShown;
  if (analysis && analysis !== summarized) fillSummary($("summary"), {...analysis, black: shownName(analysis.black, analysis.white, BLACK), white: shownName(analysis.white, analysis.black, -BLACK)});
  summarized = analysis;
  if (document.activeElement !== $("comment")) $("comment").value = now.comment ?? "";
  $("promote").hidden = !inVariation();
  $("delete").hidden = !now.parent;
  showBetter(asked?.judged.better ?? []);
}

// The better line of a mistake as a row of moves. Each leads to the position after it.
function showBetter(line) {
  const {now} = state.tree, go = made => { addLine(now, line); page.go(addLine(now, line.slice(0, made))); };
  $("better-line").replaceChildren(...line.length > 0 ? [showChips(line.slice(0, 6), {name: t("Better")}, go)] : []);
}

export function comment(text) {
  const {now} = state.tree;
  if (text) now.comment = text;
  else delete now.comment;
  update();
}
// The game becomes another game than the kept one, which stays as it is. The analysis does not apply to the new game.
function change() {
  fork();
  state.tree.analysis = null;
  state.ended = null;
}
export function promoteNow() {
  promote(state.tree.now);
  change();
  update();
}
// Deletes the shown move and all moves after it. Undo puts them back, even after a reload.
export function deleteNow() {
  const {tree: {now, analysis}, ended, own} = state, {parent} = now;
  if (!inVariation()) change();
  page.go(parent);
  state.removed = {...remove(now), analysis, ended, own};
  update();
}
export function undelete() {
  const {tree, removed} = state, node = putBack(tree, removed);
  if (removed.analysis) attach(tree, mainLine(), removed.analysis);
  Object.assign(state, {ended: removed.ended, own: removed.own, removed: null});
  page.go(node);
}
