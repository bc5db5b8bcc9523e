// The board in the browser. One state object, one render: a module that changes `state` calls `update`, which calls
// `render` here.
//
// A click on the board, to the values of the new position:
//   position   makeBoard: names the square that was clicked
//   main       choosePlayed: plays there, then `update` calls `render`
//   engine     updateSearch: calls runLook if values are switched on (`state.values`) and may be seen
//   server     look: sends the request `look` by `listen` of transport, a POST (in the page of files: a message to a worker)
//   src/web/server.rs    post: run_search runs the search in a thread, with an idle player
//   src/web/searches.rs  look: sends an event `hint` with the values of all moves after each iteration
//   engine     runLook: keeps the event as `node.hint` and calls `draw` here
//   main       draw: showValues (values) fills the table, showBoard and showBar (position) draw board and bar
//
// Other modules: `server` has all requests; `state`, `tree`: the state and its storage, moves and variations;
// `players`, `clocks`; `moves`, `explorer`, `games`: tabs of the panel; `mine`: what is kept; `openings`, `sgf`; `newgame`, `newdialog`, `setup`,
// `share`, `help`: dialogs; `sentences`: what the engine says; `review`: analysis, mistakes, exercises. Tables of texts
// in other languages: `words.tsv`, `more-words.tsv`, `learn-words.tsv`. Modules of `src/review/report/web` are shared with
// the pages of `analyze`.
import {BLACK, WHITE, EMPTY, START, nameOf, squareOf, sideName, turnOf, passOf} from "./rules.js";
import {t, prose, signed} from "./words.js";
import {$, element, disc, announce, showVerdict, onKeys, isPointed, notify, openPage, wear, flip} from "./controls.js";
import {signOf, SIGNS} from "./tables.js";
import {choose, nextOf, lineFrom, lineTo, branchOf} from "./tree.js";
import {own, keep, refresh, drop, undoDrop} from "./mine.js";
import {state, settings, keepSettings, engine, page, update, tell, store, restore, isEngine, areEngines, isOver, hasEnded, isAgainstEngine, inVariation, looksBack, mainLine, resultText, seesValues, goesOn, isFirst} from "./state.js";
import {updateSearch, touch, moveNow, hint, playAt} from "./engine.js";
import {updateClocks, isTimed, stopClock} from "./clocks.js";
import {plateOf, listenToNames} from "./players.js";
import {makeBoard, clickable, focusBoard, preview, showBoard, showBar} from "./position.js";
import {showValues} from "./values.js";
import {showNode, showGraph, showMoves, watchGraph, comment, promoteNow, deleteNow, undelete} from "./moves.js";
import {mistakeBefore, mistakeAfter, mistakeWords, scoreWords, findsMore, analyze, showProgress, practise} from "./review.js";
import {nameOpening, openingAt} from "./openings.js";
import {showFirst, listenToFirst, startFirst} from "./first.js";
import {loadText, loadFiles, openGames, openLink} from "./games.js";
import {newGame, openFirst, playersOf, rematch, leaveSpar, canResign, resign, resignText} from "./newgame.js";
import * as server from "./server.js";

// Plays the move of a person, by a click on a square.
function choosePlayed(square) {
  Object.assign(state, {message: "", isAuto: false});
  const {tree} = state;
  if (!clickable().includes(square)) {
    // A click while the engine thinks is played after its move, if it is legal then.
    state.premove = state.search?.kind === "move" && !looksBack() && !areEngines() ? square : null;
    return tell(looksBack() ? goesOnWords() : "");
  }
  state.hasBegun = true;
  own();
  let node = playAt(tree.now, nameOf(square));
  // If the person repeats a move that was taken back, the moves after it are repeated, too.
  while (state.isPlaying && goesOn(node) && !isStop(node)) node = nextOf(node);
  tree.now = node;
  if (state.isPlaying) tree.live = node;
  state.asked = null;
  update();
}

// Shows a node.
function go(node) {
  if (state.setup || !node) return;
  choose(node);
  state.tree.now = node;
  Object.assign(state, {asked: null, shown: null, message: ""});
  update();
}
// Makes a step. At the live node of a running game, a step forward repeats a move that was taken back.
function step(by) {
  if (by > 0 && !goesOn(state.tree.now)) return;
  if (by > 0 && state.isPlaying && !looksBack()) return redo();
  const nodes = lineFrom(state.tree.root), at = nodes.indexOf(state.tree.now);
  go(nodes[Math.max(0, Math.min(nodes.length - 1, at + by))]);
}

