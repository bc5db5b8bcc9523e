// Players of the two sides: a person, levels that imitate people, levels and times of the engine.
import {t, labelled, number} from "./words.js";
import {$, element, disc, icon} from "./controls.js";
import {BLACK, WHITE, sideName, turnOf, outcome} from "./rules.js";
import {state, engine, settings, keepSettings, update, PERSON, sideOf, playerOf, isEngine, isAgainstEngine, mainLine, hasEnded} from "./state.js";

const CLOCK = "clock", SECONDS = [1, 3, 10, 30, 60];

// Opponents of a new game: [player, name, sentence].
export const OPPONENTS = [
  ["h0", "First steps", "About even with whoever takes the most discs."],
  ["h1", "Beginner", "Beats whoever takes the most discs 7 times in 10."],
  ["h3", "Casual", "Beats whoever takes corners 8 times in 10."],
  ["h5", "Club player", "Loses 4 discs a move, as weak club players do."],
  ["h9", "Strong", "Nearly an average club player."],
  ["h14", "Champion", "Loses as few discs as the best of a club."],
  ["3s", "Best", "All that Emilia has: three seconds a move."],
];

// Opponents of the first screen.
export const FIRST = ["h0", "h3", "h5", "h9", "3s"];

// Return the choice of an opponent, and the choices of a colour.
export function opponentChoice(opponent, ...parts) {
  const [player, name, words] = opponent;
  return [player, ...parts, element("strong", t(name)), element("span", t(words), {class: "why"}), icon("tick")];
}
export const colourChoices = () => [["black", disc("black"), t("Black")], ["white", disc("white"), t("White")], ["random", t("Random")]];

// Returns the description of a human level, or "" for another player.
export function describe(player) {
  const [, words] = engine.people.find(([level]) => level === player) ?? [];
  return words ? labelled(player, t(words)) : "";
}

const isTime = player => player.endsWith("s");

// Returns the name of a player in records, empty for a person.
export function playerName(player) {
  if (player === PERSON) return "";
  if (player === CLOCK) return "Emilia";
  if (isTime(player)) return `Emilia ${t("{n} s", {n: parseFloat(player)})}`;
  return /^\d+$/.test(player) ? `Emilia ${t("level {level}", {level: player})}` : `Emilia ${player}`;
}

// Splits a name of a record into [name, words below it]. For Emilia the words are its level in the words of the page.
export function partsOf(name) {
  const [, level] = /^Emilia (.+)/.exec(name) ?? [];
  if (!level) return [name, ""];
  const [, known] = OPPONENTS.find(([player]) => playerName(player) === name) ?? [];
  return ["Emilia", known ? t(known) : level];
}
// Returns the name of a side of a game as it is shown. A person without a name who plays Emilia is "You".
export function shownName(name, other = "", color = 0) {
  if (!name && color) return /^Emilia\b/.test(other) ? t("You") : sideName(color);
  return partsOf(name).filter(Boolean).join(" \u00b7 ");
}

const nameOf = color => (!state.spar && state.names[sideOf(color)]) || playerName(playerOf(color));
// Returns the name of a side on the page, and the words below it.
export const plateOf = color => partsOf(nameOf(color))[0] || (isAgainstEngine() ? settings.name || t("You") : sideName(color));
export function underName(color) {
  const [, level] = partsOf(nameOf(color)), last = mainLine().at(-1), side = sideName(color);
  const hasWon = !state.isPlaying && state.tree.now === last && hasEnded(last) && (state.ended?.winner ?? outcome(last.position).winner) === color;
  if (level || hasWon) return [hasWon && t("won"), level].filter(Boolean).join(" \u00b7 ");
  return state.isPlaying && turnOf(state.tree.live.position) === color ? t("to move") : plateOf(color) === side ? "" : side;
}

// Lets a name be edited in its place. The name of a person who plays Emilia is kept for the next game.
export function listenToNames() {
  for (const color of [BLACK, WHITE]) {
    const name = $(`${sideOf(color)}-side`).querySelector(".name");
    name.addEventListener("keydown", ({key}) => { if (key === "Enter" || key === "Escape") name.blur(); });
    name.addEventListener("blur", () => {
      const text = name.textContent.replace(/\s+/g, " ").trim();
      if (text === plateOf(color)) return;
      state.names[sideOf(color)] = text;
      if (isAgainstEngine() && !isEngine(color)) settings.name = text;
      keepSettings();
      update();
    });
  }
}

// Returns the fields of a request for a move of this player.
export function limitsOf(player) {
  if (player === PERSON || player === CLOCK) return {};
  return isTime(player) ? {seconds: parseFloat(player)} : {level: player};
}

// Fills a choice with all players of the engine.
export function fillStrengths(select) {
  const groups = [
    [t("Like a person"), engine.people.map(([level]) => [level, describe(level)])],
    [t("Full strength"), [...SECONDS.map(n => [`${n}s`, t("{n} second a move|{n} seconds a move", {n})]), [CLOCK, t("by the clock")]]],
    [t("Depth of search"), Array.from({length: engine.levels}, (_, index) => [`${index + 1}`, t("level {level}", {level: number(index + 1)})])],
  ];
  select.replaceChildren(...groups.map(([label, options]) => element("optgroup", options.map(([value, text]) => element("option", text, {value})), {label})));
}
