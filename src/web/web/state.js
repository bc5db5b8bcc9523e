// The state of the page, what follows from it, and its storage. A tab keeps its game when it is loaded again, even by a
// program that was started again. A module that changes `state` calls `update`, which renders the page.
import {BLACK, EMPTY, turnOf, finalScore, outcome, sideName} from "./rules.js";
import {t} from "./words.js";
import {readSettings, writeSettings} from "./controls.js";
import {newTree, packTree, unpackTree, mainFrom, branchOf, nextOf, textOf} from "./tree.js";

export const PERSON = "person";
const noNames = () => ({black: "", white: "", event: "", date: "", opening: "", result: null, file: ""});

export const state = {
  // Stored fields.
  tree: newTree(), players: {black: PERSON, white: "h3"}, names: noNames(),
  // `isPlaying`: a game runs, in which the engine moves by itself. `ended`: how a game ended before its last move, and
  // after how many moves: {winner, why, ply}. `increment` are the seconds that the clock adds for a move.
  isPlaying: true, ended: null, isPaused: false, increment: 0,
  // Set if the game began at a position of a reviewed game, as a variation of it: {ply, players}, the number of moves
  // before that position and the players of the reviewed game. Otherwise null.
  spar: null,
  // Lines that the engine follows as long as it can, as transcripts.
  follow: [],
  // `isOpen`: values may be shown in a running game. `values`: values are switched on, so that all moves are searched.
  isOpen: false, values: false, tab: "moves",
  // The kept game among My games: {id, revision}, or null before the first move of a person.
  own: null,
  // `hasBegun`: the person has begun the game of the first screen. `removed`: the moves deleted last, or null.
  hasBegun: false, removed: null,
  // Fields that are not stored. `setup` is the position that is being set up, `asked` the node of the selected mistake,
  // `shown` the line of play on the board, `hinted` a square for the node {node, square}, `premove` a square that is
  // played after the engine's move, `search` what the engine does ({kind, node, since}), `isAuto` whether the moves are
  // played one by one, `analysing` and `share` an analysis and its progress, and `explored` the answer for a node.
  setup: null, asked: null, shown: null, hinted: null, premove: null, search: null, analysing: null, share: 0,
  explored: null, message: "", isAuto: false,
  // `isResting`: the page was not touched for a while. `isClosed`: the card of the result was closed.
  isResting: false, isClosed: false,
  // Summaries of My games, the newest first, or null before they are needed, and summaries of deleted games.
  games: null, dropped: [],
};
const GAME = ["players", "isPlaying", "ended", "isPaused", "increment", "spar", "follow", "isOpen"], TAB = ["names", "values", "tab", "own", "hasBegun", "removed"];
const packed = names => ({...Object.fromEntries(names.map(name => [name, state[name]])), tree: packTree(state.tree)});
// Pack the game without its names, and unpack it.
export const packGame = () => packed(GAME);
export const unpackGame = ({tree, ...fields}) => Object.assign(state, fields, {tree: unpackTree(tree)});

// Levels of the engine, from the answer to `start`.
export const engine = {people: [], levels: 0, depth: 0};

// Functions of `main` for the other modules: `render` shows the state, `draw` the results of a search (`isLive`: while
// it goes on), `go` a node, and `ask` a mistake in the position before it. `play` plays the move of a person. `drop`
// deletes games with a way back, and `press` clicks a button by its identifier.
/** @type {Record<"render" | "draw" | "go" | "ask" | "play" | "drop" | "press", (argument?: any) => void>} */
export const page = {render() {}, draw() {}, go() {}, ask() {}, play() {}, drop() {}, press() {}};
export const update = () => page.render();
export function tell(text) { state.message = text; update(); }