// Shows the position before a mistake, with both moves marked.
function ask(node) {
  if (!node || state.setup) return;
  go(node.parent);
  choose(node);
  state.asked = node;
  update();
}

// Says at which move the running game goes on, while another position is shown.
const goesOnWords = () => t("The game goes on after move {number}. Undo takes moves back.", {number: state.tree.live.ply});

// Returns from a variation, or from a game that began there, to the position of the game at which it begins. In a
// running game, goes to the live node.
function backToGame() {
  if (looksBack()) return go(state.tree.live);
  const branch = state.spar ? lineTo(state.tree.now)[state.spar.ply] : branchOf(state.tree.now);
  if (!branch) return;
  leaveSpar();
  choose(mainLine().at(-1));
  const next = branch.children[0];
  if (next?.judged && signOf(next.judged)) ask(next);
  else go(branch);
}

// Returns whether undo and redo stop at a node: a person has the move, or the engine plays both sides.
const isStop = node => !state.isPlaying || !isEngine(turnOf(node.position)) || areEngines();
// Makes a node the live node of a running game, after undo or redo, and shows it.
function goOn(node) {
  if (!node) return;
  state.tree.live = node;
  // Otherwise the engine would play again at once.
  if (areEngines()) state.isPaused = true;
  go(node);
}
function undone() {
  let at = (state.isPlaying ? state.tree.live : state.tree.now).parent;
  while (at && !isStop(at)) at = at.parent;
  // A game that began at a position of a reviewed game goes back to that position at most.
  return at?.ply >= (state.spar?.ply ?? 0) ? at : null;
}
// Whether the game ended by resignation, which can be taken back.
const hasGivenUp = () => state.ended !== null && state.ended.why !== "time" && !state.tree.analysis && !state.spar;
function undo() {
  if (state.removed) return undelete();
  if (!hasGivenUp()) return goOn(undone());
  Object.assign(state, {ended: null, isPlaying: true});
  go(state.tree.live);
}
function redo() {
  const {now, live} = state.tree, from = state.isPlaying ? live : now;
  let at = goesOn(from) ? nextOf(from) : null;
  while (at && nextOf(at) && !isStop(at)) at = nextOf(at);
  goOn(at);
}

function openTab(tab) {
  state.tab = tab;
  // Other tabs of the browser keep games, too.
  if (tab === "games") refresh();
  // Opening the table of values switches values on.
  if (tab === "values" && seesValues()) state.values = true;
  update();
}
function toggleValues() {
  if (!seesValues()) return openTab("values");
  state.values = !state.values;
  if (state.values) state.tab = "values";
  update();
}

function statusWords() {
  const {now} = state.tree, turn = turnOf(now.position), pass = passOf(now.position);
  if (state.setup) return state.setup.words;
  if (state.asked?.judged) return mistakeWords(state.asked);
  const side = sideName(turn), isPlays = state.isPlaying && !looksBack();
  const who = hasEnded(now) ? prose(t("The game is over."), resultText(now))
    : pass !== EMPTY ? t("{passing} has no move and passes. {side} to move.", {passing: sideName(pass), side})
      : isPlays && isAgainstEngine() && !isEngine(turn) ? t("Your turn") : t("{side} to move.", {side});
  const first = state.isPlaying && state.isPaused ? prose(t("Paused."), who) : who;
  const hinted = state.hinted?.square;
  const after = now.ply > 0 ? t("After {number}. {move}.", {number: now.ply, move: now.move + (now.judged && seesValues() ? signOf(now.judged) : "")}) : t("Before the first move."), rest = isPlays ? [] : [after];
  const last = mainLine().at(-1);
  if (!now.parent && now !== last && !state.isPlaying && hasEnded(last)) rest.push(resultText(last));
  if (looksBack()) rest.push(goesOnWords());
  else if (inVariation()) rest.unshift(t("Variation."));
  if (hinted != null) rest.push(t("Hint: {move}.", {move: nameOf(hinted)}));
  rest.push(...scoreWords(now));
  const opening = openingAt(now);
  if (opening) rest.push(t("Opening: {opening}.", {opening}));
  // The list and the plates show the last move of a running game. It is only read aloud.
  return [first, prose(...rest), isPlays ? after : ""];
}

