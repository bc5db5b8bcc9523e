// Games: how one begins, and how one ends before its last move. `newdialog` has the dialog of a new one.
import {BLACK, WHITE, START, turnOf} from "./rules.js";
import {t} from "./words.js";
import {addLine} from "./tree.js";
import {state, update, begin, end, settings, keepSettings, PERSON, sideOf, isEngine, areEngines, isAgainstEngine} from "./state.js";
import {OPPONENTS} from "./players.js";
import {setClocks, stopClock, isTimed} from "./clocks.js";
import {own} from "./mine.js";
import {focusBoard} from "./position.js";

export const CUSTOM = "custom", TWO = "two", ENGINES = "engines";

// Ends the game that began at a position of a reviewed one.
export function leaveSpar() {
  if (state.spar) Object.assign(state, {players: state.spar.players, spar: null, isPlaying: false});
}

// The players that the settings ask for.
export function playersOf({opponent, colour, strength, other}) {
  if (opponent === TWO) return {black: PERSON, white: PERSON};
  if (opponent === ENGINES) return {black: strength, white: other};
  const engine = opponent === CUSTOM ? strength : opponent;
  const isBlack = colour === "black" || (colour === "random" && Math.random() < .5);
  return isBlack ? {black: PERSON, white: engine} : {black: engine, white: PERSON};
}

// Without `minutes` there is no clock.
export function newGame(players, start = START, moves = "", follow = [], minutes = 0) {
  state.analysing?.abort();
  stopClock();
  begin(start);
  const {tree} = state;
  tree.now = tree.live = addLine(tree.root, moves.match(/[a-h][1-8]/g) ?? []);
  setClocks(tree.root, minutes);
  Object.assign(state, {players, follow, isPlaying: true, increment: settings.increment, isOpen: settings.values, tab: "moves"});
  if (isAgainstEngine()) state.names[sideOf(isEngine(BLACK) ? WHITE : BLACK)] = settings.name;
  if (areEngines()) own();
  update();
}
// Starts the game to which the lesson of the rules leads: Black against the weakest opponent. Returns whether it does.
export function openFirst() {
  if (location.hash !== "#first") return false;
  history.replaceState(null, "", location.pathname);
  Object.assign(settings, {opponent: OPPONENTS[0][0], colour: "black"});
  keepSettings();
  newGame(playersOf(settings));
  return true;
}
export function rematch() {
  const {black, white} = state.players;
  newGame({black: white, white: black}, START, "", [], isTimed() ? settings.minutes : 0);
  focusBoard();
}

export const canResign = () => state.isPlaying && !state.spar;
// The side of the person resigns, or the side to move if both are people, with the second click within this
// time in milliseconds.
const MOMENT = 4000;
let asks = null;
export const resignText = () => t(asks ? "Resign?" : "Resign");
export function resign() {
  if (!asks) {
    asks = setTimeout(() => { asks = null; update(); }, MOMENT);
    return update();
  }
  clearTimeout(asks);
  asks = null;
  const loser = isAgainstEngine() ? (isEngine(BLACK) ? WHITE : BLACK) : turnOf(state.tree.live.position);
  stopClock();
  state.tab = "moves";
  end(-loser, "resigned");
}
