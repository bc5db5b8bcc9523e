// The page: what it shows, and the clicks and keys that change its state.

const buttons = makeSquares($("grid"), square => setup ? changeSquare(square) : choosePlayed(square));
let graph = null;

// Shows a sentence about something that went wrong, until the next click.
function message(text) { $("message").textContent = text; }

// Plays a move at a node, and shows the position after it.
function playAt(node, move) {
  stopClock();
  const next = addMove(node, move);
  if (isTimed()) next.clocks ??= [BLACK, WHITE].map(color => secondsLeft(node, color));
  state.tree.now = next;
  return next;
}

// Squares that can be clicked: legal moves, unless it is the engine's turn.
function clickable() {
  const {now} = state.tree, turn = turnOf(now.position);
  if (setup) return [];
  return search?.kind === "move" && isEngine(turn) ? [] : movesOf(now.position);
}

// A move of a person.
function choosePlayed(square) {
  message("");
  if (!clickable().includes(square)) {
    if (search?.kind === "move") message("The engine is thinking. Use Move now or Pause.");
    return;
  }
  let node = playAt(state.tree.now, nameOf(square));
  // A move that was taken back and is played again keeps its answer.
  while (nextOf(node) && !isStop(node)) node = nextOf(node);
  state.tree.now = node;
  show();
}

function go(node) {
  if (setup) return;
  choose(node);
  state.tree.now = node;
  asked = null;
  message("");
  show();
}
function step(by) {
  const nodes = lineFrom(state.tree.root), at = nodes.indexOf(state.tree.now);
  go(nodes[Math.max(0, Math.min(nodes.length - 1, at + by))]);
}

const isOver = node => turnOf(node.position) === EMPTY;

// Returns whether undo and redo stop at a node: a person has the move, or the engine plays both sides.
const isStop = node => !isEngine(turnOf(node.position)) || (isEngine(BLACK) && isEngine(WHITE));
function undo() {
  let at = state.tree.now.parent;
  while (at?.parent && !isStop(at)) at = at.parent;
  if (at) go(at);
}
function redo() {
  let at = nextOf(state.tree.now);
  while (at && nextOf(at) && !isStop(at)) at = nextOf(at);
  if (at) go(at);
}

function newGame(start) {
  analysing?.abort();
  state.games = [];
  begin(start);
  message("");
  show();
}

// Opening names come from the server, once for each position of the first moves.
const OPENING_PLIES = 30;
async function nameOpening(node) {
  if (node.ply === 0 || node.ply > OPENING_PLIES || node.opening !== undefined) return;
  node.opening = null;
  const moves = [];
  for (let at = node; at.parent; at = at.parent) moves.unshift(at.move);
  if (textOf(state.tree.root.position) !== START) return;
  try {
    const read = await (await post("games", new Blob([moves.join("")]))).json();
    node.opening = read.games[0].opening ?? null;
  } catch { node.opening = undefined; }
  if (node === state.tree.now) showStatus();
}
function openingOf(node) {
  for (let at = node; at; at = at.parent) if (at.opening) return at.opening;
  return node.ply > OPENING_PLIES ? state.names.opening : "";
}

function showStatus() {
  const {now} = state.tree, position = setup ?? now.position, turn = turnOf(position), pass = passOf(position);
  const [black, white] = [BLACK, WHITE].map(color => count(position.squares, color));
  const next = nextOf(now)?.judged;
  // A screen reader announces each change, so that the same text is not written again.
  const lines = (first, rest) => {
    if ($("status").textContent !== `${first} ${rest}`) $("status").replaceChildren(element("strong", first), ` ${rest}`);
  };
  if (setup) return lines("Setting up a position.", `${black}\u2013${white}, ${sideName(setup.mover)} to move.`);
  if (asked?.judged) {
    const all = mistakesOf(), {judged} = asked;
    return lines(`${judged.number}. ${judged.move}${SIGNS[judged.grade]} loses ${judged.lost.toFixed(1)} discs; ${judged.best} is best.${foundWords(judged, judged.level)}`,
      `Mistake ${all.indexOf(asked) + 1} of ${all.length}. Score for Black before it ${signed(judged.best_score)}.`);
  }
  const won = black === white ? "a draw" : `${sideName(black > white ? BLACK : WHITE)} wins`;
  const who = turn === EMPTY ? `The game is over: ${won}, ${black}\u2013${white}.`
    : pass !== EMPTY ? `${sideName(pass)} has no move and passes. ${sideName(turn)} to move.` : `${sideName(turn)} to move.`;
  const rest = [now.ply > 0 ? `After ${now.ply}. ${now.move}.` : "Before the first move."];
  if (turn !== EMPTY && (now.judged || next)) rest.push(`Score for Black ${signed(scoreOf(now))}.`);
  if (next && isBad(next)) rest.push(`Next: ${next.move}${SIGNS[next.grade]}, which loses ${next.lost.toFixed(1)}.`);
  if (openingOf(now)) rest.push(`${openingOf(now)}.`);
  lines(who, rest.join(" "));
}

