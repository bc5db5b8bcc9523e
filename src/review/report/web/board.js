// Draws on the board of the page, `board.svg`, and turns discs. Each drawing changes what differs.
import {t} from "./words.js";
import {BLACK, WHITE, EMPTY, START, parse, nameOf, sideName, turnOf, turnedRuns, count} from "./rules.js";
import {element, PLACES, SQUARES} from "./controls.js";

const CELL = 60, EDGE = 26, RADIUS = 25.5;
/** @type {(square: number) => [number, number]} */
const centerOf = square => [EDGE + (PLACES[square] % 8 + .5) * CELL, EDGE + ((PLACES[square] >> 3) + .5) * CELL];

// Time in which a disc turns, and the delay for each square between it and the move, in milliseconds. The setting
// `speed` multiplies both.
const TURN = 180, STAGGER = 10;
const pace = () => Number(document.documentElement.dataset.speed ?? 1);

// Draws a line over a wider dark line, so that it contrasts with both discs and felt.
const stroked = (path, color, width, more = "") =>
  `<g fill="none" stroke-linecap="round" stroke-linejoin="round"><path d="${path}" stroke="#101310" stroke-width="${width + 3}" ${more}/>` +
  `<path d="${path}" stroke="${color}" stroke-width="${width}" ${more}/></g>`;
const circle = ([x, y], radius) => `M${x - radius} ${y}a${radius} ${radius} 0 1 1 ${2 * radius} 0a${radius} ${radius} 0 1 1 ${-2 * radius} 0`;

// Mark of the played move: a dashed ring with a sign. The better move has a solid ring with a tick.
// The two marks differ without colours too.
const PLAYED = "#ffb38a", BETTER = "#ffe14d", RING = 24;
function playedMark([x, y], sign) {
  return `<g class="played">${stroked(circle([x, y], RING), PLAYED, 4, 'stroke-dasharray="14.4 10.7"')}` +
    `<text x="${x}" y="${y + 8}" text-anchor="middle" font-size="23" font-weight="700" fill="${PLAYED}" stroke="#101310" stroke-width="4" paint-order="stroke">${sign}</text></g>`;
}
const betterMark = ([x, y]) =>
  `<g class="better">${stroked(circle([x, y], RING), BETTER, 4)}${stroked(`M${x - 9} ${y + 1}l6.5 7.5l13 -16`, BETTER, 4.5)}</g>`;
function arrow(from, to) {
  const [x, y] = [to[0] - from[0], to[1] - from[1]], length = Math.hypot(x, y), stop = length - 12;
  const at = (along, aside) =>
    `${(from[0] + (x * along - y * aside) / length).toFixed(1)} ${(from[1] + (y * along + x * aside) / length).toFixed(1)}`;
  return stroked(`M${at(12, 0)}L${at(stop, 0)}M${at(stop - 9, -9)}L${at(stop, 0)}L${at(stop - 9, 9)}`, BETTER, 5);
}
const lastMark = ([x, y]) => `<circle class="last" cx="${x}" cy="${y}" r="6.5" fill="#e0392b" stroke="#fff" stroke-width="1.5"/>`;

// Arrows of the best move: along the discs that it turns, to the disc behind them.
function turnedArrows({squares}, mover, square) {
  const arrows = turnedRuns(squares, mover, square).map(run => {
    const step = run[0] - square, [from, to] = [centerOf(square), centerOf(run.at(-1) + step)];
    return arrow(from, to);
  });
  return `<g opacity=".9">${arrows.join("")}</g>`;
}

// Draws a single mark for the legend.
const icon = mark => `<svg viewBox="-29 -29 58 58" aria-hidden="true"><rect x="-29" y="-29" width="58" height="58" rx="7" fill="#2f7d4f"/>${mark}</svg>`;

const shadow = `<circle cx="1.5" cy="3" r="${RADIUS + 1}" fill="#000" opacity=".35"/>`;
const face = color => `url(#${color === BLACK ? "b" : "w"})`;
const wantsMotion = () => pace() > 0 && !matchMedia("(prefers-reduced-motion: reduce)").matches;

