// Beginning of a game, and its end before the last move. `newdialog` has the dialog of a new game.
import {BLACK, WHITE, START, turnOf} from "./rules.js";
import {t} from "./words.js";
import {addLine} from "./tree.js";
import {state, update, begin, end, settings, keepSettings, PERSON, sideOf, isEngine, areEngines, isAgainstEngine} from "./state.js";
import {OPPONENTS} from "./players.js";
import {setClocks, stopClock, isTimed} from "./clocks.js";
import {own} from "./mine.js";
import {focusBoard} from "./position.js";

export const CUSTOM = "custom", TWO = "two", ENGINES = "engines";

// Ends the game that began at a position of a reviewed game.
export function leaveSpar() {
  if (state.spar) Object.assign(state, {players: state.spar.players, spar: null, isPlaying: false});
}

// Returns the players of a game with these settings.
export function playersOf({opponent, colour, strength, other}) {
  if (opponent === TWO) return {black: PERSON, white: PERSON};
  if (opponent === ENGINES) return {black: strength, white: other};
  const engine = opponent === CUSTOM ? strength : opponent;
  const isBlack = colour === "black" || (colour === "random" && Math.random() < .5);
  return isBlack ? {black: PERSON, white: engine} : {black: engine, white: PERSON};
}

// Starts a game. Without `minutes` there is no clock.
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
// Starts the game to which the lesson on the rules links (`#first`): Black against the weakest opponent. Returns
// whether the address has this link.
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
// Time in milliseconds within which a second click on Resign resigns: for the person, or for the side to move if both
// are people.
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