// Shows the status of the game. While a search goes on (`isLive`), a screen reader waits for the last score.
function showStatus(isLive) {
  $("status").setAttribute("aria-busy", isLive);
  announce($("status"), ...statusWords());
  const judged = !state.setup && state.asked?.judged, card = $("slot");
  const kind = {blunder: "bad", mistake: "warn", inaccuracy: "odd"}[judged?.grade] ?? "";
  showVerdict(card, kind, judged ? SIGNS[judged.grade] : "");
  $("change").replaceChildren(...judged ? [disc("black"), `${signed(judged.best_score)} \u2192 `, element("b", signed(judged.score))] : []);
}

// Calls `act` for each button of a table, whose keys are identifiers separated by spaces, with the button and its value
// as a Boolean.
const each = (table, act) => Object.entries(table).forEach(([ids, is]) => ids.split(" ").forEach(id => act($(id), Boolean(is))));
function showButtons() {
  const {now, root} = state.tree, {setup, isPlaying, analysing, tab} = state, isThinking = state.search?.kind === "move";
  const hasMistakes = Boolean(state.tree.analysis) && !isPlaying && !setup, isAside = looksBack() || state.spar || (inVariation() && !isPlaying);
  const canAnalyze = analysing || (!isPlaying && nextOf(root) && findsMore()), isFresh = isFirst() && !setup, isOut = isResult() && !setup;
  each({
    "move-now": isThinking, "first-game": isFresh, moves: !isFresh && !setup, result: isOut, actions: !setup && !isFresh && !isOut, "better-line": !analysing,
    "main-line thumb-game": isAside, "thumb-rematch thumb-analyze": isOut, "thumb-next": !isOut, "thumb-play": !isPlaying && !isAside && !hasMistakes && !isOut, "play-on": nextOf(root), "show-values": isPlaying, "open-more": !isPlaying,
    pause: isPlaying && !isAside && (isTimed() || areEngines() || state.isPaused), resign: canResign() && !isAside,
    rematch: hasEnded(now) && !state.spar && isAgainstEngine(), new: !isPlaying && !hasMistakes && !isAside, analyze: canAnalyze && !isAside,
    "undo thumb-undo": isPlaying || hasGivenUp() || state.removed, "hint thumb-hint": isPlaying && !looksBack(),
    "previous-mistake next-mistake thumb-previous thumb-following": hasMistakes,
    ...Object.fromEntries(TABS.map(name => [`panel-${name}`, (setup ? "moves" : tab) === name])),
  }, (one, is) => { one.hidden = !is; });
  each({
    "first back thumb-back": setup || !now.parent, "next last thumb-next autoplay thumb-play": setup || !goesOn(now), "undo thumb-undo": setup || !(state.removed || hasGivenUp() || undone()),
    "hint thumb-hint": setup || clickable().length === 0, "move-now": !isThinking, "set-up": setup, "play-on": isOver(now) || now === mainLine().at(-1),
    "previous-mistake thumb-previous": !mistakeBefore(), "next-mistake thumb-following": !mistakeAfter(),
  }, (one, is) => { one.disabled = is; });
  each({
    "autoplay thumb-play": state.isAuto, pause: state.isPaused, values: state.values && seesValues(), "show-values": state.isOpen, "thumb-menu": tab === "menu",
  }, (one, is) => one.setAttribute("aria-pressed", is));
  each({new: !canAnalyze, analyze: !analysing && !hasMistakes}, (one, is) => one.classList.toggle("primary", is));
  $("slot").classList.toggle("hide", isFresh || isOut);
  $("resign").lastChild.textContent = resignText();
  $("analyze").textContent = t(analysing ? "Stop the analysis" : "Analyse the game");
  $("pause").textContent = t(state.isPaused ? "Continue" : "Pause");
  for (const name of TABS) {
    $(`tab-${name}`).setAttribute("aria-selected", tab === name);
    $(`tab-${name}`).tabIndex = tab === name ? 0 : -1;
  }
}
const TABS = ["moves", "values", "explorer", "games", "menu"];
// Shows the results of the engine in all their places. `isLive`: a search goes on.
function draw(isLive = false) {
  showValues();
  showBoard();
  showBar();
  showGraph();
  showMoves();
  showStatus(isLive);
}

