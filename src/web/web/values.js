// The Values tab: the table of moves, and the words on the running search.
import {turnOf, sideName} from "./rules.js";
import {t, prose, signed} from "./words.js";
import {$, element} from "./controls.js";
import {depthOf} from "./tables.js";
import {state, seesValues, looksBack, isEngine} from "./state.js";
import {valueText, bookOf, preview, playButton} from "./position.js";
import {forBlack} from "./engine.js";

let shownHint = null;

export function showValues() {
  // In the Values tab the table stays when values are switched off.
  const hint = seesValues() && !state.setup && (state.values || state.tab === "values") ? state.tree.now.hint : null;
  if (hint !== shownHint) {
    shownHint = hint;
    fillHints(hint);
  }
  showThinking();
}

function fillHints(hint) {
  const body = $("hints").tBodies[0];
  // Each iteration makes new rows. Focus and pointer stay on their moves.
  const focused = body.querySelector("tr:focus-within")?.dataset.move;
  const pointed = body.querySelector("tr:hover")?.dataset.move;
  body.replaceChildren(...(hint?.hints ?? []).map(line => {
    const book = bookOf(hint, line.move);
    const bookText = book && book.value !== null ? signed(book.value) : book ? t("yes") : "";
    const best = element("td", line.line.slice(0, 12).join(" "), {class: "wide"});
    const row = element("tr", [element("td", playButton(line.move)), element("td", valueText(line, false)), element("td", bookText), best], {class: line.exact ? "exact" : "", "data-move": line.move});
    // A tap on the line shows it on the board, and a second tap removes it.
    best.addEventListener("click", () => preview(state.shown?.join() === line.line.join() ? null : line.line));
    row.addEventListener("pointerenter", event => event.pointerType === "mouse" && preview(line.line));
    row.addEventListener("pointerleave", event => event.pointerType === "mouse" && preview(null));
    row.addEventListener("focusin", () => preview(line.line));
    row.addEventListener("focusout", () => preview(null));
    return row;
  }));
  const rowOf = move => [...body.rows].find(row => row.dataset.move === move);
  rowOf(focused)?.querySelector("button").focus();
  const over = hint?.hints.find(line => line.move === (pointed ?? focused));
  state.shown = over ? over.line : null;
  $("hints-words").textContent = !hint ? "" : prose(
    t("Values are for the side to move. Yellow: the best. Underlined: exact, solved to the end."),
    hint.book && t("Italic: in the opening book, whose value comes from longer searches and may differ from the search of this moment."),
  );
}

// Says what the running search does.
function showThinking() {
  const {now} = state.tree, {search} = state;
  $("thinking").textContent = thinkingText(now, search);
  const isOpen = seesValues();
  $("values").disabled = !isOpen || Boolean(state.setup);
  $("looked").hidden = !isOpen;
}
function thinkingText(now, search) {
  if (!seesValues()) return t("Values are hidden while the game runs. The Menu tab shows them.");
  if (!search || search.node !== now) {
    const waits = state.isPlaying && state.isPaused && !state.setup && !looksBack() && isEngine(turnOf(now.position));
    if (waits) return t("Paused: Continue lets the engine play.");
    return state.values && state.isResting ? t("Resting after ten minutes without a touch. Any key or movement goes on.") : "";
  }
  if (search.kind !== "move") {
    const best = search.node.hint?.hints[0];
    return !best ? t("Looking\u2026") : search.isDone ? `${t("All moves are searched.")} ${t("Depth")} ${depthOf(best)}` : t("Depth {depth}\u2026", {depth: depthOf(best)});
  }
  const {line} = search, side = sideName(turnOf(search.node.position));
  if (!line) return t("{side} thinks\u2026", {side});
  return t("{side} thinks: {move} {score} for Black, depth {depth}", {side, move: line.move, score: signed(forBlack(search.node, line)), depth: depthOf(line)});
}