function showBoard() {
  const {now} = state.tree, position = setup ?? now.position;
  // Values would cover the marks of the next move.
  const next = setup || state.values ? null : nextOf(now)?.judged;
  const marks = {};
  if (next) marks.better = squareOf(next.best);
  if (next && isBad(next)) Object.assign(marks, {played: squareOf(next.move), sign: SIGNS[next.grade]});
  drawBoard($("board"), position, marks);
  drawLegend($("legend"), position, marks);
}

// Moves of the current line, as the table of moves and the graph take them.
function rowsOf(nodes) {
  return nodes.slice(1).map(node => node.judged ?? {
    number: node.ply, side: sideOf(turnOf(node.parent.position)), move: node.move, grade: "good",
    better: [], ...node.found,
  });
}

function drawGraph() {
  const nodes = lineFrom(state.tree.root);
  graph = makeGraph($("graph"), {
    moves: rowsOf(nodes), scores: nodes.map(scoreOf), turning_point: nodes.at(-1).analysis?.turning_point,
    // The axis has room for the moves to come.
    length: isOver(nodes.at(-1)) ? nodes.length - 1 : count(state.tree.root.position.squares, EMPTY),
  });
  graph.draw();
  graph.mark(asked ? asked.ply : state.tree.now.ply);
}

let shownRows = "";
function showMoves() {
  const nodes = lineFrom(state.tree.root), rows = rowsOf(nodes), key = JSON.stringify(rows);
  if (key !== shownRows) {
    shownRows = key;
    const choose = one => {
      const node = lineFrom(state.tree.root)[one.number];
      if (isBad(one)) ask(node); else go(node);
    };
    fillMoves($("moves"), {moves: rows}, {hashOf: one => `#${one.number}`, choose, follow: followBetter});
  }
  markRow(asked ? asked.ply : state.tree.now.ply);
  showVariations();
  const {analysis} = nodes.at(-1);
  $("judged").hidden = !analysis;
  const words = analysis ? explain(analysis) : {};
  for (const part of ["graph", "moves", "summary"]) $(`${part}-words`).textContent = (words[part] ?? []).filter(Boolean).join(" ");
  if (analysis) fillSummary($("summary"), analysis);
}

// Buttons of the moves that were tried at the shown position, and instead of the last move.
function showVariations() {
  const {now} = state.tree, panel = $("variation");
  const groups = [now.parent && now.parent.children.length > 1 ? [`Instead of ${now.ply}. ${now.move}:`, now.parent.children.filter(child => child !== now)] : null,
    now.children.length > 1 ? ["Next moves here:", now.children] : null].filter(Boolean);
  panel.replaceChildren(...groups.flatMap(([words, nodes]) => [element("span", words), ...nodes.map(node => {
    const button = element("button", `${node.ply}. ${node.move}`);
    button.addEventListener("click", () => go(node));
    return button;
  })]));
}

function showButtons() {
  const {now, root} = state.tree;
  const set = (id, isDisabled) => { $(id).disabled = Boolean(isDisabled); };
  for (const id of ["first", "back", "undo"]) set(id, setup || !now.parent);
  for (const id of ["next", "last", "redo"]) set(id, setup || !nextOf(now));
  set("previous-mistake", setup || !mistakeBefore());
  set("next-mistake", setup || !mistakeAfter());
  set("move-now", setup || isOver(now));
  set("analyze", !analysing && (setup || !nextOf(root)));
  set("set-up", setup);
  set("pause", setup || isOver(now) || !(isTimed() || isEngine(BLACK) || isEngine(WHITE)));
  $("pause").textContent = state.isPaused ? "Continue" : "Pause";
  $("pause").setAttribute("aria-pressed", state.isPaused);
  $("values").setAttribute("aria-pressed", state.values);
  for (const button of document.querySelectorAll("[data-format]")) button.disabled = Boolean(setup) || (button.dataset.format === "page" && !lineFrom(root).at(-1).analysis);
  for (const side of ["black", "white"]) $(side).value = state.players[side];
  $("clock").value = state.minutes;
}