export const sideOf = color => color === BLACK ? "black" : "white";
export const playerOf = color => state.players[sideOf(color)];
export const isEngine = color => color !== EMPTY && playerOf(color) !== PERSON;
export const isOver = node => turnOf(node.position) === EMPTY;
export const areEngines = () => isEngine(BLACK) && isEngine(-BLACK);
export const isAgainstEngine = () => isEngine(BLACK) !== isEngine(-BLACK);
// Whether values may be shown.
export const seesValues = () => !state.isPlaying || state.isOpen;
// Returns whether moves follow a node. In a game that began at a position of a reviewed game, the moves of the reviewed
// game do not count.
export const goesOn = node => Boolean(nextOf(node)) && !(state.spar && node.ply >= state.spar.ply && !branchOf(nextOf(node)));
export const mainLine = () => mainFrom(state.tree.root);
export const inVariation = () => branchOf(state.tree.now) !== null;
// Whether the first screen is shown: a game that nobody has begun.
export const isFirst = () => state.isPlaying && !state.hasBegun && !nextOf(state.tree.root) && state.tree.now === state.tree.root && isAgainstEngine() && !isEngine(turnOf(state.tree.root.position));
// Whether the page shows an earlier position or a variation of the running game.
export const looksBack = () => state.isPlaying && state.tree.now !== state.tree.live;
export const textOfNow = () => textOf(state.setup ?? state.tree.now.position);

// Whether the game ended at a node.
export const hasEnded = node => isOver(node) || (state.ended?.ply === node.ply && branchOf(node) === null);

// Ends the game before its last move.
export function end(winner, why) {
  const {live} = state.tree;
  // Moves that were taken back are not part of the game.
  live.children = [];
  state.tree.now = live;
  Object.assign(state, {isPlaying: false, hinted: null, ended: {winner, why, ply: live.ply}});
  update();
}

// Returns the analysis of the move that the game played at a node.
const judgedNext = node => node.children.find(child => child.judged)?.judged;

// Returns the score of a node for Black with its depth, or null: of the finished game, of the analysis, or of a search.
// Status, bar, graph and list all show this score.
export function scored(node) {
  if (isOver(node)) return {score: finalScore(node.position), exact: true};
  const next = judgedNext(node);
  return next ? {...next, score: next.best_score} : node.judged ?? node.found ?? null;
}
export const scoreOf = node => scored(node)?.score ?? null;

// Says how the game ended: the person's discs first against Emilia, otherwise the winner's. `node` is the last node of
// the game.
export function resultText(node) {
  if (!isOver(node)) {
    const {winner, why} = state.ended;
    const words = {time: "{loser} has no time left: {winner} wins on time.", resigned: "{loser} resigns: {winner} wins."};
    if (isAgainstEngine() && isEngine(winner)) return t({time: "You have no time left.", resigned: "You resigned."}[why]);
    return t(words[why], {winner: sideName(winner), loser: sideName(-winner)});
  }
  const {winner, discs} = outcome(node.position);
  if (winner === EMPTY) return t("A draw, 32\u201332.");
  if (isAgainstEngine()) return isEngine(winner) ? t("You lose {discs}.", {discs: discs.split("\u2013").reverse().join("\u2013")}) : t("You win {discs}.", {discs});
  return t("{side} wins {discs}.", {side: sideName(winner), discs});
}

// Starts with a position and no moves.
export function begin(start) {
  state.tree = newTree(start);
  Object.assign(state, {own: null, names: noNames(), isPaused: false, spar: null, follow: [], ended: null, asked: null, setup: null, shown: null, hinted: null, explored: null, values: false, message: "", isClosed: false, removed: null, hasBegun: true});
}

// The key leaves out the token, which changes when the program is started again.
const KEY = `emilia ${location.pathname.replace(/^\/[0-9a-f]{32}\//, "/")}`;

// Stores the state in the tab.
export function store() {
  try { sessionStorage.setItem(KEY, JSON.stringify(packed([...GAME, ...TAB]))); }
  catch { /* A browser without storage. */ }
}

// Restores the stored state. Returns whether there is one.
export function restore() {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY));
    if (stored) unpackGame(stored);
    return Boolean(stored);
  } catch { return false; }
}

// Settings outlive the tab and the program.
export const settings = {language: "", opponent: "h3", colour: "black", minutes: 0, increment: 0, start: "standard", named: "f5d6c3d3c4", discs: 20, least: -2, most: 2, values: false, sound: "off", name: "", strength: "h5", other: "3s", depth: 0, ...readSettings()};
export const keepSettings = () => writeSettings(settings);
