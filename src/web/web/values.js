// What the engine thinks: values on the squares, the table of moves, and the line of its search.

// Formats a value: exact ones are whole, and large ones are rounded where there is little room.
const valueText = (line, isShort) =>
  line.exact || (isShort && Math.abs(line.score) >= 9.95) ? wholeSigned(Math.round(line.score)) : signed(line.score);
const bookOf = (hint, move) => hint.book?.find(one => one.move === move);

// Returns the texts on the squares: values, or the moves of the line that the pointer is on.
function squareTexts(node) {
  const texts = new Map();
  if (shown) {
    shown.moves.forEach(({square, side}, index) => {
      texts.set(square, {text: `${index + 1}`, kind: `ghost ${sideOf(side)}`, label: `${sideName(side)}, move ${index + 1} of the line`});
    });
    return texts;
  }
  if (!state.values || !node.hint || setup) return texts;
  node.hint.hints.forEach((line, index) => {
    const book = bookOf(node.hint, line.move);
    const kinds = [line.score === node.hint.hints[0].score && index < 8 ? "best" : "", line.exact ? "exact" : "", book ? "book" : ""];
    const text = valueText(line, true), words = [`value ${text}`, line.exact ? "exact" : "", book ? "in the opening book" : ""];
    texts.set(squareOf(line.move), {text, kind: kinds.join(" "), label: words.filter(Boolean).join(", ")});
  });
  return texts;
}

// Returns the squares of a line of play from a position, with the side of each move.
function squaresOf(position, moves) {
  const squares = [];
  for (const move of moves) {
    if (move !== "pass") squares.push({square: squareOf(move), side: turnOf(position)});
    position = play(position, move);
  }
  return squares;
}

// Shows a line of play on the board, or no line.
function preview(node, moves) {
  shown = moves && {moves: squaresOf(node.position, moves)};
  labelSquares(buttons, node.position, clickable(), squareTexts(node));
}

let shownHint = null;

function showValues() {
  const {now} = state.tree, hint = state.values && !setup ? now.hint : null;
  $("looked").hidden = !state.values || setup !== null;
  if (hint !== shownHint) {
    shownHint = hint;
    fillHints(now, hint);
  }
  labelSquares(buttons, setup ?? now.position, clickable(), squareTexts(now));
  showThinking();
  drawGraph();
}

function fillHints(node, hint) {
  const body = $("hints").tBodies[0];
  // The rows are made again with each iteration: focus and pointer stay on their moves.
  const focused = document.activeElement?.closest("#hints tbody tr")?.dataset.move;
  const pointed = body.querySelector("tr:hover")?.dataset.move;
  body.replaceChildren(...(hint?.hints ?? []).map(line => {
    const row = element("tr", "", {class: line.exact ? "exact" : "", "data-move": line.move});
    const move = element("button", line.move, {class: "line", title: "Play this move"});
    const book = bookOf(hint, line.move);
    const bookText = book && book.value !== null ? `${signed(book.value)} (level ${book.level})` : book ? "yes" : "";
    const cell = element("td", "");
    cell.append(move);
    row.append(cell, element("td", valueText(line, false)), element("td", depthOf(line)), element("td", bookText), element("td", line.line.slice(0, 12).join(" "), {class: "wide"}));
    move.addEventListener("click", () => choosePlayed(squareOf(line.move)));
    for (const event of ["pointerenter", "focusin"]) row.addEventListener(event, () => preview(node, line.line));
    for (const event of ["pointerleave", "focusout"]) row.addEventListener(event, () => preview(node, null));
    return row;
  }));
  const rowOf = move => [...body.rows].find(row => row.dataset.move === move);
  rowOf(focused)?.querySelector("button").focus();
  const over = hint?.hints.find(line => line.move === (pointed ?? focused));
  shown = over ? {moves: squaresOf(node.position, over.line)} : null;
  const words = hint ? [hint.hints.some(line => line.exact) && "exact: solved to the end.", hint.book && "Book: value of the opening book."] : [];
  $("hints-words").textContent = words.filter(Boolean).join(" ");
}

// Shows what the running search does.
function showThinking() {
  const words = $("thinking");
  if (!search || search.node !== state.tree.now) {
    const {now} = state.tree, waits = state.isPaused && !setup && !nextOf(now) && isEngine(turnOf(now.position));
    words.textContent = waits ? "Paused: Continue lets the engine play." : "";
    return;
  }
  if (search.kind === "look") {
    const best = search.node.hint?.hints[0];
    words.textContent = !best ? "Looking\u2026" : search.isDone ? "All moves are searched." : `Looking: depth ${depthOf(best)}\u2026`;
    return;
  }
  const {line} = search, name = sideName(turnOf(search.node.position));
  words.textContent = line
    ? `${name} thinks: ${line.move} ${signed(forBlack(search.node, line))} for Black, depth ${depthOf(line)}, ${line.line.slice(0, 8).join(" ")}`
    : `${name} thinks\u2026`;
}