// Shows the state.
function render() {
  const {asked, tree} = state;
  if (asked && asked.parent !== tree.now) state.asked = null;
  // A game ends with its last move, whoever played or repeated it.
  if (state.isPlaying && isOver(tree.live)) Object.assign(state, {isPlaying: false, isClosed: false, tab: "moves"});
  premove();
  autoplay();
  updateSearch();
  updateClocks();
  showButtons();
  draw();
  if (state.setup || document.body.matches(".setting-up")) use("setup", "showSetup");
  showNode();
  showProgress();
  if (state.tab === "explorer") use("explorer", "showExplorer");
  if (state.tab === "games") use("gamelist", "showGames");
  showFirst();
  if (isResult()) use("result", "showResult");
  $("message").textContent = state.message;
  document.title = state.names.black || state.names.white ? `${plateOf(BLACK)} \u2013 ${plateOf(WHITE)}` : "Emilia";
  nameOpening(tree.now);
  sound();
  keep();
}

// Whether the card of the result is shown: at the end of a game that was played here.
const isResult = () => !state.isPlaying && !state.isClosed && !state.analysing && !state.tree.analysis && !state.spar && state.own !== null && hasEnded(state.tree.now)
  && state.tree.now === mainLine().at(-1) && (isAgainstEngine() || areEngines());

// Plays the move that was clicked while the engine was thinking.
function premove() {
  const square = state.premove;
  if (square == null || state.search?.kind === "move" && state.search.node === state.tree.live && isEngine(turnOf(state.tree.live.position))) return;
  state.premove = null;
  if (state.isPlaying && !looksBack() && clickable().includes(square)) queueMicrotask(() => choosePlayed(square));
}

// Plays a sound for what is new on the board: a disc, a selected mistake, or the end of a game.
let sounded = null;
function sound() {
  const {tree: {now}, asked} = state, is = asked ?? now, before = sounded;
  sounded = is;
  if (settings.sound !== "on" || !before || before === is) return;
  if (asked) use("sound", "play", "mistake");
  else if (now.parent === before) use("sound", "play", hasEnded(now) ? "end" : "disc");
}

// Plays the moves one by one, until another button is pressed. The time for each is in milliseconds.
const STEP = 1200;
let timer = 0;
function toggleAutoplay() {
  state.isAuto = !state.isAuto;
  update();
}
function autoplay() {
  clearTimeout(timer);
  state.isAuto = state.isAuto && Boolean(nextOf(state.tree.now));
  if (state.isAuto) timer = setTimeout(() => step(1), STEP);
}

