// Review: games that are loaded, their analysis with its mistakes, and files that are saved.

const mistakesOf = () => lineFrom(state.tree.root).filter(node => node.judged && isBad(node.judged));
const mistakeBefore = () => mistakesOf().findLast(node => asked ? node.ply < asked.ply : node.ply <= state.tree.now.ply);
const mistakeAfter = () => mistakesOf().find(node => node.ply > (asked ? asked.ply : state.tree.now.ply));

// Shows the position before a mistake, with arrows from the played move to the better one.
function ask(node) {
  if (!node) return;
  go(node.parent);
  asked = node;
  show();
}

// Plays the better line of a move, as a variation.
function followBetter(judged) {
  if (setup) return;
  const node = lineFrom(state.tree.root)[judged.number - 1];
  let at = node;
  for (const move of judged.better) at = move === "pass" ? at : addMove(at, move);
  go(nextOf(node));
}

// Reads games from a file or a text. Shows the first.
async function load(text) {
  message("");
  try {
    openGames(await (await post("games", text instanceof Blob ? text : new Blob([text]))).json());
    $("pasted").hidden = true;
  } catch (error) { message(error.message); }
}

// Shows the first of the games that the server has read, and a message about those that are missing.
function openGames({games, bad, why, warning, left_out: leftOut}) {
  state.games = games;
  openGame(0);
  if (warning) message(warning);
  if (bad > 0) message(`${bad} of ${bad + games.length} games could not be read: ${why}`);
  if (leftOut > 0) message(`The first ${games.length} games are here; ${leftOut} more are left out.`);
}

function openGame(index) {
  const game = state.games[index];
  analysing?.abort();
  state.minutes = 0;
  begin(game.start);
  state.game = index;
  let node = state.tree.root;
  for (const move of game.transcript.match(/[a-h][1-8]/g) ?? []) node = addMove(node, move);
  for (const tag of Object.keys(state.names)) state.names[tag] = game[tag] ?? "";
  if (node !== state.tree.root) state.players = {black: PERSON, white: PERSON};
  // A finished game is reviewed from its start, another one continued at its end.
  if (!isOver(node)) state.tree.now = node;
  show();
}

let listedGames = null;
function fillGames() {
  const {games, game} = state;
  $("collection").hidden = $("of-player").hidden = games.length < 2;
  if (listedGames !== games) {
    listedGames = games;
    const nameOfGame = ({black, white, date}, index) => `${index + 1}. ${black || "?"} \u2013 ${white || "?"} ${date}`;
    $("games").replaceChildren(...games.map((one, index) => element("option", nameOfGame(one, index), {value: index})));
    const names = [...new Set(games.flatMap(({black, white}) => [black, white]))].filter(Boolean).sort();
    $("player").replaceChildren(...["", ...names].map(name => element("option", name || "\u2026", {value: name})));
  }
  $("games").value = game;
}

// The current line as the record of a game.
function record() {
  const {tree, names} = state;
  const ofSide = color => names[sideOf(color)] || playerName(playerOf(color));
  return {...names, black: ofSide(BLACK), white: ofSide(WHITE), start: textOf(tree.root.position), transcript: transcriptOf(tree)};
}

async function analyzeGame() {
  if (analysing) return analysing.abort();
  const nodes = lineFrom(state.tree.root);
  analysing = new AbortController();
  state.isPaused = isEngine(BLACK) || isEngine(WHITE);
  message("");
  show();
  try {
    await listen("analyze", {game: record(), depth: Number($("depth").value)}, analysing.signal, event => {
      if (event.kind === "progress") return showProgress(event.done / event.all);
      attach(nodes, event);
    });
  } catch (error) { if (!analysing.signal.aborted) message(error.message); }
  analysing = null;
  show();
}

// Makes exercises from the mistakes of a side, and goes to the page of exercises.
async function practise(side) {
  try {
    const {analysis} = lineFrom(state.tree.root).at(-1);
    const {mistakes} = await (await post("practise", {game: record(), analysis, side})).json();
    if (mistakes > 0) location.href = "practice";
    else message(`${side === "black" ? "Black" : "White"} lost 2 discs nowhere.`);
  } catch (error) { message(error.message); }
}

// Makes exercises from the mistakes of a player in all loaded games.
let collecting = null;
async function collect(player) {
  collecting?.abort();
  const {signal} = collecting = new AbortController(), tell = text => { $("collected").textContent = text; };
  tell("");
  if (!player) return;
  const games = state.games.filter(({black, white}) => player === black || player === white);
  tell(`0 of ${games.length} games analysed`);
  try {
    await listen("collect", {games, player}, signal, event => {
      if (event.kind === "progress") tell(`${event.done} of ${event.all} games analysed`);
      else if (event.mistakes > 0) location.href = "practice";
      else tell(`${player} lost 2 discs nowhere.`);
    });
  } catch (error) { if (!signal.aborted) message(error.message); }
}

function showProgress(share) {
  $("progress").hidden = share === null;
  $("analyze").textContent = share === null ? "Analyse the game" : "Stop the analysis";
  if (share !== null) $("progress").value = share;
}

const FILES = {
  sgf: {ending: "sgf", type: "application/x-go-sgf"}, ggf: {ending: "ggf", type: "text/plain"},
  transcript: {ending: "txt", type: "text/plain"}, page: {ending: "html", type: "text/html"},
};

async function save(format) {
  message("");
  try {
    const response = await post("save", format === "page" ? {format, analysis: lineFrom(state.tree.root).at(-1).analysis} : {format, game: record()});
    const {ending, type} = FILES[format], date = new Date().toISOString().slice(0, 10);
    download(`emilia-${date}.${ending}`, await response.text(), type);
  } catch (error) { message(error.message); }
}
