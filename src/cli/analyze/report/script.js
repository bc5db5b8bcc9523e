"use strict";
(() => {
const game = JSON.parse(document.getElementById("game").textContent);
const $ = id => document.getElementById(id);
const BLACK = 1, WHITE = -1, EMPTY = 0;

// The rules. A position is 64 squares from a1 to h8, and who is to move.
const nameOf = square => "abcdefgh"[square % 8] + (1 + (square >> 3));
const squareOf = name => name.charCodeAt(0) - 97 + 8 * (name.charCodeAt(1) - 49);
const STEPS = [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];
function flips(squares, mover, square) {
  if (squares[square] !== EMPTY) return [];
  const all = [];
  for (const [fileStep, rankStep] of STEPS) {
    const run = [];
    let file = square % 8 + fileStep, rank = (square >> 3) + rankStep;
    while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
      const at = file + 8 * rank;
      if (squares[at] === -mover) run.push(at);
      else { if (squares[at] === mover) all.push(...run); break; }
      file += fileStep; rank += rankStep;
    }
  }
  return all;
}
const canMove = (squares, mover) => squares.some((_, square) => flips(squares, mover, square).length > 0);
function parse(text) {
  const color = letter => "X*".includes(letter) ? BLACK : letter === "O" ? WHITE : EMPTY;
  const mover = text.trim().endsWith("O") ? WHITE : BLACK;
  return {squares: Array.from(text.slice(0, 64), color), mover, last: null};
}
// The position after a move; passes that are forced and left out are made.
function play(position, move) {
  let {squares, mover} = position;
  if (move === "pass") return {squares, mover: -mover, last: null};
  const square = squareOf(move);
  let turned = flips(squares, mover, square);
  if (turned.length === 0) { mover = -mover; turned = flips(squares, mover, square); }
  squares = squares.slice();
  for (const at of [square, ...turned]) squares[at] = mover;
  return {squares, mover: -mover, last: square};
}
const obf = ({squares, mover}) =>
  squares.map(disc => disc === BLACK ? "X" : disc === WHITE ? "O" : "-").join("") + (mover === BLACK ? " X;" : " O;");

// What is shown: the game after so many moves, or a better line from there on.
const positions = [parse(game.start)];
for (const one of game.moves) positions.push(play(positions[positions.length - 1], one.move));
let ply = 0;
let line = null;

const signed = score => (score >= 0.05 ? "+" : score <= -0.05 ? "\u2212" : "") + Math.abs(score).toFixed(1);
const marks = {good: "", inaccuracy: "?!", mistake: "?", blunder: "??"};
const sideName = color => color === BLACK ? "Black" : "White";
const playerOf = side => (side === "black" ? game.black : game.white) || (side === "black" ? "Black" : "White");
const element = (tag, text, attributes = {}) => {
  const made = document.createElement(tag);
  made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
};

function current() {
  if (!line) return positions[ply];
  return line.positions[line.at];
}

function drawBoard() {
  const {squares, mover, last} = current();
  const cell = 50, edge = 26, size = 8 * cell + edge + 8;
  const parts = [`<svg viewBox="0 0 ${size} ${size}" aria-hidden="true"><defs>`,
    `<radialGradient id="b" cx=".36" cy=".3" r=".8"><stop offset="0" stop-color="#5b6068"/><stop offset=".5" stop-color="#22252a"/><stop offset="1" stop-color="#08090a"/></radialGradient>`,
    `<radialGradient id="w" cx=".36" cy=".3" r=".85"><stop offset="0" stop-color="#ffffff"/><stop offset=".65" stop-color="#eceae2"/><stop offset="1" stop-color="#b9b6aa"/></radialGradient></defs>`,
    `<rect width="${size}" height="${size}" rx="8" fill="var(--rim)"/><rect x="${edge}" y="${edge}" width="${8 * cell}" height="${8 * cell}" fill="var(--felt)"/>`];
  for (let i = 0; i <= 8; i++)
    parts.push(`<path d="M${edge + i * cell} ${edge}v${8 * cell}M${edge} ${edge + i * cell}h${8 * cell}" stroke="var(--felt-line)" stroke-width="1.4"/>`);
  for (const [x, y] of [[2, 2], [6, 2], [2, 6], [6, 6]])
    parts.push(`<circle cx="${edge + x * cell}" cy="${edge + y * cell}" r="3.6" fill="var(--felt-line)"/>`);
  for (let i = 0; i < 8; i++)
    parts.push(`<text x="${edge + (i + .5) * cell}" y="18" text-anchor="middle" font-size="14" fill="#efe9df">${"abcdefgh"[i]}</text>`,
      `<text x="13" y="${edge + (i + .5) * cell + 5}" text-anchor="middle" font-size="14" fill="#efe9df">${i + 1}</text>`);
  const center = square => [edge + (square % 8 + .5) * cell, edge + ((square >> 3) + .5) * cell];
  squares.forEach((disc, square) => {
    const [x, y] = center(square);
    if (disc !== EMPTY)
      parts.push(`<ellipse cx="${x + 1}" cy="${y + 2.5}" rx="21" ry="20.5" fill="#000" opacity=".3"/><circle cx="${x}" cy="${y}" r="20.5" fill="url(#${disc === BLACK ? "b" : "w"})"/>`);
    else if (flips(squares, mover, square).length > 0)
      parts.push(`<circle cx="${x}" cy="${y}" r="3.5" fill="#fff" opacity=".4"/>`);
  });
  if (last !== null) {
    const [x, y] = center(last);
    parts.push(`<circle cx="${x}" cy="${y}" r="5" fill="#d8382b"/>`);
  }
  const next = game.moves[ply];
  if (!line && next) {
    const [x, y] = center(squareOf(next.best));
    parts.push(`<circle cx="${x}" cy="${y}" r="16" fill="none" stroke="#ffd45c" stroke-width="3"/>`);
  }
  parts.push("</svg>");
  $("board").innerHTML = parts.join("");
  const count = color => squares.filter(disc => disc === color).length;
  $("board").setAttribute("aria-label", `${count(BLACK)} black discs, ${count(WHITE)} white discs; ` +
    (last === null ? "" : `last move ${nameOf(last)}; `) + `${sideName(mover)} to move`);
}

function tellStatus() {
  const {squares, mover} = current();
  const count = color => squares.filter(disc => disc === color).length;
  const discs = `${count(BLACK)}\u2013${count(WHITE)}`;
  const over = !canMove(squares, BLACK) && !canMove(squares, WHITE);
  const turn = over ? "the game is over" : `${sideName(canMove(squares, mover) ? mover : -mover)} to move`;
  if (line) {
    $("status").textContent = `Better line, ${discs}, ${turn}. Its score for Black: ${signed(game.moves[line.from].best_score)}.`;
    return;
  }
  const done = ply > 0 ? `After ${ply}. ${game.moves[ply - 1].move}` : "Before the first move";
  const score = game.scores[ply];
  let text = `${done}: ${discs}, ${turn}.`;
  if (score !== undefined) text += ` Score for Black ${signed(score)}.`;
  const next = game.moves[ply];
  if (next) {
    text += ` Next: ${next.move}${marks[next.grade]}`;
    text += next.lost >= 0.05 ? `, which loses ${next.lost.toFixed(1)} (best: ${next.best}).` : ".";
  }
  $("status").textContent = text;
}

function drawVariation() {
  const panel = $("variation");
  const next = game.moves[ply];
  panel.hidden = !line && !(next && next.better.length > 0);
  panel.replaceChildren();
  if (panel.hidden) return;
  if (!line) {
    const button = element("button", `Play the better line: ${next.better.slice(0, 6).join(" ")}`, {id: "better"});
    button.addEventListener("click", () => follow(ply));
    panel.append(button);
    return;
  }
  panel.append(element("p", `Instead of ${line.from + 1}. ${game.moves[line.from].move}:`));
  line.moves.forEach((move, index) => {
    const button = element("button", move);
    if (index + 1 === line.at) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => { line.at = index + 1; show(); });
    panel.append(button);
  });
  const back = element("button", "back to the game");
  back.addEventListener("click", () => go(line.from));
  panel.append(back);
}

