// The dialog of a new game. It is loaded when it is opened.
import {START, turnOf} from "./rules.js";
import {t} from "./words.js";
import {$, element, fillChoices} from "./controls.js";
import {nextOf, textOf} from "./tree.js";
import {state, update, tell, settings, keepSettings, PERSON, sideOf} from "./state.js";
import {OPPONENTS, opponentChoice, colourChoices, fillStrengths} from "./players.js";
import {focusBoard} from "./position.js";
import {CUSTOM, TWO, ENGINES, newGame, playersOf} from "./newgame.js";
import * as server from "./server.js";

const MINUTES = [0, 1, 3, 5, 10, 15, 25, 60], INCREMENTS = [0, 2, 5, 10, 30];

const chosen = name => $("new-dialog").querySelector(`[name=${name}]:checked`).value;
const cardOf = (name, value) => $("new-dialog").querySelector(`[name=${name}][value="${value}"]`);
const check = (name, value) => { cardOf(name, value).checked = true; };

function fillDialog() {
  const others = [[CUSTOM, "Custom", "Any level, depth or time."], [TWO, "Two people", "Both sides on this screen."], [ENGINES, "Emilia against Emilia", "Watch two strengths play."]];
  fillChoices($("opponents"), "opponent", [...OPPONENTS, ...others].map(one => opponentChoice(one)), null, "choice");
  fillChoices($("colour"), "colour", colourChoices());
  const starts = [["standard", "Standard"], ["xot", "XOT", "An even opening of eight moves, drawn at random."], ["mine", "My openings", "Emilia plays your lines as long as it can."], ["named", "A named opening", "Emilia plays it as long as it can."],
    ["random", "Random position", "Of a number of discs and a value."], ["position", "This position"]];
  fillChoices($("start"), "start", starts.map(([value, name]) => [value, t(name)]));
  starts.forEach(([, , words], at) => { if (words) $("start").children[at].title = t(words); });
  for (const id of ["strength", "strength-other"]) fillStrengths($(id));
  $("minutes").replaceChildren(...MINUTES.map(n => element("option", n === 0 ? t("none") : `${n}`, {value: n})));
  $("increment").replaceChildren(...INCREMENTS.map(n => element("option", `${n}`, {value: n})));
  $("new-dialog").addEventListener("change", showChoices);
  $("new-dialog").addEventListener("close", () => { if ($("new-dialog").returnValue === "begin") isHere() ? playOn() : startGame(); });
}

async function showChoices() {
  const opponent = chosen("opponent");
  $("custom").hidden = ![CUSTOM, ENGINES].includes(opponent);
  $("custom-other").hidden = opponent !== ENGINES;
  $("colours").disabled = [TWO, ENGINES].includes(opponent);
  const start = chosen("start"), isNamed = start === "named";
  $("named-field").hidden = !isNamed;
  $("random-fields").hidden = $("random-fields").disabled = start !== "random";
  for (const field of [$("named-field"), $("random-fields")]) if (!field.hidden) field.scrollIntoView({block: "nearest"});
  if (!isNamed || $("named").options.length > 0) return;
  try { $("named").replaceChildren(...(await server.namedOpenings()).map(([moves, name]) => element("option", t(name), {value: moves}))); }
  catch (error) { return tell(error.message); }
  if (settings.named) $("named").value = settings.named;
}

// Whether the game begins at a position of a reviewed game. The dialog then asks for the opponent only.
const isHere = () => $("new-dialog").classList.contains("here");
export function openDialog(here = false) {
  $("new-dialog").classList.toggle("here", here);
  $("new-title").textContent = t(here ? "Play from here" : "New game");
  const isKnown = cardOf("opponent", settings.opponent) && !(here && [TWO, ENGINES].includes(settings.opponent));
  check("opponent", isKnown ? settings.opponent : "h3");
  check("colour", settings.colour);
  // A position that was set up, or loaded without moves, is offered as the start of the game.
  const isSetUp = textOf(state.tree.root.position) !== START && !nextOf(state.tree.root);
  check("start", isSetUp ? "position" : settings.start === "position" ? "standard" : settings.start);
  for (const name of ["discs", "least", "most"]) $(name).value = settings[name];
  $("strength").value = settings.strength;
  $("strength-other").value = settings.other;
  $("minutes").value = "0";
  $("increment").value = settings.increment;
  $("with-values").checked = settings.values;
  showChoices();
  $("new-dialog").returnValue = "";
  $("new-dialog").showModal();
  $("opponents").querySelector(":checked").focus();
}

// Plays on from a position of the reviewed game, as a variation of that game.
function playOn() {
  const {now} = state.tree, colour = sideOf(turnOf(now.position));
  const opponent = {opponent: chosen("opponent"), strength: $("strength").value};
  Object.assign(settings, opponent);
  keepSettings();
  state.tree.live = now;
  Object.assign(state, {spar: {ply: now.ply, players: state.players}, players: playersOf({...settings, colour}), isPlaying: true, isPaused: false, asked: null, values: false});
  update();
  focusBoard();
}
// Starts the game of the dialog, and remembers its choices.
async function startGame() {
  const start = chosen("start");
  Object.assign(settings, {
    opponent: chosen("opponent"), colour: chosen("colour"), start, strength: $("strength").value, other: $("strength-other").value,
    minutes: Number($("minutes").value), increment: Number($("increment").value), values: $("with-values").checked,
    named: $("named").value || settings.named, discs: Number($("discs").value), least: Number($("least").value), most: Number($("most").value),
  });
  keepSettings();
  const players = playersOf(settings);
  let moves = "", follow = [];
  try {
    if (start === "xot") moves = (await server.opening(seed())).transcript;
    // In a game between two people, the moves of the opening are played at once.
    if (start === "named") isAgainst(players) ? follow = [settings.named] : moves = settings.named;
    if (start === "mine") follow = await ownLines(players);
    if (start === "random") moves = await drawn();
  } catch (error) { return tell(error.message); }
  newGame(players, start === "position" ? textOf(state.tree.now.position) : START, moves, follow, settings.minutes);
  focusBoard();
}
const isAgainst = ({black, white}) => (black === PERSON) !== (white === PERSON);
const seed = () => Math.floor(Math.random() * 2 ** 32);

// Returns the lines of one's own openings for the sides that a person plays.
async function ownLines(players) {
  const {lines} = await (await import("./repertoire.js")).read(), sides = ["black", "white"].filter(side => players[side] === PERSON);
  const own = sides.flatMap(side => lines[side]);
  if (own.length > 0) return own;
  throw new Error(t("There are no lines of yours for this colour: add some in the Explorer."));
}

// Draws the moves to a random position.
async function drawn() {
  const {discs, least, most} = settings;
  let moves = null;
  tell(t("Looking for a position\u2026"));
  await server.draw({seed: seed(), discs, score: [Math.min(least, most), Math.max(least, most)]}, undefined, event => { moves = event.transcript; });
  if (moves === null) throw new Error(t("No such position was found: choose other discs or values."));
  return moves;
}

fillDialog();
