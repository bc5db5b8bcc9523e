// Graph of the scores by move. A score that is null is left out of the line. `length` is the number of moves on
// the axis, by default the moves of the game. The graph is drawn at the size of `host` in pixels, so that
// its text keeps its size.
import {t, wholeSigned} from "./words.js";
import {SIGNS, isBad} from "./tables.js";

const LEFT = 36, RIGHT = 8, TOP = 8, BOTTOM = 20;
const RADII = {inaccuracy: 4, mistake: 5.5, blunder: 7};

export function makeGraph(host, game) {
  const most = Math.max(8, ...game.scores.map(Math.abs)) * 1.05;
  const length = Math.max(1, game.length ?? game.moves.length);
  let width, height, now;
  const xOf = at => LEFT + (width - LEFT - RIGHT) * at / length;
  const yOf = score => TOP + (height - TOP - BOTTOM) * (most - score) / (2 * most);
  const bad = game.moves.filter(isBad);
  const known = game.scores.map((score, at) => ({score, at})).filter(({score}) => score !== null);

  function draw() {
    width = Math.max(200, host.clientWidth);
    height = game.height ?? Math.max(112, Math.min(230, width / 3.2));
    const step = [2, 4, 5, 10, 20, 32].find(step => most / step <= (height < 150 ? 2 : 4)) || 32;
    const parts = [`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${t("Scores for Black, {n} move marked|Scores for Black, {n} moves marked", {n: bad.length})}">`];
    const certain = game.moves.findIndex(one => one.exact);
    if (certain >= 0)
      parts.push(`<rect class="exact-area" x="${xOf(certain)}" y="${TOP}" width="${width - RIGHT - xOf(certain)}" height="${height - TOP - BOTTOM}"/>`);
    for (let score = -Math.floor(most / step) * step; score <= most; score += step)
      parts.push(`<path class="${score === 0 ? "zero" : "grid"}" d="M${LEFT} ${yOf(score)}H${width - RIGHT}"/><text x="${LEFT - 6}" y="${yOf(score) + 4}" text-anchor="end">${wholeSigned(score)}</text>`);
    for (let at = 0; at <= length; at += 10)
      parts.push(`<text x="${xOf(at)}" y="${height - 5}" text-anchor="middle">${at}</text>`);
    if (game.turning_point)
      parts.push(`<path class="turn" d="M${xOf(game.turning_point)} ${TOP}V${height - BOTTOM}"/>`);
    if (known.length > 0) {
      const points = known.map(({score, at}) => `${xOf(at).toFixed(1)} ${yOf(score).toFixed(1)}`).join("L");
      parts.push(`<path class="area" d="M${xOf(known[0].at)} ${yOf(0)}L${points}L${xOf(known.at(-1).at)} ${yOf(0)}Z"/>`,
        `<path class="curve" d="M${points}h.01"/>`);
    }
    for (const one of bad)
      parts.push(`<circle class="${one.grade}" cx="${xOf(one.number)}" cy="${yOf(one.score)}" r="${RADII[one.grade]}"><title>${one.number}. ${one.move}${SIGNS[one.grade]}</title></circle>`);
    parts.push(`<path class="now" d="M0 ${TOP}V${height - BOTTOM}"/></svg>`);
    host.innerHTML = parts.join("");
    now = host.querySelector(".now");
  }

  return {
    draw,
    // Moves the vertical line to position `at`, the number of moves made.
    mark: at => now.setAttribute("transform", `translate(${xOf(at)} 0)`),
    // Returns the ring below a click, if any, and the number of moves made at that point.
    at(event) {
      const box = host.getBoundingClientRect();
      const [x, y] = [event.clientX - box.left, event.clientY - box.top];
      const away = one => Math.hypot(x - xOf(one.number), y - yOf(one.score));
      const ring = bad.filter(one => away(one) < 14).sort((a, b) => away(a) - away(b))[0];
      return {ring, at: Math.max(0, Math.min(length, Math.round((x - LEFT) / (width - LEFT - RIGHT) * length)))};
    },
  };
}
