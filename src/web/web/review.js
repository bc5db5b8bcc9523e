// Review of a game: its analysis, its mistakes, and exercises from them.
import {BLACK, WHITE, turnOf, sideName} from "./rules.js";
import {t, prose, signed, lossOf, lossText, HALF_A_DISC} from "./words.js";
import {$} from "./controls.js";
import {isBad, foundWords, depthOf} from "./tables.js";
import {attach, branchOf, transcriptOf, textOf} from "./tree.js";
import {state, update, tell, settings, engine, mainLine, sideOf, isOver, seesValues, scored, scoreOf} from "./state.js";
import {playerName} from "./players.js";
import {scoreText} from "./position.js";
import * as server from "./server.js";

const mistakes = () => mainLine().filter(node => node.judged && isBad(node.judged));
// The number of moves of the game before the shown position, for steps from mistake to mistake.
const plyNow = () => (branchOf(state.tree.now) ?? state.tree.now).ply;
// The mistakes before and after the shown position. After the last mistake comes the first.
export function mistakeBefore() {
  const all = seesValues() ? mistakes() : [];
  return all.findLast(node => state.asked ? node.ply < state.asked.ply : node.ply <= plyNow()) ?? all.at(-1);
}
export function mistakeAfter() {
  const all = seesValues() ? mistakes() : [];
  return all.find(node => node.ply > (state.asked ? state.asked.ply : plyNow())) ?? all[0];
}

// Says what the selected mistake lost, and what is better.
export function mistakeWords({judged}) {
  const all = mistakes(), {move, lost, best} = judged;
  const first = t("{number}. {move} loses {lost} discs", {number: judged.number, move, lost: lossText(lost)});
  const depth = judged.exact ? t("solved to the end") : judged.book ? t("in the opening book") : t("depth {depth}", {depth: depthOf(judged)});
  const which = all.length > 1 && t("Mistake {at} of {all}.", {at: all.findIndex(node => node.judged === judged) + 1, all: all.length});
  const score = t("Score for Black {before} before it, {after} after it, {depth}.", {before: signed(judged.best_score), after: signed(judged.score), depth});
  return [first, prose(t("{best} is best.", {best}), foundWords(judged).trim(), which), score];
}

// Says how good a position is, and what the move of a variation that led to it lost.
export function scoreWords(node) {
  const known = seesValues() ? scored(node) : null, words = [];
  if (!known) return words;
  if (!isOver(node)) words.push(scoreText(known));
  if (node.judged?.book && !known.book) words.push(t("The opening book ends here with {score}.", {score: signed(node.judged.score)}));
  // The best move of the analysis loses nothing. Its own search is deeper, so its score may differ from the score
  // before it.
  const isBest = node.parent?.children.some(({judged}) => judged?.best === node.move);
  const before = branchOf(node) && !isBest ? scoreOf(node.parent) : null;
  const side = before === null ? 0 : turnOf(node.parent.position), lost = lossOf(before * side, known.score * side);
  if (lost >= HALF_A_DISC) words.push(t("{move} loses {lost}.", {move: node.move, lost: lossText(lost)}));
  return words;
}

// The game as a record.
export function record() {
  const {tree, names} = state, nodes = mainLine();
  const {players} = state.spar ?? state, ofSide = color => names[sideOf(color)] || playerName(players[sideOf(color)]);
  return {...names, black: ofSide(BLACK), white: ofSide(WHITE), start: textOf(tree.root.position), transcript: transcriptOf(nodes), ended: state.ended};
}

// Whether a new analysis would find more than the present one: it is deeper, or the game has more moves.
const depthNow = () => settings.depth || engine.depth;
export function findsMore() {
  const {analysis} = state.tree;
  return !analysis || depthNow() > (analysis.depth ?? 0) || mainLine().length > analysis.moves.length + 1;
}

export async function analyze() {
  if (state.analysing) return state.analysing.abort();
  const {tree} = state, nodes = mainLine(), controller = new AbortController();
  // A deeper analysis is not replaced by a shallower one.
  const depth = Math.max(depthNow(), tree.analysis?.depth ?? 0);
  // A review ends the running game.
  Object.assign(state, {analysing: controller, share: 0, isPlaying: false, tab: "moves", message: ""});
  update();
  try {
    await server.analyze(record(), depth, controller.signal, event => {
      if (event.kind === "analysis") return attach(tree, nodes, {...event, depth});
      state.share = event.done / event.all;
      showProgress();
    });
  } catch (error) { if (!controller.signal.aborted) state.message = error.message; }
  state.analysing = null;
  update();
}

export function showProgress() {
  $("progress").hidden = !state.analysing;
  $("progress").value = state.share;
}

// Makes exercises from the mistakes of a side, and goes to the Practice page.
export async function practise(color) {
  try {
    const made = await server.practise(record(), state.tree.analysis, sideOf(color));
    if (made.mistakes > 0) location.href = "practice.html";
    else tell(t("{side}: no move lost 2 discs.", {side: sideName(color)}));
  } catch (error) { tell(error.message); }
}

// Makes exercises from the mistakes of a player in these games. A second call stops the first.
let collecting = null;
export async function collect(player, games) {
  const say = text => { $("collected").textContent = text; };
  if (collecting) return collecting.abort();
  const {signal} = collecting = new AbortController();
  const analysed = done => say(t("{done} of {n} game analysed|{done} of {n} games analysed", {done, n: games.length}));
  analysed(0);
  try {
    await server.collect(games, player, signal, event => {
      if (event.kind === "progress") analysed(event.done);
      else if (event.mistakes > 0) location.href = "practice.html";
      else say(t("{side}: no move lost 2 discs.", {side: player || t("You")}));
    });
  } catch (error) { if (!signal.aborted) tell(error.message); }
  if (signal.aborted) say("");
  collecting = null;
}