// The graph: one unit to the right for each move.
const WIDTH = 640, HEIGHT = 220, LEFT = 40, RIGHT = 8, TOP = 8, BOTTOM = 22;
const most = Math.max(8, ...game.scores.map(Math.abs)) * 1.05;
const xOf = at => LEFT + (WIDTH - LEFT - RIGHT) * at / Math.max(1, game.moves.length);
const yOf = score => TOP + (HEIGHT - TOP - BOTTOM) * (most - score) / (2 * most);
function drawGraph() {
  const step = [2, 4, 5, 10, 20, 32].find(step => most / step <= 4) || 32;
  const parts = [`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Scores of the game">`];
  const certain = game.moves.findIndex(one => one.exact);
  if (certain >= 0)
    parts.push(`<rect class="exact-area" x="${xOf(certain)}" y="${TOP}" width="${WIDTH - RIGHT - xOf(certain)}" height="${HEIGHT - TOP - BOTTOM}"/>`);
  for (let score = -Math.floor(most / step) * step; score <= most; score += step)
    parts.push(`<path class="${score === 0 ? "zero" : "grid"}" d="M${LEFT} ${yOf(score)}H${WIDTH - RIGHT}"/><text x="${LEFT - 6}" y="${yOf(score) + 4}" text-anchor="end">${score > 0 ? "+" : score < 0 ? "\u2212" : ""}${Math.abs(score)}</text>`);
  for (let at = 0; at <= game.moves.length; at += 10)
    parts.push(`<text x="${xOf(at)}" y="${HEIGHT - 6}" text-anchor="middle">${at}</text>`);
  if (game.turning_point)
    parts.push(`<path class="turn" d="M${xOf(game.turning_point)} ${TOP}V${HEIGHT - BOTTOM}"/>`);
  const points = game.scores.map((score, at) => `${xOf(at).toFixed(1)} ${yOf(score).toFixed(1)}`);
  if (points.length > 0)
    parts.push(`<path class="area" d="M${xOf(0)} ${yOf(0)}L${points.join("L")}L${xOf(game.scores.length - 1)} ${yOf(0)}Z"/><path class="curve" d="M${points.join("L")}"/>`);
  for (const one of game.moves)
    if (one.grade !== "good")
      parts.push(`<circle class="${one.grade}" cx="${xOf(one.number)}" cy="${yOf(one.score)}" r="4.5"><title>${one.number}. ${one.move}${marks[one.grade]}</title></circle>`);
  parts.push(`<path class="now" id="now" d="M0 ${TOP}V${HEIGHT - BOTTOM}"/></svg>`);
  $("graph").innerHTML = parts.join("");
}

