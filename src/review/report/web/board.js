// Draws on the board of the page, `board.svg`, and turns discs. A drawing changes only what differs from the drawing
// before.
import {t} from "./words.js";
import {BLACK, WHITE, EMPTY, START, parse, nameOf, sideName, turnOf, turnedRuns, count} from "./rules.js";
import {PLACES, SQUARES} from "./controls.js";

const CELL = 60, EDGE = 16, RADIUS = 25.5;
/** @type {(square: number) => [number, number]} */
const centerOf = square => [EDGE + (PLACES[square] % 8 + .5) * CELL, EDGE + ((PLACES[square] >> 3) + .5) * CELL];

// Time in which a disc turns, and the delay for each square between it and the move, in milliseconds. The setting
// `speed` multiplies both.
const TURN = 200, STAGGER = 12;
const pace = () => Number(document.documentElement.dataset.speed ?? 1);

// Draws a line over a wider dark line, so that it contrasts with both discs and felt.
const stroked = (path, color, width) =>
  `<g fill="none" stroke-linecap="round" stroke-linejoin="round"><path d="${path}" stroke="#101310" stroke-width="${width + 3}"/>` +
  `<path d="${path}" stroke="${color}" stroke-width="${width}"/></g>`;
const at = ([x, y], name, inside) => `<g class="${name}" transform="translate(${x} ${y})">${inside}</g>`;

// Mark of the played move: a dashed ring with a sign. The better move has a solid ring with a tick.
// The two marks differ without colours too.
const GOLD = "#f6c945", SIGN_COLORS = {"??": "#ffb3a6"};
const playedMark = (place, sign) => at(place, "played", `<circle r="24" fill="#17120e" fill-opacity=".72" stroke="${SIGN_COLORS[sign] ?? "#f7c668"}" stroke-width="3.5" stroke-dasharray="9.6 5.5"/>` +
  `<text y="8" text-anchor="middle" font-size="22" fill="${SIGN_COLORS[sign] ?? "#f7c668"}">${sign}</text>`);
const betterMark = (place, isDisc, isJoy = false) => at(place, "better", `${isJoy ? '<circle class="bloom" r="26"/>' : ""}<circle r="25" fill="#0b2417" fill-opacity="${isDisc ? 0 : .55}" stroke="#0b2417" stroke-width="8"/>` +
  `<circle r="25" fill="none" stroke="${GOLD}" stroke-width="4"/>${stroked("M-11 .5l7.5 7.5L11-7.5", GOLD, 5)}`);
function arrow(from, to) {
  const [x, y] = [to[0] - from[0], to[1] - from[1]], length = Math.hypot(x, y), stop = length - 12;
  const point = (along, aside) =>
    `${(from[0] + (x * along - y * aside) / length).toFixed(1)} ${(from[1] + (y * along + x * aside) / length).toFixed(1)}`;
  return stroked(`M${point(12, 0)}L${point(stop, 0)}M${point(stop - 9, -9)}L${point(stop, 0)}L${point(stop - 9, 9)}`, GOLD, 3);
}
const lastMark = ([x, y]) => `<circle class="last" cx="${x}" cy="${y}" r="6" fill="#d8402f" stroke="#fff" stroke-width="1.5"/>`;

// Arrows of the best move: along the discs that it turns, to the disc behind them.
function turnedArrows({squares}, mover, square) {
  const arrows = turnedRuns(squares, mover, square).map(run => {
    const step = run[0] - square, [from, to] = [centerOf(square), centerOf(run.at(-1) + step)];
    return arrow(from, to);
  });
  return `<g opacity=".6">${arrows.join("")}</g>`;
}

// Draws a single mark for the legend.
const signOfMark = mark => `<svg viewBox="-29 -29 58 58" aria-hidden="true"><rect x="-29" y="-29" width="58" height="58" rx="7" fill="#2f8057"/>${mark}</svg>`;

const shadow = `<circle cy="2.5" r="${RADIUS}" fill="#04120b" opacity=".38"/>`;
const face = color => `url(#${color === BLACK ? "b" : "w"})`;
const wantsMotion = () => pace() > 0 && !matchMedia("(prefers-reduced-motion: reduce)").matches;

// Draws the disc on a square. Returns the time until the disc lies still, in milliseconds.
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

// Writes the labels at the edges: the letter or digit that the first two squares of a column or a row have in common.
function labelEdges(host) {
  const common = (one, other) => [...nameOf(SQUARES[one])].find(sign => nameOf(SQUARES[other]).includes(sign));
  host.querySelectorAll(".letters text").forEach((label, at) => {
    const line = at >> 1;
    label.textContent = at % 2 === 0 ? common(line, line + 8) : common(8 * line, 8 * line + 1);
  });
}

// The squares that each board shows.
const drawn = new WeakMap();

// Draws a position. In `marks`, `played` and `better` are squares to be ringed, `sign` is the text in the ring of the
// played move, `isJoy` opens a ring around the better one, and `best` is a square with arrows. `isMove`: the position
// is one move after the drawn position, and discs turn. Returns the time until all discs lie still, in milliseconds.
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
  squares.forEach((color, square) => {
    const [x, y] = centerOf(square);
    if (color === EMPTY && mover !== EMPTY && turnedRuns(squares, mover, square).length > 0)
      parts.push(`<circle class="dot" cx="${x}" cy="${y}" r="8" fill="#05170d" opacity=".4"/>`);
  });
  if (marks.best !== undefined) parts.push(turnedArrows(position, mover, marks.best));
  if (last !== null) parts.push(lastMark(centerOf(last)));
  const [played, better] = [marks.played, marks.better].map(square => square === undefined ? null : centerOf(square));
  if (played) parts.push(playedMark(played, marks.sign));
  if (better) parts.push(betterMark(better, squares[marks.better] !== EMPTY, marks.isJoy));
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
  played: signOfMark(playedMark([0, 0], "?")), better: signOfMark(betterMark([0, 0])), last: signOfMark(lastMark([0, 0])),
  arrow: signOfMark(arrow([-32, 18], [32, -18])), dot: signOfMark('<circle r="8" opacity=".4"/>'),
};

// Returns a small picture of a position, with the same marks as `drawBoard`.
export function miniBoard({squares, last}, marks = {}) {
  const parts = squares.map((color, square) => color === EMPTY ? "" : `<circle cx="${centerOf(square)[0]}" cy="${centerOf(square)[1]}" r="${RADIUS}" fill="${face(color)}"/>`);
  if (marks.played !== undefined) parts.push(playedMark(centerOf(marks.played), marks.sign));
  if (marks.better !== undefined) parts.push(betterMark(centerOf(marks.better), squares[marks.better] !== EMPTY));
  if (last !== null && marks.played === undefined) parts.push(lastMark(centerOf(last)));
  const lines = [76, 136, 196, 256, 316, 376, 436].map(place => `M${place} 16v480M16 ${place}h480`).join("");
  return `<svg viewBox="16 16 480 480" font-weight="600" aria-hidden="true"><rect x="16" y="16" width="480" height="480" fill="url(#felt)"/><path d="${lines}" stroke="#000" stroke-opacity=".36" stroke-width="1.6"/>${parts.join("")}</svg>`;
}
