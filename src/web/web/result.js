// The card at the end of a game: its result with all discs counted out, the graph, and the costliest move of a person by a
// short analysis. Loaded when a game ends.
import {BLACK, WHITE, count, squareOf} from "./rules.js";
import {t} from "./words.js";
import {$, element, icon} from "./controls.js";
import {miniBoard} from "./board.js";
import {SIGNS, isBad} from "./tables.js";
import {state, page, update, mainLine, resultText, isEngine, settings, keepSettings} from "./state.js";
import {record} from "./review.js";
import {showGraph} from "./moves.js";
import * as server from "./server.js";

// Depth of the short analysis, and the node whose result is shown.
const DEPTH = 6;
let shown = null;

// Button that acts as another one of the page.
function pressing(id, text, name = "") {
  const button = element("button", text, {class: name});
  button.addEventListener("click", () => page.press(id));
  return button;
}

// All 64 discs, laid out and counted.
function counted({squares}) {
  const [black, white] = [BLACK, WHITE].map(color => count(squares, color));
  const host = element("div", "", {class: "count", role: "img", "aria-label": t("{black} black discs, {white} white discs", {black, white})});
  host.append(...Array.from({length: 64}, (_, at) => {
    const one = element("i", "", {class: at < black ? "" : at < 64 - white ? "e" : "w"});
    one.style.setProperty("--i", `${at}`);
    return one;
  }));
  return host;
}

export function showResult() {
  const node = mainLine().at(-1), host = $("result");
  if (shown === node) return;
  shown = node;
  const close = element("button", "", {class: "icon close", "aria-label": t("Close"), title: t("Close (Esc)")}), two = element("div", "", {class: "two"}), foot = element("div", "", {class: "foot"});
  close.append(icon("close"));
  close.addEventListener("click", () => { state.isClosed = true; update(); });
  const end = element("span", "", {class: "end"});
  end.append(pressing("new", t("New game")));
  foot.append(pressing("analyze", t("Analyse the game"), "primary"), pressing("rematch", t("Rematch")), ...settings.name ? [] : [nameField()], end);
  two.append($("graph"));
  host.replaceChildren(element("h2", resultText(node)), close, counted(node.position), two, foot);
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

// Shows the move with which a person lost most.
async function findCostliest(node, host) {
  let found = null;
  await server.analyze(record(), DEPTH, new AbortController().signal, event => { if (event.kind === "analysis") found = event; });
  const own = found.moves.filter(one => isBad(one) && !isEngine(one.side === "black" ? BLACK : WHITE)).sort((one, other) => other.lost - one.lost)[0];
  const at = own && mainLine()[own.number - 1];
  if (!at || shown !== node) return;
  const button = element("button", "", {class: "costly", title: t("Look at this move")}), board = element("div", "", {class: "board"}), words = element("span", "");
  board.innerHTML = miniBoard(at.position, {played: squareOf(own.move), sign: SIGNS[own.grade], better: squareOf(own.best)});
  words.append(element("span", t("The costliest move"), {class: "note"}), element("br", ""), element("strong", `${own.number}. ${own.move} ${SIGNS[own.grade]}`), element("br", ""),
    t("\u2212{n} disc|\u2212{n} discs", {n: Math.round(own.lost)}));
  button.append(board, words, icon("next"));
  button.addEventListener("click", () => page.go(at));
  host.append(button);
}