function fillTables() {
  const body = $("moves").tBodies[0];
  game.moves.forEach((one, index) => {
    const row = element("tr", "", {id: `move-${index + 1}`});
    if (one.exact) row.className = "exact";
    const move = element("td", "");
    move.append(element("span", "", {class: `disc ${one.side}`, "aria-hidden": "true"}),
      element("a", one.move + marks[one.grade], {href: `#${index + 1}`, class: one.grade, "aria-label": `${one.side} ${one.move}`, style: "color:inherit"}));
    const better = element("td", "", {class: "wide"});
    if (one.better.length > 0) {
      const button = element("button", one.better.slice(0, 8).join(" "), {class: "line", title: "Play this line on the board"});
      button.addEventListener("click", event => { event.stopPropagation(); follow(index); });
      better.append(button);
    }
    const lost = one.forced ? "only" : one.lost >= 0.05 ? one.lost.toFixed(1) : "";
    row.append(element("td", one.number), move, element("td", signed(one.score)),
      element("td", lost, {class: one.grade}), element("td", one.exact ? "exact" : `${one.depth}@${one.selectivity}%`), better);
    row.addEventListener("click", () => go(index + 1));
    body.append(row);
  });
  for (const side of game.summary) {
    const row = element("tr", "");
    const name = element("td", "");
    name.append(element("span", "", {class: `disc ${side.side}`, "aria-hidden": "true"}), playerOf(side.side));
    const share = side.choices > 0 ? Math.round(100 * side.best / side.choices) : 0;
    row.append(name, ...[side.choices, `${share} %`, side.mean_loss.toFixed(2), side.inaccuracies, side.mistakes, side.blunders]
      .map(text => element("td", text)));
    $("summary").tBodies[0].append(row);
  }
}

