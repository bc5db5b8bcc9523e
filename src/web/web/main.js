// The board in the browser. One state object, one render: a module that changes `state` calls `update`, which calls
// `render` here.
//
// A click on the board, to the values of the new position:
//   position   makeBoard: the square that was clicked
//   main       choosePlayed: plays there; update, render
//   engine     updateSearch, runLook: asks for the values of the position that is shown
//   transport  listen: POST look (in the page of files: a message to a worker)
//   src/web/server.rs    route, post, start: an idle player runs the search in a thread
//   src/web/searches.rs  look: an event with the values of all moves after each iteration
//   engine     runLook: keeps the event in its node
//   values     showValues: the table, the board and the bar
//
// Other modules: `server` has all requests; `state`, `tree`: the state and its storage, moves and variations;
// `players`, `clocks`; `moves`, `explorer`, `games`: tabs of the panel; `mine`: what is kept; `openings`, `sgf`; `newgame`, `newdialog`, `setup`,
// `share`, `help`: dialogs; `sentences`: what the engine says; `review`: analysis, mistakes, exercises. Tables of texts
// in other languages: `words.tsv`, `more-words.tsv`, `learn-words.tsv`. Modules of `src/review/report/web` are shared with
// the pages of `analyze`.
import {BLACK, WHITE, EMPTY, START, nameOf, squareOf, sideName, turnOf, passOf} from "./rules.js";
import {t, prose, useLanguage, translate} from "./words.js";
import {$, element, announce, onKeys, isPointed, readSettings, showLanguages, wear} from "./controls.js";
import {signOf} from "./tables.js";
import {choose, nextOf, lineFrom, lineTo, branchOf} from "./tree.js";
import {own, keep, refresh, drop, undoDrop, finishDrop} from "./mine.js";
import {state, settings, keepSettings, engine, page, update, tell, store, restore, isEngine, areEngines, isOver, hasEnded, isAgainstEngine, inVariation, looksBack, mainLine, resultText, seesValues, goesOn} from "./state.js";
import {updateSearch, touch, moveNow, hint, playAt} from "./engine.js";
import {updateClocks, isTimed, stopClock} from "./clocks.js";
import {plateOf, listenToNames} from "./players.js";
import {makeBoard, clickable, focusBoard, preview, showBoard, showBar} from "./position.js";
import {showValues} from "./values.js";
import {showNode, showGraph, showMoves, watchGraph, comment, promoteNow, deleteNow} from "./moves.js";
import {mistakeBefore, mistakeAfter, mistakeWords, scoreWords, findsMore, analyze, showProgress, practise, collect} from "./review.js";
import {showExplorer} from "./explorer.js";
import {nameOpening, openingOf} from "./openings.js";
import {loadText, loadFiles, openGames, openLink, showGames, found} from "./games.js";
import {newGame, openFirst, playersOf, rematch, leaveSpar, canResign, resign, resignText} from "./newgame.js";
import {setUp, changeSquare, leaveSetup, showSetup, setupWords, listenToSetup} from "./setup.js";
import * as server from "./server.js";

