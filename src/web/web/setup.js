// Setting up a position: each click on a square changes it from empty to black to white.

function setUp() {
  setup = {...state.tree.now.position, squares: state.tree.now.position.squares.slice(), last: null};
  setup.mover = turnOf(state.tree.now.position) || BLACK;
  show();
  $("frame").scrollIntoView({block: "nearest"});
}

function changeSquare(square) {
  const after = {[EMPTY]: BLACK, [BLACK]: WHITE, [WHITE]: EMPTY};
  setup.squares[square] = after[setup.squares[square]];
  show();
}

function setMover(color) {
  setup.mover = color;
  show();
}

function emptyBoard() {
  setup.squares.fill(EMPTY);
  show();
}

function leaveSetup() {
  setup = null;
  show();
}

function playSetup() {
  if (turnOf(setup) === EMPTY) return message("Neither side has a move in this position: add discs.");
  newGame(textOf(setup));
}

function showSetup() {
  $("setup").hidden = !setup;
  if (!setup) return;
  $("set-black").setAttribute("aria-pressed", setup.mover === BLACK);
  $("set-white").setAttribute("aria-pressed", setup.mover === WHITE);
}
