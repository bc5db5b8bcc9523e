// The squares of the board: buttons above the drawing, for clicks, keys and screen readers.
import {t} from "./words.js";
import {BLACK, WHITE, nameOf, squareOf} from "./rules.js";
import {element, PLACES, SQUARES} from "./controls.js";

const discName = color => t(color === BLACK ? "black disc" : color === WHITE ? "white disc" : "empty");

// Makes the buttons. A pressed button calls `choose(square)`. Tab reaches only one of the buttons, and the arrow keys
// move between them.
export function makeSquares(grid, choose) {
  const buttons = Array.from({length: 64}, (_, square) => element("button", "", {tabindex: -1, "data-square": nameOf(square)}));
  for (let rank = 0; rank < 8; rank++) {
    const cells = SQUARES.slice(8 * rank, 8 * rank + 8).map(square => element("div", buttons[square], {role: "gridcell"}));
    grid.append(element("div", cells, {role: "row"}));
  }
  let reached = squareOf("d3");
  const reach = square => {
    buttons[reached].tabIndex = -1;
    buttons[square].tabIndex = 0;
    reached = square;
  };
  reach(reached);
  const ways = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
  grid.addEventListener("keydown", event => {
    const way = ways[event.key];
    if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const within = at => Math.max(0, Math.min(7, at)), place = PLACES[reached];
    reach(SQUARES[within(place % 8 + way[0]) + 8 * within((place >> 3) + way[1])]);
    buttons[reached].focus();
  });
  buttons.forEach((button, square) => button.addEventListener("click", event => {
    reach(square);
    // After a click of a pointer the arrow keys step through the game, not over the squares.
    if (event.detail > 0) button.blur();
    choose(square);
  }));
  return buttons;
}

// Labels the buttons. `texts` holds, by square, what a button shows: {text, kind, label}.
export function labelSquares(buttons, {squares}, legal, texts) {
  buttons.forEach((button, square) => {
    const shown = texts.get(square);
    button.className = [legal.includes(square) ? "legal" : "", shown?.kind ?? ""].join(" ").trim();
    button.replaceChildren(...shown?.text ? [element("span", shown.text)] : []);
    const words = [nameOf(square), legal.includes(square) ? t("legal move") : discName(squares[square])];
    if (shown) words.push(shown.label);
    button.setAttribute("aria-label", words.join(", "));
  });
}