const clicks = {
  first: () => go(state.tree.root), back: () => step(-1), next: () => step(1), last: () => go(state.isPlaying ? state.tree.live : lineFrom(state.tree.root).at(-1)),
  "thumb-undo": () => undo(), "thumb-back": () => step(-1), "thumb-hint": hint, "thumb-next": () => step(1), "thumb-menu": () => openTab(state.tab === "menu" ? "moves" : "menu"),
  "thumb-previous": () => ask(mistakeBefore()), "thumb-following": () => ask(mistakeAfter()), "thumb-rematch": rematch, "thumb-analyze": analyze, "thumb-game": () => backToGame(),
  "save-pgn": () => use("gamelist", "saveFound", "pgn"), "save-sgf": () => use("gamelist", "saveFound", "sgf"), "drop-found": () => use("gamelist", "dropFound"), "practise-mine": () => use("gamelist", "practiseMine"), rename: () => use("gamelist", "renameActed"), "drop-one": () => use("gamelist", "dropActed"), flip, copy: () => use("share", "copyLink"), "start-game": startFirst, undrop: undoDrop,
  "previous-mistake": () => ask(mistakeBefore()), "next-mistake": () => ask(mistakeAfter()),
  autoplay: toggleAutoplay, "thumb-play": toggleAutoplay, look: openLook, judged: () => $("summary-dialog").showModal(),
  "main-line": backToGame, rematch, new: () => use("newdialog", "openDialog"), "new-game": () => use("newdialog", "openDialog"), opponent: () => use("newdialog", "openDialog"), "play-on": () => use("newdialog", "openDialog", true), analyze, undo, redo, hint,
  "move-now": moveNow, resign,
  pause: () => { state.isPaused = !state.isPaused; update(); },
  "show-values": () => { state.isOpen = !state.isOpen; update(); },
  values: toggleValues, "set-up": () => use("setup", "setUp"), share: () => use("share", "openShare"), help: () => use("help", "openHelp"), "keep-line": () => use("lines", "openLine", state.tree.now), "keep-explored": () => use("lines", "openLine", state.tree.now),
  paste: () => { $("text").value = $("paste-message").textContent = ""; $("paste-dialog").showModal(); $("text").focus(); },
  read: readPasted,
  promote: promoteNow, delete: () => { deleteNow(); offer(t("The moves are deleted."), undelete); },
  "practise-black": () => practise(BLACK), "practise-white": () => practise(WHITE),
};
// Names what was deleted, with a button that puts it back.
const offer = (text, act) => notify(text, t("Put back"), act);
function dropGames(games) {
  drop(games);
  offer(t("{n} game deleted.|{n} games deleted.", {n: games.length}), undoDrop);
}
// Calls a function of a module that is loaded when it is needed.
async function use(module, name, ...rest) {
  try { await (await import(`./${module}.js`))[name](...rest); }
  catch {
    const text = t("No connection: load the page again.");
    if (text !== state.message) tell(text);
  }
}
// Says why games cannot be read.
const said = reading => reading.then(why => { if (why) tell(why); });
// The dialog keeps a text that cannot be read.
async function readPasted() {
  const why = await loadText($("text").value);
  $("paste-message").textContent = why ?? "";
  if (!why) $("paste-dialog").close();
}
// Each field of this dialog is a setting.
function openLook() {
  $("my-name").value = settings.name;
  for (const field of $("look-dialog").querySelectorAll("select")) field.value = document.documentElement.dataset[field.name];
  $("look-dialog").showModal();
}
// Buttons after whose click the focus, and with it the keys, goes to the board.
const TO_BOARD = ["main-line", "rematch", "analyze", "undo", "hint", "move-now", "resign", "promote", "delete", "set-up"];
function press(id) {
  if ($(id)?.disabled) return;
  state.message = "";
  state.isAuto = state.isAuto && clicks[id] === toggleAutoplay;
  clicks[id]();
}

// The letter typed last, the column of a move. A digit after it completes the move.
let typed = "";
function type(key) {
  if (/[a-h]/.test(key)) { typed = key; return; }
  if (typed) choosePlayed(squareOf(typed + key));
  typed = "";
}

function listenToKeys() {
  /** @type {Record<string, (event?: any) => any>} */
  const keys = {
    // Arrow keys move between tabs if a tab has the focus by keyboard.
    ArrowLeft: event => event.target.matches?.("[role=tab]") && !isPointed ? nextTab(-1) : press("back"),
    ArrowRight: event => event.target.matches?.("[role=tab]") && !isPointed ? nextTab(1) : press("next"),
    Home: () => press("first"), End: () => press("last"),
    p: () => press("previous-mistake"), n: () => press("next-mistake"), u: () => press("undo"), r: () => press("redo"), i: () => press("hint"),
    m: () => press("move-now"), v: () => press("values"), x: () => openTab(state.tab === "explorer" ? "moves" : "explorer"), "?": () => press("help"),
    Escape: () => { if (state.setup) use("setup", "leaveSetup"); else if (state.shown) preview(null); else if (isResult()) { state.isClosed = true; update(); } else backToGame(); },
  };
  for (const key of "abcdefgh12345678") keys[key] = () => type(key);
  // The letter `f` begins a move where one can be played. Elsewhere it turns the board.
  keys.f = event => clickable().length > 0 && !event.shiftKey ? type("f") : press("flip");
  onKeys(keys);
}
function nextTab(by) {
  const tabs = TABS.filter(tab => !$(`tab-${tab}`).hidden);
  openTab(tabs[(tabs.indexOf(state.tab) + by + tabs.length) % tabs.length]);
  $(`tab-${state.tab}`).focus();
}

