// The first screen: the opponent, the colour and the clock of a game that nobody has begun. A click on the board begins, too.
import {t} from "./words.js";
import {$, element, fillChoices} from "./controls.js";
import {state, page, update, settings, keepSettings, isFirst} from "./state.js";
import {OPPONENTS, FIRST, opponentChoice, colourChoices, playerName, shownName} from "./players.js";
import {newGame, playersOf} from "./newgame.js";
import {focusBoard} from "./position.js";

const OTHER = "other";
let minutes = "0";

// The strength of an opponent: a row with a dot for each opponent, filled up to this one.
const force = index => element("span", FIRST.map((_, at) => element("i", "", {class: at <= index ? "on" : ""})), {class: "force", "aria-hidden": "true"});

export function listenToFirst() {
  fillChoices($("first-opponents"), "first-opponent", FIRST.map((player, index) => opponentChoice(OPPONENTS.find(([own]) => own === player), force(index))), settings.opponent, "choice");
  fillChoices($("first-colour"), "first-colour", colourChoices(), "black");
  fillChoices($("first-minutes"), "first-minutes", [["0", t("No clock")], ["5", t("{n} min", {n: 5})], ["10", t("{n} min", {n: 10})], [OTHER, t("Other\u2026")]], minutes);
  $("first-game").addEventListener("change", ({target: {name, value}}) => {
    if (value === OTHER) return page.press("new");
    if (name === "first-minutes") minutes = value;
    else settings[name.slice("first-".length)] = value;
    keepSettings();
    if (name === "first-opponent") state.players = playersOf({...settings, colour: "black"});
    update();
  });
}

// Begins the game of the first screen.
export function startFirst() {
  newGame(playersOf(settings), undefined, "", [], Number(minutes));
  focusBoard();
}

export function showFirst() {
  $("newcomer").hidden = /\blessons=/.test(document.cookie);
  if (!isFirst()) return;
  const chosen = $("first-game").querySelector(`[name=first-opponent][value="${state.players[state.players.black === "person" ? "white" : "black"]}"]`);
  if (chosen) chosen.checked = true;
  $("opponent").textContent = `${shownName(playerName(settings.opponent))} \u25be`;
}
