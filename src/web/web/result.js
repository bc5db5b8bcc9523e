// The card at the end of a game: its result with all discs counted out, the graph, and the costliest move of a person by a
// short analysis. Loaded when a game ends.
import {BLACK, WHITE, count, squareOf} from "./rules.js";
import {t} from "./words.js";
import {$, element, button, icon, headingOf} from "./controls.js";
import {miniBoard} from "./board.js";
import {SIGNS, isBad} from "./tables.js";
import {state, page, update, mainLine, resultText, isEngine, settings, keepSettings} from "./state.js";
import {record} from "./review.js";
import {showGraph} from "./moves.js";
import * as server from "./server.js";

// Depth of the short analysis, and the node whose result is shown.
const DEPTH = 6;
let shown = null;

// Button that does the same as another button of the page.
const pressing = (id, text, name = "") => button(text, () => page.press(id), {class: name});

// Returns the picture of all 64 discs, sorted and counted.
function counted({squares}) {
  const [black, white] = [BLACK, WHITE].map(color => count(squares, color));
  const discs = Array.from({length: 64}, (_, at) => {
    const one = element("i", "", {class: at < black ? "disc black" : at < 64 - white ? "" : "disc white"});
    one.style.setProperty("--i", `${at}`);
    return one;
  });
  return element("div", discs, {class: "count", role: "img", "aria-label": t("{black} black discs, {white} white discs", {black, white})});
}

export function showResult() {
  const node = mainLine().at(-1), host = $("result");
  if (shown === node) return;
  shown = node;
  const close = button(icon("close"), () => { state.isClosed = true; update(); }, {class: "icon close", "aria-label": t("Close"), title: t("Close (Esc)")}), two = element("div", $("graph"), {class: "two"});
  const end = element("span", pressing("new", t("New game")), {class: "end"});
  const foot = element("div", [pressing("analyze", t("Analyse the game"), "primary desk"), pressing("rematch", t("Rematch"), "desk"), !settings.name && nameField(), end], {class: "foot"});
  host.replaceChildren(element("h2", headingOf(resultText(node))), close, counted(node.position), two, foot);
  showGraph();
  findCostliest(node, two).catch(() => {});
}

// Asks once for the name of the person.
function nameField() {
  const field = element("input", "", {maxlength: 40, autocomplete: "nickname", placeholder: t("Your name"), "aria-label": t("Your name"), title: t("For files, lists and your mistakes")});
  field.addEventListener("change", () => {
    settings.name = field.value.trim();
    keepSettings();
    state.names[isEngine(BLACK) ? "white" : "black"] = settings.name;
    field.remove();
    update();
  });
  return field;
}

// Shows the move of a person that lost the most discs.
async function findCostliest(node, host) {
  /** @type {any} */
  let found = null;
  await server.analyze(record(), DEPTH, new AbortController().signal, event => { if (event.kind === "analysis") found = event; });
  const own = found.moves.filter(one => isBad(one) && !isEngine(one.side === "black" ? BLACK : WHITE)).sort((one, other) => other.lost - one.lost)[0];
  const at = own && mainLine()[own.number - 1];
  if (!at || shown !== node) return;
  const board = element("div", "", {class: "board"});
  board.innerHTML = miniBoard(at.position, {played: squareOf(own.move), sign: SIGNS[own.grade], better: squareOf(own.best)});
  const words = element("span", [element("span", t("The costliest move"), {class: "note"}), element("br", ""), element("strong", `${own.number}. ${own.move} ${SIGNS[own.grade]}`), element("br", ""),
    t("\u2212{n} disc|\u2212{n} discs", {n: Math.round(own.lost)})]);
  host.append(button([board, words, icon("next")], () => askCostliest(own), {class: "costly", title: t("Look at this move")}));
  showGraph();
}
// Shows the position before the costliest move, with both moves marked.
function askCostliest(own) {
  const node = mainLine()[own.number];
  node.judged ??= own;
  page.ask(node);
  scrollTo(0, 0);
}