function show() {
  drawBoard();
  tellStatus();
  drawVariation();
  const at = line ? line.from : ply;
  const now = $("now");
  now.setAttribute("transform", `translate(${xOf(at)} 0)`);
  for (const row of document.querySelectorAll("#moves tr[aria-current]")) row.removeAttribute("aria-current");
  const row = $(`move-${at}`);
  if (row) row.setAttribute("aria-current", "true");
  const [atStart, atEnd] = line ? [line.at === 0, line.at === line.moves.length] : [ply === 0, ply === game.moves.length];
  $("first").disabled = $("back").disabled = atStart;
  $("last").disabled = $("next").disabled = atEnd;
}

function go(to) {
  line = null;
  ply = Math.max(0, Math.min(game.moves.length, to));
  if (location.hash !== `#${ply}`) history.replaceState(null, "", `#${ply}`);
  show();
}

// Plays the better line of a move on the board.
function follow(index) {
  const moves = game.moves[index].better;
  const along = [positions[index]];
  for (const move of moves) along.push(play(along[along.length - 1], move));
  line = {from: index, moves, positions: along, at: 1};
  ply = index;
  history.replaceState(null, "", `#${index}`);
  show();
}

function step(by) {
  if (!line) return go(ply + by);
  line.at = Math.max(0, Math.min(line.moves.length, line.at + by));
  show();
}

$("first").addEventListener("click", () => step(-100));
$("back").addEventListener("click", () => step(-1));
$("next").addEventListener("click", () => step(1));
$("last").addEventListener("click", () => step(100));
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const keys = {ArrowLeft: -1, ArrowRight: 1, Home: -100, End: 100};
  if (event.key in keys) { event.preventDefault(); step(keys[event.key]); }
  else if (event.key === "Escape" && line) go(line.from);
});
$("graph").addEventListener("click", event => {
  const box = $("graph").getBoundingClientRect();
  const x = (event.clientX - box.left) / box.width * WIDTH;
  go(Math.round((x - LEFT) / (WIDTH - LEFT - RIGHT) * game.moves.length));
});
// A swipe over the board is a step; a tap on its right half one on, on its left half one back.
let touch = null;
$("board").addEventListener("pointerdown", event => { touch = event.clientX; });
$("board").addEventListener("pointerup", event => {
  if (touch === null) return;
  const moved = event.clientX - touch, box = $("board").getBoundingClientRect();
  touch = null;
  if (Math.abs(moved) > 30) step(moved < 0 ? 1 : -1);
  else step(event.clientX > box.left + box.width / 2 ? 1 : -1);
});
async function copy(text) {
  try { await navigator.clipboard.writeText(text); }
  catch {
    const area = element("textarea", text);
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  $("copied").textContent = "copied";
  setTimeout(() => { $("copied").textContent = ""; }, 1500);
}
$("copy-transcript").addEventListener("click", () => copy(game.transcript));
$("copy-obf").addEventListener("click", () => copy(obf(current())));
window.addEventListener("hashchange", () => go(parseInt(location.hash.slice(1), 10) || 0));

const result = game.result === null ? "" : `, ${signed(game.result).replace(".0", "")}`;
$("title").textContent = `${playerOf("black")} \u2013 ${playerOf("white")}${result}`;
$("about").textContent = [game.event, game.date, game.opening].filter(Boolean).join(", ");
$("note").textContent = "Scores are final disc differences under best play, for Black. ?! loses 2 discs or more, ? 4, ?? 10. " +
  "Where the graph is shaded and the depth says exact, scores are certain.";
drawGraph();
fillTables();
go(parseInt(location.hash.slice(1), 10) || 0);
})();
