// Setting up a position: each click on a square changes it from empty to black to white.
import {BLACK, WHITE, EMPTY, turnOf, count, sideName} from "./rules.js";
import {t} from "./words.js";
import {$} from "./controls.js";
import {textOf} from "./tree.js";
import {state, update, tell, begin, PERSON} from "./state.js";
import {setClocks} from "./clocks.js";

export function setUp() {
  const {position} = state.tree.now;
  state.setup = {...position, squares: position.squares.slice(), last: null, mover: turnOf(position) || BLACK};
  update();
}

export function changeSquare(square) {
  const after = {[EMPTY]: BLACK, [BLACK]: WHITE, [WHITE]: EMPTY}, {squares} = state.setup;
  squares[square] = after[squares[square]];
  update();
}

function change(fields) {
  Object.assign(state.setup, fields);
  update();
}

export function leaveSetup() {
  state.setup = null;
  update();
}

// Plays from the position: both sides are moved by the person until a game is started.
function play() {
  if (turnOf(state.setup) === EMPTY) return tell(t("Neither side has a move in this position: add discs."));
  begin(textOf(state.setup));
  setClocks(state.tree.root, 0);
  Object.assign(state, {isPlaying: false, players: {black: PERSON, white: PERSON}});
  update();
}

export function showSetup() {
  const {setup} = state;
  $("setup").hidden = !setup;
  document.body.classList.toggle("setting-up", Boolean(setup));
  if (!setup) return;
  $("set-black").setAttribute("aria-pressed", setup.mover === BLACK);
  $("set-white").setAttribute("aria-pressed", setup.mover === WHITE);
}
export const setupWords = ({squares, mover}) => [t("Setting up a position."),
  t("{black}\u2013{white}, {side} to move.", {black: count(squares, BLACK), white: count(squares, WHITE), side: sideName(mover)})];

export function listenToSetup() {
  $("set-black").addEventListener("click", () => change({mover: BLACK}));
  $("set-white").addEventListener("click", () => change({mover: WHITE}));
  $("set-empty").addEventListener("click", () => change({squares: Array(64).fill(EMPTY)}));
  $("set-done").addEventListener("click", play);
  $("set-cancel").addEventListener("click", leaveSetup);
}
