// Graph of the scores by move, drawn at the size of `host` in pixels, so that its text keeps its size. A score that is null
// is left out of the line. `length` is the number of moves on the axis, by default the moves of the game.
import {t, wholeSigned} from "./words.js";
import {SIGNS} from "./tables.js";

const LEFT = 36, RIGHT = 8, TOP = 6, BOTTOM = 20;
const RADII = {mistake: 4.5, blunder: 6};

export function makeGraph(host, game) {
  const scores = game.scores.filter(score => score !== null), [least, most] = [Math.min(-4, ...scores), Math.max(4, ...scores)];
  const length = Math.max(1, game.length ?? game.moves.length), step = [10, 20, 40].find(step => (most - least) / step <= 4) ?? 40;
  const [low, high] = [least - .08 * (most - least), most + .08 * (most - least)];
  let width, height, now;
  const xOf = at => LEFT + (width - LEFT - RIGHT) * at / length;
  const yOf = score => TOP + (height - TOP - BOTTOM) * (high - score) / (high - low);
  const bad = game.moves.filter(({grade}) => grade in RADII);
  const known = game.scores.map((score, at) => ({score, at})).filter(({score}) => score !== null);

  function draw() {
    width = Math.max(160, host.clientWidth);
    height = host.clientHeight || 112;
    const parts = [`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${t("Scores for Black, {n} move marked|Scores for Black, {n} moves marked", {n: bad.length})}">`];
    for (let score = Math.ceil(low / step) * step; score <= high; score += step)
      parts.push(`<path class="${score === 0 ? "zero" : "net"}" d="M${LEFT} ${yOf(score)}H${width - RIGHT}"/><text x="${LEFT - 7}" y="${yOf(score) + 4.5}" text-anchor="end">${wholeSigned(score)}</text>`);
    for (let at = 0; at <= length; at += width < 320 ? 20 : 10)
      parts.push(`<text x="${xOf(at)}" y="${height - 3}" text-anchor="${at === length ? "end" : "middle"}">${at}</text>`);
    if (game.turning_point) parts.push(`<path class="turn" d="M${xOf(game.turning_point)} ${TOP}V${height - BOTTOM}"/>`);
    if (known.length > 0) {
      const line = cut => known.map(({score, at}) => `${xOf(at).toFixed(1)} ${yOf(cut(score)).toFixed(1)}`).join("L");
      for (const [name, cut] of [["up", score => Math.max(0, score)], ["down", score => Math.min(0, score)]])
        parts.push(`<path class="${name}" d="M${xOf(known[0].at)} ${yOf(0)}L${line(cut)}L${xOf(known.at(-1).at)} ${yOf(0)}Z"/>`);
      parts.push(`<path class="curve" d="M${line(score => score)}h.01"/>`);
    }
    const certain = game.moves.findIndex(one => one.exact);
    if (certain >= 0) parts.push(`<path class="solved" d="M${xOf(certain)} ${height - BOTTOM + 2}H${width - RIGHT}"><title>${t("solved to the end")}</title></path>`);
    for (const one of bad)
      parts.push(`<circle class="${one.grade}" cx="${xOf(one.number)}" cy="${yOf(one.score)}" r="${RADII[one.grade]}"><title>${one.number}. ${one.move}${SIGNS[one.grade]}</title></circle>`);
    parts.push(`<g class="now"><path d="M0 ${TOP - 2}V${height - BOTTOM}"/><circle r="5.5"/></g></svg>`);
    host.innerHTML = parts.join("");
    now = host.querySelector(".now");
  }

  return {
    draw,
    // Moves the vertical line to position `at`, the number of moves made.
    mark(at) {
      now.setAttribute("transform", `translate(${xOf(at)} 0)`);
      now.lastChild.setAttribute("cy", `${yOf(game.scores[at] ?? 0)}`);
    },
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
