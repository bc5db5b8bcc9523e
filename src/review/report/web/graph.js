// Graph of the scores by move. A score that is null leaves a gap. `length` is the number of moves on
// the axis, by default those of the game. The graph is drawn at the size of `host` in pixels, so that
// its text keeps its size.
const LEFT = 36, RIGHT = 8, TOP = 8, BOTTOM = 20;
const RADIUS = {inaccuracy: 4, mistake: 5.5, blunder: 7};

// Returns the runs of scores without a gap, each with the index of its first.
function runsOf(scores) {
  const runs = [];
  scores.forEach((score, at) => {
    if (score === null) return;
    if (at === 0 || scores[at - 1] === null) runs.push({from: at, scores: []});
    runs.at(-1).scores.push(score);
  });
  return runs;
}

function makeGraph(host, game) {
  const most = Math.max(8, ...game.scores.map(Math.abs)) * 1.05;
  const length = Math.max(1, game.length ?? game.moves.length);
  let width, height, now;
  const xOf = at => LEFT + (width - LEFT - RIGHT) * at / length;
  const yOf = score => TOP + (height - TOP - BOTTOM) * (most - score) / (2 * most);
  const bad = game.moves.filter(isBad);

  function draw() {
    width = Math.max(200, host.clientWidth);
    height = Math.max(112, Math.min(230, width / 3.2));
    const step = [2, 4, 5, 10, 20, 32].find(step => most / step <= 4) || 32;
    const parts = [`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Scores for Black, ${bad.length} moves marked">`];
    const certain = game.moves.findIndex(one => one.exact);
    if (certain >= 0)
      parts.push(`<rect class="exact-area" x="${xOf(certain)}" y="${TOP}" width="${width - RIGHT - xOf(certain)}" height="${height - TOP - BOTTOM}"/>`);
    for (let score = -Math.floor(most / step) * step; score <= most; score += step)
      parts.push(`<path class="${score === 0 ? "zero" : "grid"}" d="M${LEFT} ${yOf(score)}H${width - RIGHT}"/><text x="${LEFT - 6}" y="${yOf(score) + 4}" text-anchor="end">${wholeSigned(score)}</text>`);
    for (let at = 0; at <= length; at += 10)
      parts.push(`<text x="${xOf(at)}" y="${height - 5}" text-anchor="middle">${at}</text>`);
    if (game.turning_point)
      parts.push(`<path class="turn" d="M${xOf(game.turning_point)} ${TOP}V${height - BOTTOM}"/>`);
    for (const {from, scores} of runsOf(game.scores)) {
      const points = scores.map((score, index) => `${xOf(from + index).toFixed(1)} ${yOf(score).toFixed(1)}`).join("L");
      parts.push(`<path class="area" d="M${xOf(from)} ${yOf(0)}L${points}L${xOf(from + scores.length - 1)} ${yOf(0)}Z"/>`,
        `<path class="curve" d="M${points}h.01"/>`);
    }
    for (const one of bad)
      parts.push(`<circle class="${one.grade}" cx="${xOf(one.number)}" cy="${yOf(one.score)}" r="${RADIUS[one.grade]}"><title>${one.number}. ${one.move}${SIGNS[one.grade]}</title></circle>`);
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
      return {ring, at: Math.round((x - LEFT) / (width - LEFT - RIGHT) * length)};
    },
  };
}
