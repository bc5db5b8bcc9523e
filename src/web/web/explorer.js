// Explorer: the moves of a position in the opening book and in the loaded games.
import {START} from "./rules.js";
import {t, prose, number, signed} from "./words.js";
import {$, element} from "./controls.js";
import {textOf} from "./tree.js";
import {state, update, isOver, seesValues} from "./state.js";
import {playButton} from "./position.js";
import {plain, withWords} from "./list.js";
import {textsOf} from "./gamelist.js";
import {openingOf} from "./openings.js";
import {needGames} from "./mine.js";
import * as server from "./server.js";

// Maximum number of games that are sent: the newest.
const MOST = 50_000;

// Asks for the moves of the shown position, if its table is open and empty.
async function explore() {
  const {now} = state.tree, {games} = state, only = $("only").value, hasWords = withWords(only);
  const asked = state.explored = {node: now, games, only, answer: null};
  try {
    const played = (games ?? []).filter(game => !only || hasWords(plain(textsOf(game).join(" ")))).slice(0, MOST).map(({start, transcript, result}) => ({start, transcript, result}));
    const answer = await server.explore(textOf(now.position), played);
    if (state.explored === asked) state.explored = {...asked, answer};
  } catch (error) { state.message = error.message; }
  update();
}

// A bar with the shares of won, drawn and lost games.
function shares({games, won, drawn, lost}) {
  const parts = Object.entries({won, drawn, lost}).filter(([, part]) => part > 0).map(([kind, part]) => {
    const one = element("span", number(part), {class: kind});
    one.style.flexGrow = part;
    return one;
  });
  return element("td", games > 0 && element("span", parts, {class: "shares"}));
}

export function showExplorer() {
  if (state.tab !== "explorer" || state.setup) return;
  const {now} = state.tree;
  needGames();
  if (!isOver(now) && (state.explored?.node !== now || state.explored.games !== state.games || state.explored.only !== $("only").value)) return explore();
  const answer = isOver(now) ? null : state.explored?.answer;
  $("opening").textContent = openingOf(now);
  if (!answer && !isOver(now)) return;
  const book = seesValues() ? answer?.book ?? [] : [], played = answer?.moves ?? [];
  // All first moves are symmetric.
  const isStart = textOf(now.position) === START;
  const moves = new Set([...played.map(one => one.move), ...book.slice(0, isStart ? 1 : 64).map(one => one.move)]);
  $("explored").tBodies[0].replaceChildren(...[...moves].map(move => {
    const own = played.find(one => one.move === move), known = book.find(one => one.move === move);
    const value = known && known.value !== null ? signed(known.value) : "";
    return element("tr", [element("td", move === null ? "\u2013" : playButton(move)), element("td", value), element("td", own && number(own.games)), shares(own ?? {games: 0}),
      element("td", own && own.mean !== null && signed(own.mean))]);
  }));
  $("explored").closest(".scrolls").hidden = moves.size === 0;
  $("explored-words").textContent = !answer ? "" : prose(
    answer.read > 0 ? t("{games} of {n} game of yours reaches this position.|{games} of {n} games of yours reach this position.", {games: answer.games, n: answer.read})
      : t("Open a file of games to see how often each move was played."),
    book.length > 0 ? t("Book: discs for the side to move, from longer searches; they may differ from the values of a search.") : t("The opening book does not have this position."),
    played.length > 0 && t("Results and mean score are for the side to move."),
  );
}
