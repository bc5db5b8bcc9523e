// Fills the table of moves and the summary of an analysed game, and formats its numbers.
import {t, number, percent, signed, lossText} from "./words.js";
import {BLACK, WHITE, sideName} from "./rules.js";
import {$, element, disc} from "./controls.js";

export const SIGNS = {good: "", inaccuracy: "?!", mistake: "?", blunder: "??"};
export const signOf = one => one.brilliant ? "!!" : SIGNS[one.grade] ?? "";
// Returns a sentence on how many players of the level of the analysis find the best move.
export const foundWords = (one, level) => {
  if (one.found == null) return "";
  const n = Math.round(10 * one.found);
  const words = n === 0 ? "Fewer than 1 in 10 players of level {level} find it: {difficulty}."
    : n === 10 ? "Nearly all players of level {level} find it: {difficulty}." : "{n} in 10 players of level {level} find it: {difficulty}.";
  return ` ${t(words, {n, level, difficulty: t(one.difficulty)})}`;
};
export const isBad = one => one.grade !== "good";
// Formats the search depth of a move. Only this function reads the depth fields of the record.
export const depthOf = move => {
  if (move.depth === undefined) return "";
  if (move.book) return t("book");
  if (move.exact) return t("exact");
  return move.selectivity < 100 ? `${move.depth}@${move.selectivity}%` : `${move.depth}`;
};

// Fills the table of moves. `hashOf(move)` returns the link of a move, `choose(move)` shows it, and
// `follow(move)` plays its better line.
export function fillMoves(table, game, {hashOf, choose, follow}) {
  table.tBodies[0].replaceChildren();
  for (const one of game.moves) {
    const row = element("tr", "", {id: `move-${one.number}`});
    if (one.exact) row.className = "exact";
    const move = element("td", "");
    const label = `${one.number}. ${one.side} ${one.move}` + (isBad(one) ? `, ${one.grade}` : one.brilliant ? ", brilliant" : "");
    move.append(disc(one.side), element("a", one.move + signOf(one), {href: hashOf(one), class: one.grade, "aria-label": label}));
    const better = element("td", "", {class: "wide"});
    if (one.better.length > 0) {
      const line = element("button", one.better.slice(0, 8).join(" "), {class: "line", title: "Play this line on the board"});
      line.addEventListener("click", event => { event.stopPropagation(); follow(one); });
      better.append(line);
    }
    const lost = one.forced ? "only" : one.lost >= 0.05 ? lossText(one.lost) : "";
    row.append(element("td", one.number), move, element("td", signed(one.score)), element("td", lost, {class: one.grade}),
      element("td", one.found == null ? "" : percent(one.found)), element("td", depthOf(one)), better);
    row.addEventListener("click", event => { event.preventDefault(); choose(one); });
    table.tBodies[0].append(row);
  }
}

// Marks the row of a move, given by its number, as the current one. Scrolls the list only, not the page.
export function markRow(number) {
  for (const row of document.querySelectorAll("#moves tr[aria-current]")) row.removeAttribute("aria-current");
  const row = $(`move-${number}`), list = $("course");
  if (!row) return;
  row.setAttribute("aria-current", "true");
  const above = row.offsetTop - list.scrollTop;
  if (above < 2 * row.offsetHeight || above > list.clientHeight - 2 * row.offsetHeight)
    list.scrollTop = row.offsetTop - list.clientHeight / 2;
}

// Fills the summary of both sides: how well they played.
export function fillSummary(table, game) {
  table.replaceChildren();
  const row = (head, cells) => {
    const made = element("tr", "");
    made.append(head, ...cells);
    return made;
  };
  const names = game.summary.map(({side}) => {
    const name = element("th", "", {scope: "col"});
    name.append(disc(side), game[side] || sideName(side === "black" ? BLACK : WHITE));
    return name;
  });
  table.createTHead().append(row(element("td", ""), names));
  const lines = {
    "choices": side => side.choices,
    "best": side => side.choices > 0 ? percent(side.best / side.choices) : "",
    "discs lost a move": side => number(side.mean_loss, 2),
    "inaccuracies ?!": side => side.inaccuracies,
    "mistakes ?": side => side.mistakes,
    "blunders ??": side => side.blunders,
    "level of play": side => side.skill ? levelText(side.skill.text) : "",
  };
  const lineOf = ([name, value]) =>
    row(element("th", t(name), {scope: "row"}), game.summary.map(side => element("td", value(side))));
  table.createTBody().append(...Object.entries(lines).map(lineOf));
}

// Translates an estimate of the level of play: `h7.5 (h6.1-h9.0)`, `h7 (from h5)`, `below h1`, `too few moves`.
const levelText = text => text.replace("too few moves", () => t("too few moves"))
  .replace(/(below|above|from|up to) (h[\d.]+)/, (_, words, level) => t(`${words} {level}`, {level}));

// Returns the explanations of the terms used in the graph and the tables of this game.
export function explain(game) {
  const depth = game.moves.filter(one => !one.exact).map(depthOf).find(text => text.includes("@"));
  const [, plies, share] = /(\d+)@(\d+)/.exec(depth) || [];
  const turn = game.moves[game.turning_point - 1];
  return {
    graph: [
      "Score: the difference of discs at the end.",
      game.moves.some(isBad) && "Ring: a move that lost 2 discs or more. A larger ring lost more.",
      turn && `Dashed line: ${turn.number}. ${turn.move} decided the game: the last move that changed its result.`,
      game.moves.some(one => one.exact) && "Shaded: solved, the score is certain.",
    ],
    moves: [
      "Lost: discs, against the best move; ?! 2 or more, ? 4, ?? 10. Only: the only legal move.",
      game.level && `Found: share of players of level ${game.level} that find a move within half a disc of the best, estimated by a model of how people choose moves. !!: loses less than half a disc, and fewer than 25 % find it.`,
      depth && `${depth}: searched ${plies} moves deep, forward pruning at ${share} % confidence.`,
      game.moves.some(one => one.exact) && "exact: solved to the end.",
    ],
    summary: ["Choices: moves that were not forced. Best: the share of them that lost less than half a disc.",
      game.level && "Level of play: the human level that fits the moves best, from h1 (a beginner) to h14 (the best of a club), and in brackets the range that holds the true level in about 9 of 10 cases. The first 4 moves, moves of the book and forced moves do not count."],
  };
}
