// Draws the board as SVG. In `marks`, `played` and `better` are squares to be ringed, and `sign` is
// the text in the ring of the played move.
const CELL = 50, EDGE = 26, BOARD = 8 * CELL + EDGE + 8;
const centerOf = square => [EDGE + (square % 8 + .5) * CELL, EDGE + ((square >> 3) + .5) * CELL];

// Draws a line over a wider dark line, so that it contrasts with both discs and felt.
const stroked = (path, color, width, more = "") =>
  `<g fill="none" stroke-linecap="round" stroke-linejoin="round"><path d="${path}" stroke="#101310" stroke-width="${width + 3}" ${more}/>` +
  `<path d="${path}" stroke="${color}" stroke-width="${width}" ${more}/></g>`;
const circle = ([x, y], radius) => `M${x - radius} ${y}a${radius} ${radius} 0 1 1 ${2 * radius} 0a${radius} ${radius} 0 1 1 ${-2 * radius} 0`;

// Mark of the played move: a dashed ring with a sign. The better move has a solid ring with a tick.
// The two marks differ without colours too.
const PLAYED = "#ffb38a", BETTER = "#ffe14d", RING = 20;
function playedMark([x, y], sign) {
  return `<g class="played">${stroked(circle([x, y], RING), PLAYED, 3.5, 'stroke-dasharray="12 8.94"')}` +
    `<text x="${x}" y="${y + 7}" text-anchor="middle" font-size="20" font-weight="700" fill="${PLAYED}" stroke="#101310" stroke-width="4" paint-order="stroke">${sign}</text></g>`;
}
const betterMark = ([x, y]) =>
  `<g class="better">${stroked(circle([x, y], RING), BETTER, 3.5)}${stroked(`M${x - 8} ${y + 1}l5.5 6.5l11 -14`, BETTER, 4)}</g>`;
function arrow(from, to) {
  const [x, y] = [to[0] - from[0], to[1] - from[1]], length = Math.hypot(x, y);
  const at = (along, aside) =>
    `${(from[0] + (x * along - y * aside) / length).toFixed(1)} ${(from[1] + (y * along + x * aside) / length).toFixed(1)}`;
  const [start, end] = [RING + 3, length - RING - 3];
  // Between neighbouring squares only a small arrowhead fits.
  const size = Math.min(8, end - start);
  const head = `M${at(end - size, -size)}L${at(end, 0)}L${at(end - size, size)}`;
  return `<g class="arrow">${stroked((size === 8 ? `M${at(start, 0)}L${at(end, 0)}` : "") + head, BETTER, 3.5)}</g>`;
}
const lastMark = ([x, y]) => `<circle class="last" cx="${x}" cy="${y}" r="6" fill="#d8382b" stroke="#fff" stroke-width="1.5"/>`;

// Draws a single mark for the legend.
const icon = mark => `<svg viewBox="-25 -25 50 50" aria-hidden="true"><rect x="-25" y="-25" width="50" height="50" rx="6" fill="var(--felt)"/>${mark}</svg>`;

function drawBoard(host, position, marks) {
  const {squares, last} = position;
  const parts = [`<svg viewBox="0 0 ${BOARD} ${BOARD}" aria-hidden="true"><defs>`,
    `<radialGradient id="b" cx=".36" cy=".3" r=".8"><stop offset="0" stop-color="#5b6068"/><stop offset=".5" stop-color="#22252a"/><stop offset="1" stop-color="#08090a"/></radialGradient>`,
    `<radialGradient id="w" cx=".36" cy=".3" r=".85"><stop offset="0" stop-color="#ffffff"/><stop offset=".65" stop-color="#eceae2"/><stop offset="1" stop-color="#b9b6aa"/></radialGradient></defs>`,
    `<rect width="${BOARD}" height="${BOARD}" rx="8" fill="var(--rim)"/><rect x="${EDGE}" y="${EDGE}" width="${8 * CELL}" height="${8 * CELL}" fill="var(--felt)"/>`];
  for (let i = 0; i <= 8; i++)
    parts.push(`<path d="M${EDGE + i * CELL} ${EDGE}v${8 * CELL}M${EDGE} ${EDGE + i * CELL}h${8 * CELL}" stroke="var(--felt-line)" stroke-width="1.4"/>`);
  for (const [x, y] of [[2, 2], [6, 2], [2, 6], [6, 6]])
    parts.push(`<circle cx="${EDGE + x * CELL}" cy="${EDGE + y * CELL}" r="3.6" fill="var(--felt-line)"/>`);
  for (let i = 0; i < 8; i++)
    parts.push(`<text x="${EDGE + (i + .5) * CELL}" y="18" text-anchor="middle" font-size="14" fill="#efe9df">${"abcdefgh"[i]}</text>`,
      `<text x="13" y="${EDGE + (i + .5) * CELL + 5}" text-anchor="middle" font-size="14" fill="#efe9df">${i + 1}</text>`);
  const mover = turnOf(position);
  squares.forEach((disc, square) => {
    const [x, y] = centerOf(square);
    if (disc !== EMPTY)
      parts.push(`<ellipse cx="${x + 1}" cy="${y + 2.5}" rx="21" ry="20.5" fill="#000" opacity=".3"/><circle cx="${x}" cy="${y}" r="20.5" fill="url(#${disc === BLACK ? "b" : "w"})"/>`);
    else if (mover !== EMPTY && flips(squares, mover, square).length > 0)
      parts.push(`<circle cx="${x}" cy="${y}" r="3.5" fill="#fff" opacity=".4"/>`);
  });
  if (last !== null) parts.push(lastMark(centerOf(last)));
  const [played, better] = [marks.played, marks.better].map(square => square === undefined ? null : centerOf(square));
  if (played && better) parts.push(arrow(played, better));
  if (played) parts.push(playedMark(played, marks.sign));
  if (better) parts.push(betterMark(better));
  parts.push("</svg>");
  host.innerHTML = parts.join("");
  const label = [`${count(squares, BLACK)} black discs, ${count(squares, WHITE)} white discs`,
    last === null ? "" : `last move ${nameOf(last)}`,
    mover === EMPTY ? "the game is over" : `${sideName(mover)} to move`,
    played ? `played ${nameOf(marks.played)}` : "", better ? `best ${nameOf(marks.better)}` : ""];
  host.setAttribute("aria-label", label.filter(Boolean).join("; "));
}

// Fills the legend with the marks on the board.
function drawLegend(host, {last}, marks) {
  const items = [];
  if (marks.played !== undefined) items.push([playedMark([0, 0], marks.sign), `played: ${nameOf(marks.played)}`]);
  if (marks.better !== undefined) items.push([betterMark([0, 0]), `best: ${nameOf(marks.better)}`]);
  if (last !== null) items.push([lastMark([0, 0]), `last: ${nameOf(last)}`]);
  host.replaceChildren(...items.map(([mark, text]) => {
    const item = element("li", "");
    item.innerHTML = icon(mark);
    item.append(text);
    return item;
  }));
}