// The wheel over the board steps through the game, a step for each notch of this size.
const NOTCH = 50;
let turned = 0;
function turnWheel(event) {
  if (event.ctrlKey) return;
  event.preventDefault();
  turned += event.deltaY;
  if (Math.abs(turned) < NOTCH) return;
  step(Math.sign(turned));
  turned = 0;
}

// A finger that swipes over the board by more than this number of pixels steps through the game.
const SWIPE = 40;
function listenToSwipes() {
  let from = null;
  $("frame").addEventListener("pointerdown", event => { from = event.pointerType === "mouse" ? null : event.clientX; });
  $("frame").addEventListener("pointerup", event => {
    const moved = from === null ? 0 : event.clientX - from;
    from = null;
    if (Math.abs(moved) > SWIPE) step(-Math.sign(moved));
  });
}

function listenToPage() {
  for (const id of Object.keys(clicks)) $(id)?.addEventListener("click", event => {
    if (id === "help") event.preventDefault();
    press(id);
    if (event.detail === 0 && TO_BOARD.includes(id)) focusBoard();
  });
  for (const tab of TABS) $(`tab-${tab}`).addEventListener("click", () => openTab(tab));
  listenToSwipes();
  listenToNames();
  $("look-dialog").addEventListener("change", ({target}) => {
    settings[target.id === "my-name" ? "name" : target.name] = target.value.trim();
    keepSettings();
    wear(settings);
    // The page is reloaded, so that the board is made anew.
    if (target.name === "turn") location.reload();
    update();
  });
  $("only").addEventListener("input", update);
  $("frame").addEventListener("wheel", turnWheel, {passive: false});
  $("comment").addEventListener("change", () => comment($("comment").value.trim()));
  $("depth").addEventListener("change", () => { settings.depth = Number($("depth").value); keepSettings(); update(); });
  $("file").addEventListener("change", () => { said(loadFiles($("file").files)); $("file").value = ""; });
  const hasFiles = event => event.dataTransfer.types.includes("Files") || event.dataTransfer.types.includes("text/plain");
  document.addEventListener("dragover", event => { if (hasFiles(event)) event.preventDefault(); });
  document.addEventListener("drop", event => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    said(event.dataTransfer.files.length > 0 ? loadFiles(event.dataTransfer.files) : loadText(event.dataTransfer.getData("text/plain")));
  });
  document.addEventListener("paste", event => {
    if (event.target instanceof Element && event.target.closest("input, textarea, dialog")) return;
    event.preventDefault();
    said(event.clipboardData.files.length > 0 ? loadFiles(event.clipboardData.files) : loadText(event.clipboardData.getData("text/plain")));
  });
  addEventListener("hashchange", openLink);
  // A phone may end a hidden page without a word.
  document.addEventListener("visibilitychange", () => { store(); update(); });
  for (const kind of ["pointerdown", "pointermove", "keydown", "wheel"]) addEventListener(kind, touch, {capture: true, passive: true});
  touch();
  addEventListener("pagehide", () => { stopClock(); store(); });
}

async function start() {
  await openPage();
  const first = await server.start();
  Object.assign(engine, {people: first.people, levels: first.levels, depth: first.depth});
  const depths = [...new Set([8, first.depth, 12, 16, 20, 24])].sort((one, other) => one - other);
  $("depth").replaceChildren(...depths.map(depth => element("option", `${depth}`)));
  $("depth").value = settings.depth || first.depth;
  makeBoard(square => state.setup ? state.setup.place(square) : choosePlayed(square));
  listenToPage();
  listenToFirst();
  listenToKeys();
  watchGraph();
  Object.assign(page, {render, draw, go, ask, play: choosePlayed, drop: dropGames, press});
  const hasGame = first.games.some(({start, transcript}) => transcript || start !== START), hasOld = restore();
  if (!openFirst() && !await openLink() && !hasOld) {
    if (hasGame) await openGames(first);
    else {
      newGame(playersOf(settings));
      state.hasBegun = false;
    }
  }
  update();
  server.holdTab();
  if (location.hash === "#help") press("help");
}
start().catch(error => { $("message").textContent = error.message; })
  .finally(() => document.documentElement.classList.add("ready"));
