// Setting up a position: a click on a square, or a drag over squares, places what is chosen in the palette. Loaded when
// it is needed.
import {BLACK, WHITE, EMPTY, turnOf, count, sideName, squareOf} from "./rules.js";
import {t} from "./words.js";
import {$, disc, fillChoices} from "./controls.js";
import {textOf} from "./tree.js";
import {state, update as render, tell, begin, PERSON} from "./state.js";
import {setClocks} from "./clocks.js";

// Shows the state, with the words on the position.
function update() {
  if (state.setup) state.setup.words = setupWords(state.setup);
  render();
}

export function setUp() {
  const {position} = state.tree.now;
  state.setup = {...position, squares: position.squares.slice(), last: null, mover: turnOf(position) || BLACK, place: changeSquare};
  fillChoices($("mover"), "mover", [["black", disc("black"), t("Black to move")], ["white", disc("white"), t("White to move")]], state.setup.mover === BLACK ? "black" : "white");
  update();
}

const COLORS = {black: BLACK, white: WHITE, empty: EMPTY};
let placed = BLACK;
function changeSquare(square) {
  if (state.setup.squares[square] === placed) return;
  state.setup.squares[square] = placed;
  update();
}
function drag({buttons, clientX, clientY}) {
  const square = state.setup && buttons === 1 && document.elementFromPoint(clientX, clientY)?.closest("[data-square]")?.getAttribute("data-square");
  if (square) changeSquare(squareOf(square));
}

function change(fields) {
  Object.assign(state.setup, fields);
  update();
}

export function leaveSetup() {
  state.setup = null;
  update();
}

// Goes on from the position: the person moves both sides until a game is started.
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
}
const setupWords = ({squares, mover}) => [t("Setting up a position."),
  t("{black}\u2013{white}, {side} to move.", {black: count(squares, BLACK), white: count(squares, WHITE), side: sideName(mover)})];

fillChoices($("palette"), "palette", [["black", disc("black"), t("Black")], ["white", disc("white"), t("White")], ["empty", t("Erase")]], "black");
$("palette").addEventListener("change", ({target}) => { placed = COLORS[target.value]; });
for (const kind of ["pointerdown", "pointermove"]) $("frame").addEventListener(kind, drag);
$("mover").addEventListener("change", ({target}) => change({mover: COLORS[target.value]}));
$("set-empty").addEventListener("click", () => change({squares: Array(64).fill(EMPTY)}));
$("set-done").addEventListener("click", play);
$("set-cancel").addEventListener("click", leaveSetup);
