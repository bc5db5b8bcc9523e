// The state of the page, what follows from it, and its storage. A tab keeps its game when it is loaded again.
// Whoever changes `state` calls `update`, which renders the page.
import {BLACK, EMPTY, turnOf, finalScore, outcome, sideName} from "./rules.js";
import {t} from "./words.js";
import {readSettings, writeSettings} from "./controls.js";
import {newTree, packTree, unpackTree, mainFrom, branchOf, nextOf, textOf} from "./tree.js";

export const PERSON = "person";
const noNames = () => ({black: "", white: "", event: "", date: "", opening: ""});

export const state = {
  // What is stored.
  tree: newTree(), players: {black: PERSON, white: "h3"}, names: noNames(),
  // Whether a game runs: the engine moves by itself. `ended` says how a game ended before its last move, after
  // how many moves: {winner, why, ply}. `increment` are the seconds that the clock adds for a move.
  isPlaying: true, ended: null, isPaused: false, increment: 0,
  // A game against the engine that begins at a position of a reviewed game, as its variation: {ply, players}, the
  // number of moves before it and the players of the reviewed game. Otherwise null.
  spar: null,
  // Whether values are shown in a running game, and whether all moves are searched.
  isOpen: false, values: false, tab: "moves", games: [], game: 0,
  // What is not stored. `setup` is the position that is being set up, `asked` the node of the selected mistake,
  // `shown` the line of play on the board, `hinted` a square for the node {node, square}, `search` what the engine
  // does ({kind, node, since}), `isAuto` whether the moves are played one by one, `analysing` and `share` an analysis and its progress, and `explored` the answer for a node.
  setup: null, asked: null, shown: null, hinted: null, ordered: null, search: null, analysing: null, share: 0,
  explored: null, message: "", isAuto: false,
  // The game that was on the board before another was loaded, as `snapshot` returns it, or null.
  kept: null,
};
const STORED = ["players", "names", "isPlaying", "ended", "isPaused", "increment", "spar", "isOpen", "values", "tab", "games", "game"];
export const snapshot = () => Object.fromEntries(["tree", ...STORED].map(name => [name, state[name]]));

// What the server says about the engine at the start.
export const engine = {people: [], levels: 0, depth: 0};

let render = () => {};
export const onUpdate = shows => { render = shows; };
export function update() { render(); }
export function tell(text) { state.message = text; update(); }

export const sideOf = color => color === BLACK ? "black" : "white";
export const playerOf = color => state.players[sideOf(color)];
export const isEngine = color => color !== EMPTY && playerOf(color) !== PERSON;
export const isOver = node => turnOf(node.position) === EMPTY;
export const areEngines = () => isEngine(BLACK) && isEngine(-BLACK);
export const isAgainstEngine = () => isEngine(BLACK) !== isEngine(-BLACK);
// Whether values may be shown.
export const seesValues = () => !state.isPlaying || state.isOpen;
// Returns whether moves follow a node. Those of a reviewed game do not follow in a game that begins there.
export const goesOn = node => Boolean(nextOf(node)) && !(state.spar && !branchOf(nextOf(node)));
export const mainLine = () => mainFrom(state.tree.root);
export const inVariation = () => branchOf(state.tree.now) !== null;
export const textOfNow = () => textOf(state.setup ?? state.tree.now.position);

// Whether the game ended at a node.
export const hasEnded = node => isOver(node) || (state.ended?.ply === node.ply && branchOf(node) === null);

// Ends the game before its last move.
export function end(winner, why) {
  Object.assign(state, {isPlaying: false, ended: {winner, why, ply: mainLine().at(-1).ply}});
  update();
}

// The analysis of the move that the game played at a node.
const judgedNext = node => node.children.find(child => child.judged)?.judged;

// Returns the score of a node for Black with its depth, or null: of the finished game, of the analysis, or of a
// search. Status, bar, graph and list show this one.
export function scored(node) {
  if (isOver(node)) return {score: finalScore(node.position), exact: true};
  const next = judgedNext(node);
  return next ? {...next, score: next.best_score} : node.judged ?? node.found ?? null;
}
export const scoreOf = node => scored(node)?.score ?? null;
// Returns whether that score is certain.
export const isExact = node => Boolean(scored(node)?.exact);

// Says how the game ended, the winner's number first. `node` is its last one.
export function resultText(node) {
  if (!isOver(node)) {
    const {winner, why} = state.ended;
    const words = {time: "{loser} has no time left: {winner} wins on time.", resigned: "{loser} resigns: {winner} wins."};
    return t(words[why], {winner: sideName(winner), loser: sideName(-winner)});
  }
  const {winner, discs} = outcome(node.position);
  if (winner === EMPTY) return t("A draw, 32\u201332.");
  if (isAgainstEngine()) return t(isEngine(winner) ? "You lost, {discs}." : "You won, {discs}.", {discs});
  return t("{side} wins {discs}.", {side: sideName(winner), discs});
}

// Starts with a position and no moves.
export function begin(start) {
  state.tree = newTree(start);
  Object.assign(state, {kept: null, names: noNames(), isPaused: false, spar: null, ended: null, asked: null, setup: null, shown: null, hinted: null, ordered: null, values: false, message: ""});
}

const KEY = `emilia ${location.pathname}`;

// Stores the state. A list of games that does not fit is left out.
const pack = shown => shown && {...shown, tree: packTree(shown.tree)};
export function store() {
  const packed = {...pack(snapshot()), kept: pack(state.kept)};
  for (const part of [{}, {kept: null}, {kept: null, games: [], lacksGames: true}]) {
    try { return sessionStorage.setItem(KEY, JSON.stringify({...packed, ...part})); }
    catch { continue; }
  }
}

// Restores the stored state. Returns whether there is one.
export function restore() {
  try {
    const packed = JSON.parse(sessionStorage.getItem(KEY));
    if (!packed) return false;
    const {lacksGames, ...stored} = packed, unpack = shown => shown && {...shown, tree: unpackTree(shown.tree)};
    Object.assign(state, unpack(stored), {kept: unpack(stored.kept)});
    if (lacksGames) state.message = t("The list of games is too long to be kept: open its file again.");
  } catch { return false; }
  return true;
}

// Settings outlive the tab and the program.
export const settings = {language: "", opponent: "h3", colour: "black", minutes: 0, increment: 0, start: "standard", values: false, name: "", strength: "h5", other: "3s", depth: 0, ...readSettings()};
export const keepSettings = () => writeSettings(settings);
