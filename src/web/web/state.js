// State of the page, and its storage. A tab keeps its game when it is loaded again.

const PERSON = "person";

// Searches that run: the engine's move or the values of a position, and the analysis of a game.
let search = null, analysing = null;

// `setup` is the position that is being set up, or null. `asked` is the node of the selected
// mistake, or null. `shown` are the squares of the line that the pointer is on.
let setup = null, asked = null, shown = null;

const noNames = () => ({black: "", white: "", event: "", date: "", opening: ""});
let state = {
  tree: newTree(), players: {black: PERSON, white: "h3"}, minutes: 0, isPaused: false, values: false,
  names: noNames(), games: [], game: 0,
};

const KEY = `emilia ${location.pathname}`;

// Stores the state. A list of games that does not fit is left out.
function store() {
  const packed = {...state, tree: packTree(state.tree)};
  for (const games of [state.games, []]) {
    try { return sessionStorage.setItem(KEY, JSON.stringify({...packed, games})); }
    catch { continue; }
  }
}

// Restores the stored state. Returns whether there is one.
function restore() {
  try {
    const packed = JSON.parse(sessionStorage.getItem(KEY));
    if (!packed) return false;
    state = {...state, ...packed, tree: unpackTree(packed.tree)};
  } catch { return false; }
  return true;
}

const sideOf = color => color === BLACK ? "black" : "white";
const playerOf = color => state.players[sideOf(color)];
const isEngine = color => color !== EMPTY && playerOf(color) !== PERSON;

// Starts a game from a position.
function begin(start) {
  state.tree = newTree(start);
  state.names = noNames();
  state.isPaused = false;
  setClocks(state.tree, state.minutes);
  asked = setup = null;
}
