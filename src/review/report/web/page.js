// Page of a game: its state, and the keys, clicks and touches that change it.
import {percent, signed, lossText} from "./words.js";
import {BLACK, WHITE, EMPTY, sideName, squareOf, count, parse, along, turnOf, obf, outcome} from "./rules.js";
import {$, element, button, disc, onKeys, copy} from "./controls.js";
import {drawBoard} from "./board.js";
import {makeGraph} from "./graph.js";
import {SIGNS, signOf, isBad, foundWords, depthOf, fillSummary} from "./tables.js";

const game = JSON.parse($("game").textContent);
const positions = along(parse(game.start), game.moves.map(one => one.move));
const bad = game.moves.filter(isBad);
const graph = makeGraph($("graph"), game);

// `ply` is the number of moves made. `asked` is the selected mistake, or null. The board then shows
// the position before it. `line` is the better line on the board, or null.
let ply = 0, asked = null, line = null;
const hashOf = one => isBad(one) ? `#before-${one.number}` : `#${one.number}`;

// Fills the table of moves. `hashOf(move)` returns the link of a move, `choose(move)` shows it, and
// `follow(move)` plays its better line.
function fillMoves(table, game, {hashOf, choose, follow}) {
  table.tBodies[0].replaceChildren();
  for (const one of game.moves) {
    const label = `${one.number}. ${one.side} ${one.move}` + (isBad(one) ? `, ${one.grade}` : one.brilliant ? ", brilliant" : "");
    const move = element("td", [disc(one.side), element("a", one.move + signOf(one), {href: hashOf(one), class: one.grade, "aria-label": label})]);
    const better = element("td", one.better.length > 0 && button(one.better.slice(0, 8).join(" "), event => { event.stopPropagation(); follow(one); }, {class: "line", title: "Play this line on the board"}), {class: "wide"});
    const lost = one.forced ? "only" : one.lost >= 0.05 ? lossText(one.lost) : "";
    const row = element("tr", [element("td", one.number), move, element("td", signed(one.score)), element("td", lost, {class: one.grade}),
      element("td", one.found == null ? "" : percent(one.found)), element("td", depthOf(one)), better], {id: `move-${one.number}`, class: one.exact ? "exact" : ""});
    row.addEventListener("click", event => { event.preventDefault(); choose(one); });
    table.tBodies[0].append(row);
  }
}

// Marks the row of a move, given by its number, as the current one. Scrolls the list only, not the page.
function markRow(number) {
  for (const row of document.querySelectorAll("#moves tr[aria-current]")) row.removeAttribute("aria-current");
  const row = $(`move-${number}`), list = $("course");
  if (!row) return;
  row.setAttribute("aria-current", "true");
  const above = row.offsetTop - list.scrollTop;
  if (above < 2 * row.offsetHeight || above > list.clientHeight - 2 * row.offsetHeight)
    list.scrollTop = row.offsetTop - list.clientHeight / 2;
}

// Returns the explanations of the terms used in the graph and the tables of this game.
function explain(game) {
  const depth = game.moves.filter(one => !one.exact).map(depthOf).find(text => text.includes("@"));
  const [, plies, share] = /(\d+)@(\d+)/.exec(depth) || [];
  const turn = game.moves[game.turning_point - 1];
  return {
    graph: [
      "Score: the difference of discs at the end.",
      game.moves.some(isBad) && "Ring: a move that lost 4 discs or more; filled: 10 or more.",
      turn && `Dashed line: ${turn.number}. ${turn.move} decided the game: the last move that changed its result.`,
      game.moves.some(one => one.exact) && "Green line: solved, the score is certain.",
    ],
    moves: [
      "Lost: discs, against the best move; ?! 2 or more, ? 4, ?? 10. Only: the only legal move.",
      game.level && `Found: share of players of level ${game.level} that find a move within half a disc of the best, estimated by a model of how people choose moves; the move played, the best one and the next lose what the analysis finds, any other its distance from the best in the model\u2019s search. !!: loses less than half a disc, and fewer than 25 % find it.`,
      game.moves.some(one => one.book) && "book: a value of the opening book by longer searches, so that the score may change without a loss where the book ends.",
      depth && `${depth}: searched ${plies} moves deep, forward pruning at ${share} % confidence.`,
      game.moves.some(one => one.exact) && "exact: solved to the end.",
    ],
    summary: ["Choices: moves that were not forced. Best: the share of them that lost less than half a disc.",
      game.level && "Level of play: the human level that fits the moves best, from h0 (a first game) to h14 (the best of a club), and in brackets the range that holds the true level in about 9 of 10 cases. The first 4 moves, moves of the book and forced moves do not count."],
  };
}

function tellStatus() {
  const position = line ? line.positions[line.at] : positions[ply];
  const turn = turnOf(position), end = outcome(position);
  const state = turn !== EMPTY ? `${count(position.squares, BLACK)}\u2013${count(position.squares, WHITE)}, ${sideName(turn)} to move`
    : `${end.winner === EMPTY ? "a draw" : `${sideName(end.winner)} wins`} ${end.discs}, the game is over`;
  const lines = (first, rest) => $("status").replaceChildren(element("strong", first), ` ${rest}`);
  const next = game.moves[ply];
  if (line) return lines("Better line:", `${state}. Score for Black ${signed(next.best_score)}.`);
  if (asked)
    return lines(`${asked.number}. ${asked.move}${SIGNS[asked.grade]} loses ${lossText(asked.lost)} discs; ${asked.best} is best.${foundWords(asked, game.level)}`,
      `Mistake ${bad.indexOf(asked) + 1} of ${bad.length}. Before it: ${state}, score for Black ${signed(asked.best_score)}.`);
  const done = ply > 0 ? `After ${ply}. ${game.moves[ply - 1].move}:` : "Before the first move:";
  const score = game.scores[ply];
  let text = `${state}.`;
  if (score !== undefined) text += ` Score for Black ${signed(score)}.`;
  if (next) text += ` Next: ${next.move}${SIGNS[next.grade]}` + (next.lost >= 0.05 ? `, which loses ${lossText(next.lost)}.` : ".");
  lines(done, text);
}