// A move of a person.
function choosePlayed(square) {
  Object.assign(state, {message: "", isAuto: false});
  const {tree} = state;
  if (!clickable().includes(square)) {
    return tell(looksBack() ? goesOnWords() : state.search?.kind === "move" ? t("The engine is thinking. Use Move now or Pause.") : "");
  }
  own();
  let node = playAt(tree.now, nameOf(square));
  // A move that was taken back and is played again keeps its answer.
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
// From where a running game goes on, a step forward repeats a move that was taken back.
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

// Where a running game goes on while another position of it is shown.
const goesOnWords = () => t("The game goes on after move {number}. Undo takes moves back.", {number: state.tree.live.ply});

// Leaves the variations, and a game that was played from there: to the position of the game at which they begin. Of a
// running game, to where it goes on.
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
// A running game goes on at the node to which moves are taken back or made again.
function goOn(node) {
  if (!node) return;
  state.tree.live = node;
  // The engine would play again at once.
  if (areEngines()) state.isPaused = true;
  go(node);
}
function undone() {
  let at = (state.isPlaying ? state.tree.live : state.tree.now).parent;
  while (at && !isStop(at)) at = at.parent;
  // A game that begins at a position of a reviewed one goes back to there at most.
  return at?.ply >= (state.spar?.ply ?? 0) ? at : null;
}
// Whether the game ended by a word that can be taken back.
const hasGivenUp = () => state.ended !== null && state.ended.why !== "time" && !state.tree.analysis && !state.spar;
function undo() {
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
  // Values are looked for when their table is opened.
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
  if (state.setup) return setupWords(state.setup);
  if (state.asked?.judged) return mistakeWords(state.asked);
  const side = sideName(turn);
  const who = hasEnded(now) ? prose(t("The game is over."), resultText(now))
    : pass !== EMPTY ? t("{passing} has no move and passes. {side} to move.", {passing: sideName(pass), side}) : t("{side} to move.", {side});
  const first = state.isPlaying && state.isPaused ? prose(t("Paused."), who) : who;
  const rest = [now.ply > 0 ? t("After {number}. {move}.", {number: now.ply, move: now.move + (now.judged && seesValues() ? signOf(now.judged) : "")}) : t("Before the first move.")];
  const last = mainLine().at(-1);
  if (!now.parent && now !== last && !state.isPlaying && hasEnded(last)) rest.push(resultText(last));
  if (looksBack()) rest.push(goesOnWords());
  else if (inVariation()) rest.unshift(t("Variation."));
  rest.push(...scoreWords(now));
  const opening = openingOf(now);
  if (opening) rest.push(t("Opening: {opening}.", {opening}));
  return [first, prose(...rest)];
}

// Shows where the game stands. While a search goes on, a screen reader waits for the last score.
function showStatus(isLive) {
  $("status").setAttribute("aria-busy", isLive);
  announce($("status"), ...statusWords());
}

// Whether no game was chosen and nothing learnt here before.
const isNew = !readSettings().opponent && !/\blessons=/.test(document.cookie);

function showButtons() {
  const {now, root} = state.tree, {setup, isPlaying, analysing} = state;
  const disable = (id, isDisabled) => { $(id).disabled = Boolean(isDisabled); };
  const show = (id, isShown) => { $(id).hidden = !isShown; };
  for (const id of ["first", "back", "thumb-back"]) disable(id, setup || !now.parent);
  for (const id of ["undo", "thumb-undo"]) disable(id, setup || !(hasGivenUp() || undone()));
  for (const id of ["next", "last", "thumb-next"]) disable(id, setup || !goesOn(now));
  for (const id of ["hint", "thumb-hint"]) disable(id, setup || clickable().length === 0);
  disable("move-now", state.search?.kind !== "move");
  show("move-now", state.search?.kind === "move");
  disable("set-up", setup);
  const hasMistakes = Boolean(state.tree.analysis) && !isPlaying, isAside = looksBack() || state.spar || (inVariation() && !isPlaying);
  const canAnalyze = analysing || (!isPlaying && nextOf(root) && findsMore());
  show("actions", !setup);
  disable("main-line", setup || !isAside);
  show("play-on", !isPlaying && nextOf(root));
  disable("play-on", isOver(now) || now === mainLine().at(-1));
  for (const id of ["autoplay", "thumb-play"]) {
    disable(id, setup || !goesOn(now));
    $(id).setAttribute("aria-pressed", state.isAuto);
  }
  // To the game stands where Play was.
  show("thumb-play", !isPlaying && !isAside);
  show("pause", isPlaying && (isTimed() || areEngines() || state.isPaused));
  show("resign", canResign());
  $("resign").textContent = resignText();
  show("show-values", isPlaying);
  show("rematch", hasEnded(now) && !state.spar && isAgainstEngine());
  $("new").classList.toggle("primary", !hasMistakes && !canAnalyze && (!isPlaying || !nextOf(root)));
  show("newcomer", isNew && isPlaying && !nextOf(root));
  show("analyze", canAnalyze);
  $("analyze").classList.toggle("primary", !analysing && !hasMistakes);
  $("analyze").textContent = t(analysing ? "Stop the analysis" : "Analyse the game");
  for (const id of ["undo", "thumb-undo"]) show(id, isPlaying || hasGivenUp());
  show("thumb-game", isAside);
  for (const id of ["hint", "thumb-hint"]) show(id, isPlaying || !nextOf(root));
  for (const id of ["previous-mistake", "next-mistake", "thumb-previous", "thumb-following"]) show(id, hasMistakes);
  for (const id of ["previous-mistake", "thumb-previous"]) disable(id, !mistakeBefore());
  for (const id of ["next-mistake", "thumb-following"]) disable(id, !mistakeAfter());
  $("pause").textContent = t(state.isPaused ? "Continue" : "Pause");
  $("pause").setAttribute("aria-pressed", state.isPaused);
  $("values").setAttribute("aria-pressed", state.values && seesValues());
  $("show-values").setAttribute("aria-pressed", state.isOpen);
  $("thumb-menu").setAttribute("aria-pressed", state.tab === "menu");
  for (const tab of TABS) {
    $(`tab-${tab}`).setAttribute("aria-selected", state.tab === tab);
    $(`tab-${tab}`).tabIndex = state.tab === tab ? 0 : -1;
    show(`panel-${tab}`, state.tab === tab);
  }
}
// Shows what the engine has found, wherever it stands. `isLive`: while a search goes on.
function draw(isLive = false) {
  showValues();
  showBoard();
  showBar();
  showGraph();
  showMoves();
  showStatus(isLive);
}
const TABS = ["moves", "values", "explorer", "games", "menu"];

// Shows the state.
function render() {
  const {asked, tree} = state;
  if (asked && asked.parent !== tree.now) state.asked = null;
  // A game ends with its last move, whoever played or repeated it.
  if (state.isPlaying && isOver(tree.live)) state.isPlaying = false;
  autoplay();
  updateSearch();
  updateClocks();
  showButtons();
  draw();
  showSetup();
  showNode();
  showProgress();
  showExplorer();
  showGames();
  $("message").textContent = state.message;
  document.title = state.names.black || state.names.white ? `${plateOf(BLACK)} \u2013 ${plateOf(WHITE)}` : "Emilia";
  nameOpening(tree.now);
  keep();
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
  "thumb-previous": () => ask(mistakeBefore()), "thumb-following": () => ask(mistakeAfter()), "thumb-game": () => backToGame(),
  "save-pgn": () => use("share", "saveGames", found(), "pgn"), "save-sgf": () => use("share", "saveGames", found(), "sgf"), "drop-found": () => drop(found()), undrop: undoDrop,
  "previous-mistake": () => ask(mistakeBefore()), "next-mistake": () => ask(mistakeAfter()),
  autoplay: toggleAutoplay, "thumb-play": toggleAutoplay, look: openLook, judged: () => $("summary-dialog").showModal(),
  "main-line": backToGame, rematch, new: () => use("newdialog", "openDialog"), "new-game": () => use("newdialog", "openDialog"), "play-on": () => use("newdialog", "openDialog", true), analyze, undo, redo, hint,
  "move-now": moveNow, resign,
  pause: () => { state.isPaused = !state.isPaused; update(); },
  "show-values": () => { state.isOpen = !state.isOpen; update(); },
  values: toggleValues, "set-up": setUp, share: () => use("share", "openShare"), help: () => use("help", "openHelp"), "keep-line": () => use("lines", "openLine"), "keep-explored": () => use("lines", "openLine"),
  paste: () => { $("text").value = ""; $("paste-dialog").returnValue = ""; $("paste-dialog").showModal(); $("text").focus(); },
  promote: promoteNow, delete: deleteNow,
  "practise-black": () => practise(BLACK), "practise-white": () => practise(WHITE),
};
// Calls a function of a module that is loaded when it is needed.
async function use(module, name, ...rest) {
  try { await (await import(`./${module}.js`))[name](...rest); }
  catch { tell(t("No connection: load the page again.")); }
}
// Each field of this dialog is a setting.
function openLook() {
  for (const field of $("look-dialog").querySelectorAll("select")) field.value = document.documentElement.dataset[field.name];
  $("look-dialog").showModal();
}
// Buttons that lead on in the game: the keys then belong to the board.
const TO_BOARD = ["main-line", "rematch", "analyze", "undo", "hint", "move-now", "resign", "promote", "delete", "set-up"];
function press(id) {
  if ($(id)?.disabled) return;
  state.message = "";
  state.isAuto = state.isAuto && clicks[id] === toggleAutoplay;
  clicks[id]();
}

// Letters and digits that were typed: a move.
let typed = "";
function type(key) {
  if (/[a-h]/.test(key)) { typed = key; return; }
  if (typed) choosePlayed(squareOf(typed + key));
  typed = "";
}

function listenToKeys() {
  const keys = {
    // The arrows of a list of tabs move between them, for those who came with Tab.
    ArrowLeft: event => event.target.matches?.("[role=tab]") && !isPointed ? nextTab(-1) : press("back"),
    ArrowRight: event => event.target.matches?.("[role=tab]") && !isPointed ? nextTab(1) : press("next"),
    Home: () => press("first"), End: () => press("last"),
    p: () => press("previous-mistake"), n: () => press("next-mistake"), u: () => press("undo"), r: () => press("redo"), i: () => press("hint"),
    m: () => press("move-now"), v: () => press("values"), x: () => openTab(state.tab === "explorer" ? "moves" : "explorer"), "?": () => press("help"),
    Escape: () => { if (state.setup) leaveSetup(); else if (state.shown) preview(null); else backToGame(); },
  };
  for (const key of "abcdefgh12345678") keys[key] = () => type(key);
  onKeys(keys);
}
function nextTab(by) {
  const tabs = TABS.filter(tab => !$(`tab-${tab}`).hidden);
  openTab(tabs[(tabs.indexOf(state.tab) + by + tabs.length) % tabs.length]);
  $(`tab-${state.tab}`).focus();
}

// The wheel over the board steps through the game. A notch is a step.
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

// A finger that moves aside over the board, by more pixels than these, steps through the game.
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
    press(id);
    if (event.detail === 0 && TO_BOARD.includes(id)) focusBoard();
  });
  for (const tab of TABS) $(`tab-${tab}`).addEventListener("click", () => openTab(tab));
  listenToSwipes();
  listenToNames();
  $("look-dialog").addEventListener("change", ({target}) => {
    settings[target.name] = target.value;
    keepSettings();
    wear(settings);
    // The board is made anew.
    if (target.name === "turn") location.reload();
  });
  $("only").addEventListener("input", update);
  $("frame").addEventListener("wheel", turnWheel, {passive: false});
  $("comment").addEventListener("change", () => comment($("comment").value.trim()));
  $("depth").addEventListener("change", () => { settings.depth = Number($("depth").value); keepSettings(); update(); });
  $("player").addEventListener("change", () => collect($("player").value));
  $("file").addEventListener("change", () => { loadFiles($("file").files); $("file").value = ""; });
  $("paste-dialog").addEventListener("close", () => { if ($("paste-dialog").returnValue === "read") loadText($("text").value); });
  const hasFiles = event => event.dataTransfer.types.includes("Files") || event.dataTransfer.types.includes("text/plain");
  document.addEventListener("dragover", event => { if (hasFiles(event)) event.preventDefault(); });
  document.addEventListener("drop", event => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer.files.length > 0) loadFiles(event.dataTransfer.files);
    else loadText(event.dataTransfer.getData("text/plain"));
  });
  document.addEventListener("paste", event => {
    if (event.target instanceof Element && event.target.closest("input, textarea, dialog")) return;
    event.preventDefault();
    if (event.clipboardData.files.length > 0) loadFiles(event.clipboardData.files);
    else loadText(event.clipboardData.getData("text/plain"));
  });
  addEventListener("hashchange", openLink);
  // A phone may end a hidden page without a word.
  document.addEventListener("visibilitychange", () => { store(); update(); });
  for (const kind of ["pointerdown", "pointermove", "keydown", "wheel"]) addEventListener(kind, touch, {capture: true, passive: true});
  touch();
  addEventListener("pagehide", () => { stopClock(); store(); finishDrop(); });
}

async function start() {
  await useLanguage(settings.language);
  translate(document.body);
  const first = await server.start();
  Object.assign(engine, {people: first.people, levels: first.levels, depth: first.depth});
  showLanguages();
  const depths = [...new Set([8, first.depth, 12, 16, 20, 24])].sort((one, other) => one - other);
  $("depth").replaceChildren(...depths.map(depth => element("option", `${depth}`)));
  $("depth").value = settings.depth || first.depth;
  makeBoard(square => state.setup ? changeSquare(square) : choosePlayed(square));
  listenToPage();
  listenToSetup();
  listenToKeys();
  watchGraph();
  Object.assign(page, {render, draw, go, ask, play: choosePlayed});
  const hasGame = first.games.some(({start, transcript}) => transcript || start !== START), hasOld = restore();
  if (!openFirst() && !await openLink() && !hasOld) {
    if (hasGame) await openGames(first);
    else newGame(playersOf(settings));
  }
  update();
  server.holdTab();
}
start().catch(error => { $("message").textContent = error.message; })
  .finally(() => document.documentElement.classList.add("ready"));
