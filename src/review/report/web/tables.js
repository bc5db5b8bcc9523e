// Formats the numbers of an analysed game, and fills its summary.
import {t, number, percent} from "./words.js";
import {BLACK, WHITE, sideName} from "./rules.js";
import {element, disc} from "./controls.js";

export const SIGNS = {good: "", inaccuracy: "?!", mistake: "?", blunder: "??"};
export const signOf = one => one.brilliant ? "!!" : SIGNS[one.grade] ?? "";
// Returns a sentence on how many players of the level of the analysis, or of a club, find the best move.
export const foundWords = (one, level) => {
  if (one.found == null) return "";
  const n = Math.round(10 * one.found);
  if (!level) return t("{n} in 10 club players find it: {difficulty}.", {n: Math.max(1, n), difficulty: t(one.difficulty)});
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

// Fills the summary of both sides: how well they played.
export function fillSummary(table, game) {
  table.replaceChildren();
  const row = (head, cells) => element("tr", [head, ...cells]);
  const names = game.summary.map(({side}) => element("th", [disc(side), game[side] || sideName(side === "black" ? BLACK : WHITE)], {scope: "col"}));
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

// Translates an estimate of the level of play: `h7.5 (h6.1-h9.0)`, `h7 (from h5)`, `above h14`, `too few moves`.
const levelText = text => text.replace("too few moves", () => t("too few moves"))
  .replace(/(above|from|up to) (h[\d.]+)/, (_, words, level) => t(`${words} {level}`, {level}))
  .replace("-", "\u2013").replace(/\d+\.\d/g, level => number(Number(level), 1));