function show() {
  const {names} = state;
  if (asked && asked.parent !== state.tree.now) asked = null;
  updateSearch();
  updateClocks();
  showBoard();
  showSetup();
  showMoves();
  showValues();
  showStatus();
  showButtons();
  showProgress(analysing ? $("progress").value : null);
  fillGames();
  $("title").textContent = names.black || names.white ? `${names.black || "?"} \u2013 ${names.white || "?"}` : "Emilia";
  $("about").textContent = [names.event, names.date].filter(Boolean).join(" \u00b7 ");
  nameOpening(state.tree.now);
  store();
}

const clicks = {
  first: () => go(state.tree.root), back: () => step(-1), next: () => step(1), last: () => go(lineFrom(state.tree.root).at(-1)),
  "previous-mistake": () => ask(mistakeBefore()), "next-mistake": () => ask(mistakeAfter()),
  new: () => newGame(), "from-here": () => newGame(textOf(state.tree.now.position)), "set-up": setUp,
  "set-black": () => setMover(BLACK), "set-white": () => setMover(WHITE), "set-empty": emptyBoard, "set-done": playSetup, "set-cancel": leaveSetup,
  undo, redo, "move-now": moveNow, analyze: analyzeGame,
  pause: () => { state.isPaused = !state.isPaused; ordered = null; show(); },
  values: () => { state.values = !state.values; show(); },
  paste: () => { $("pasted").hidden = !$("pasted").hidden; if (!$("pasted").hidden) $("text").focus(); },
  read: () => load($("text").value),
  "practise-black": () => practise("black"), "practise-white": () => practise("white"),
  "copy-position": () => copy(textOf(setup ?? state.tree.now.position)),
};
function press(id) {
  if ($(id).disabled) return;
  message("");
  clicks[id]();
}
for (const id of Object.keys(clicks)) $(id).addEventListener("click", () => press(id));
for (const button of document.querySelectorAll("[data-format]")) button.addEventListener("click", () => save(button.dataset.format));
onKeys({
  ArrowLeft: () => press("back"), ArrowRight: () => press("next"), Home: () => press("first"), End: () => press("last"),
  p: () => press("previous-mistake"), n: () => press("next-mistake"), u: () => press("undo"), r: () => press("redo"),
  m: () => press("move-now"), v: () => press("values"), Escape: () => setup && leaveSetup(),
});
for (const side of ["black", "white"]) {
  $(side).addEventListener("change", event => {
    state.players[side] = event.target.value;
    // The search of the old player ends.
    search?.controller.abort();
    search = null;
    show();
  });
}
fillClock($("clock"));
$("clock").addEventListener("change", event => {
  state.minutes = Number(event.target.value);
  setClocks(state.tree, state.minutes);
  show();
});
$("player").addEventListener("change", event => collect(event.target.value));
$("games").addEventListener("change", event => openGame(Number(event.target.value)));
$("file").addEventListener("change", event => {
  const [file] = event.target.files;
  if (file) load(file);
  event.target.value = "";
});
const hasFiles = event => event.dataTransfer.types.includes("Files");
document.addEventListener("dragover", event => { if (hasFiles(event)) event.preventDefault(); });
document.addEventListener("drop", event => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  load(event.dataTransfer.files[0]);
});
$("graph").addEventListener("click", event => {
  const {ring, at} = graph.at(event), nodes = lineFrom(state.tree.root);
  if (ring) ask(nodes[ring.number]);
  else if (nodes[at]) go(nodes[at]);
});

async function start() {
  const first = await (await fetch("start")).json();
  for (const side of ["black", "white"]) fillPlayers($(side), first);
  if (!restore() && (first.games[0].transcript || first.games[0].start !== START)) {
    openGames(first);
  }
  show();
  new ResizeObserver(drawGraph).observe($("graph"));
  addEventListener("pagehide", () => { stopClock(); store(); });
  holdTab().catch(() => {});
}
start().catch(error => message(error.message));
