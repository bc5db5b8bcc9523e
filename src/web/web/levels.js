// Players of the two sides: a person, levels that imitate people, levels and times of the engine.

const SECONDS = [1, 3, 10, 30, 60];
const CLOCK = "clock", MINUTES = [0, 1, 3, 5, 10, 15, 25];

// Fills a choice with groups of options: [heading, [[value, text], ...]].
function fillChoice(select, groups) {
  for (const [heading, options] of groups) {
    const group = heading ? element("optgroup", "", {label: heading}) : select;
    group.append(...options.map(([value, text]) => element("option", text, {value})));
    if (heading) select.append(group);
  }
}

// Fills the choice of a player. `people` are the human levels with their descriptions, and `levels` is
// the highest level of the engine.
function fillPlayers(select, {people, levels}) {
  fillChoice(select, [
    ["", [[PERSON, "Person"]]],
    ["Emilia, like a person", people.map(([level, words]) => [level, `${level}: ${words}`])],
    ["Emilia, full strength", [...SECONDS.map(seconds => [`${seconds}s`, `${seconds} s a move`]), [CLOCK, "by the clock"]]],
    ["Emilia, depth of search", Array.from({length: levels}, (_, index) => [`${index + 1}`, `level ${index + 1}`])],
  ]);
}

const fillClock = select => fillChoice(select, [["", MINUTES.map(minutes => [`${minutes}`, minutes === 0 ? "none" : `${minutes} minutes`])]]);

// Returns the name of a player in records, empty for a person.
function playerName(player) {
  if (player === PERSON) return "";
  if (player === CLOCK) return "Emilia";
  return `Emilia ${/^\d+$/.test(player) ? `level ${player}` : player.replace(/s$/, " s")}`;
}

// Returns the fields of a request for a move of this player.
function limitsOf(player) {
  if (player === PERSON || player === CLOCK) return {};
  return player.endsWith("s") ? {seconds: parseFloat(player)} : {level: player};
}