// Draws the board with the marks of the next move.
function drawPosition() {
  const position = line ? line.positions[line.at] : positions[ply];
  const next = line ? undefined : game.moves[ply];
  const marks = {};
  if (next) marks.better = squareOf(next.best);
  if (next && isBad(next)) Object.assign(marks, {played: squareOf(next.move), sign: SIGNS[next.grade]});
  drawBoard($("board"), position, marks);
}

function drawVariation() {
  const panel = $("variation"), next = game.moves[ply];
  panel.replaceChildren();
  if (!line) {
    if (!next || next.better.length === 0) return;
    return panel.append(button(`Play the better line: ${next.better.slice(0, 6).join(" ")}`, () => follow(next), {id: "better"}));
  }
  panel.append(element("p", `Instead of ${next.number}. ${next.move}:`));
  panel.append(...line.moves.map((move, index) => button(move, () => { line.at = index + 1; show(); focusLine(); }, {"aria-current": index + 1 === line.at || null})));
  panel.append(button("Back to the game (Esc)", leave, {id: "leave"}));
}
// Restores the keyboard focus, because the buttons of a line are created again with each move.
const focusLine = () => $("variation").querySelector("[aria-current]")?.focus();

function show() {
  drawPosition();
  tellStatus();
  drawVariation();
  const about = asked || line ? ply + 1 : ply;
  graph.mark(about);
  markRow(about);
  const [atStart, atEnd] = line ? [line.at === 0, line.at === line.moves.length] : [ply === 0, ply === game.moves.length];
  $("first").disabled = $("back").disabled = atStart;
  $("last").disabled = $("next").disabled = atEnd;
  $("previous-mistake").disabled = !mistakeBefore();
  $("next-mistake").disabled = !mistakeAfter();
}

function go(to, mistake = null) {
  line = null;
  ply = Math.max(0, Math.min(game.moves.length, to));
  asked = mistake;
  const hash = asked ? hashOf(asked) : `#${ply}`;
  if (location.hash !== hash) history.replaceState(null, "", hash);
  show();
}
const ask = mistake => mistake && go(mistake.number - 1, mistake);
const mistakeBefore = () => bad.findLast(one => asked ? one.number < asked.number : one.number <= ply);
const mistakeAfter = () => bad.find(one => one.number > (asked ? asked.number : ply));
function goToHash() {
  const [, before, number] = /^#(before-)?(\d+)$/.exec(location.hash) || [null, "", "0"];
  const mistake = before && bad.find(one => one.number === Number(number));
  if (mistake) ask(mistake);
  else go(Number(number));
}

// Plays the better line of a move on the board.
function follow(one) {
  go(one.number - 1, isBad(one) ? one : null);
  line = {moves: one.better, positions: along(positions[ply], one.better), at: 1};
  show();
  focusLine();
}
const leave = () => go(ply, asked);
function step(by) {
  if (!line) return go(ply + by);
  line.at = Math.max(0, Math.min(line.moves.length, line.at + by));
  show();
}

const ALL = 100;
const steps = {first: -ALL, back: -1, next: 1, last: ALL};
for (const [id, by] of Object.entries(steps)) $(id).addEventListener("click", () => step(by));
const previousMistake = () => ask(mistakeBefore()), nextMistake = () => ask(mistakeAfter());
$("previous-mistake").addEventListener("click", previousMistake);
$("next-mistake").addEventListener("click", nextMistake);
onKeys({
  ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => step(-ALL), End: () => step(ALL),
  n: nextMistake, p: previousMistake, Escape: () => line && leave(),
});
$("graph").addEventListener("click", event => {
  const {ring, at} = graph.at(event);
  if (ring) ask(ring);
  else go(at);
});
// Touch input: a swipe over the board is a step. A tap on its right half is a step forward, on its
// left half a step back.
let touch = null;
$("board").addEventListener("pointerdown", event => { touch = event.clientX; });
$("board").addEventListener("pointerup", event => {
  if (touch === null) return;
  const moved = event.clientX - touch, box = $("board").getBoundingClientRect();
  touch = null;
  if (Math.abs(moved) > 30) step(moved < 0 ? 1 : -1);
  else step(event.clientX > box.left + box.width / 2 ? 1 : -1);
});
$("copy-transcript").addEventListener("click", () => copy(game.transcript));
$("copy-obf").addEventListener("click", () => copy(obf(line ? line.positions[line.at] : positions[ply])));
window.addEventListener("hashchange", goToHash);

for (const [part, sentences] of Object.entries(explain(game)))
  $(`${part}-words`).textContent = sentences.filter(Boolean).join(" ");
fillMoves($("moves"), game, {hashOf, choose: one => isBad(one) ? ask(one) : go(one.number), follow});
fillSummary($("summary"), game);
graph.draw();
goToHash();
new ResizeObserver(() => { graph.draw(); graph.mark(asked || line ? ply + 1 : ply); }).observe($("graph"));