// Draws the disc on a square. Returns the time until it lies still, in milliseconds.
function drawDisc(place, before, color, delay, isAnimated) {
  for (const one of place.querySelectorAll("*")) for (const running of one.getAnimations()) running.cancel();
  if (color === EMPTY) { place.replaceChildren(); return 0; }
  if (before === EMPTY) place.innerHTML = `${shadow}<circle r="${RADIUS}"/>`;
  const top = place.lastElementChild;
  top.setAttribute("fill", face(color));
  if (!isAnimated) return 0;
  if (before === EMPTY) {
    top.animate([{transform: "scale(.75)"}, {transform: "scale(1)"}], {duration: 100, easing: "ease-out"});
    return 100;
  }
  top.animate([{transform: "scaleX(1)", fill: face(before)}, {transform: "scaleX(.04)", fill: face(before), offset: .5},
    {transform: "scaleX(.04)", fill: face(color), offset: .501}, {transform: "scaleX(1)", fill: face(color)}],
  {duration: TURN * pace(), delay, fill: "backwards"});
  return delay + TURN * pace();
}

// Writes the letters and numbers at the edges: what the first two squares of a column or a row have in common.
function labelEdges(host) {
  const common = (one, other) => [...nameOf(SQUARES[one])].find(sign => nameOf(SQUARES[other]).includes(sign));
  host.querySelectorAll("[font-size='14'] text").forEach((label, at) => {
    const line = at >> 1;
    label.textContent = at % 2 === 0 ? common(line, line + 8) : common(8 * line, 8 * line + 1);
  });
}

// What each board shows: its squares.
const drawn = new WeakMap();

// Draws a position. In `marks`, `played` and `better` are squares to be ringed, `sign` is the text in the ring
// of the played move, and `best` is a square with arrows. Discs turn if `isMove`: the position
// is that after a move from the drawn one. Returns the time until they lie still, in milliseconds.
export function drawBoard(host, position, marks, isMove = false) {
  const {squares, last} = position;
  if (!drawn.has(host)) labelEdges(host);
  // The page comes with the discs of the start.
  const before = drawn.get(host) ?? parse(START).squares.map((_, square, all) => all[PLACES[square]]), places = host.querySelectorAll(".place"), isAnimated = isMove && wantsMotion();
  drawn.set(host, squares.slice());
  let time = 0;
  squares.forEach((color, square) => {
    if (color === before[square]) return;
    const away = last === null ? 0 : Math.max(Math.abs(square % 8 - last % 8), Math.abs((square >> 3) - (last >> 3)));
    time = Math.max(time, drawDisc(places[PLACES[square]], before[square], color, STAGGER * pace() * away, isAnimated));
  });
  const mover = turnOf(position), parts = [];
  const dot = mover === BLACK ? 'fill="#000" opacity=".35"' : 'fill="#fff" opacity=".45"';
  squares.forEach((color, square) => {
    const [x, y] = centerOf(square);
    if (color === EMPTY && mover !== EMPTY && turnedRuns(squares, mover, square).length > 0)
      parts.push(`<circle class="dot" cx="${x}" cy="${y}" r="8" ${dot}/>`);
  });
  if (marks.best !== undefined) parts.push(turnedArrows(position, mover, marks.best));
  if (last !== null) parts.push(lastMark(centerOf(last)));
  const [played, better] = [marks.played, marks.better].map(square => square === undefined ? null : centerOf(square));
  if (played) parts.push(playedMark(played, marks.sign));
  if (better) parts.push(betterMark(better));
  host.querySelector(".marks").innerHTML = parts.join("");
  const label = [t("{black} black discs, {white} white discs", {black: count(squares, BLACK), white: count(squares, WHITE)}),
    last === null ? "" : t("last move {move}", {move: nameOf(last)}),
    mover === EMPTY ? t("the game is over") : t("{side} to move", {side: sideName(mover)}),
    played ? t("played {move}", {move: nameOf(marks.played)}) : "", better ? t("best {move}", {move: nameOf(marks.better)}) : ""];
  host.setAttribute("aria-label", label.filter(Boolean).join("; "));
  return time;
}

// The marks of the board as pictures, for the help.
export const picture = {
  played: icon(playedMark([0, 0], "?")), better: icon(betterMark([0, 0])), last: icon(lastMark([0, 0])),
  arrow: icon(arrow([-32, 18], [32, -18])), dot: icon('<circle r="8" opacity=".4"/>'),
};

// Fills the legend with the marks on the board.
export function drawLegend(host, {last}, marks) {
  const items = [];
  if (marks.played !== undefined) items.push([playedMark([0, 0], marks.sign), t("played: {move}", {move: nameOf(marks.played)})]);
  if (marks.better !== undefined) items.push([betterMark([0, 0]), t("best: {move}", {move: nameOf(marks.better)})]);
  if (last !== null) items.push([lastMark([0, 0]), t("last: {move}", {move: nameOf(last)})]);
  host.replaceChildren(...items.map(([mark, text]) => {
    const item = element("li", "");
    item.innerHTML = icon(mark);
    item.append(text);
    return item;
  }));
}
