// Sharing and saving: texts for the clipboard, files, and pictures of the board.
import {START, finalScore} from "./rules.js";
import {$, element, copy, download} from "./controls.js";
import {textOf, transcriptOf, lineFrom} from "./tree.js";
import {state, tell, mainLine, inVariation, isOver, textOfNow} from "./state.js";
import {record} from "./review.js";
import {writeSgf} from "./sgf.js";
import * as server from "./server.js";

const PIXELS = 1064;
const FILES = {
  sgf: {ending: "sgf", type: "application/x-go-sgf"}, ggf: {ending: "ggf", type: "text/plain"}, pgn: {ending: "pgn", type: "application/x-chess-pgn"},
  transcript: {ending: "txt", type: "text/plain"}, page: {ending: "html", type: "text/html"},
  svg: {ending: "svg", type: "image/svg+xml"}, png: {ending: "png", type: "image/png"},
};

function save(format, content) {
  const {ending, type} = FILES[format];
  download("emilia", ending, content, type);
}

async function textFor(format) {
  if (format === "page") return server.save({format, analysis: state.tree.analysis});
  if (format !== "sgf") return server.save({format, game: record()});
  const last = mainLine().at(-1);
  return writeSgf(state.tree, record(), isOver(last) ? finalScore(last.position) : null);
}
async function saveGame(format) {
  try { save(format, await textFor(format)); }
  catch (error) { tell(error.message); }
}

const picture = () => new XMLSerializer().serializeToString($("board").querySelector("svg"));
async function savePng() {
  const image = new Image(), canvas = element("canvas", "");
  const sized = picture().replace("<svg ", `<svg width="${PIXELS}" height="${PIXELS}" `);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(sized)}`;
  await image.decode();
  canvas.width = canvas.height = PIXELS;
  canvas.getContext("2d").drawImage(image, 0, 0, PIXELS, PIXELS);
  canvas.toBlob(blob => save("png", blob), "image/png");
}

// The line that is on the board: the game, or the variation with the moves before it.
const shownLine = () => inVariation() ? lineFrom(state.tree.root) : mainLine();

// Address of this page with the moves on the board.
function link() {
  const fields = new URLSearchParams({moves: transcriptOf(shownLine())}), start = textOf(state.tree.root.position);
  if (start !== START) fields.set("start", start);
  return `${location.origin}${location.pathname}#${fields}`;
}

// The position of a game that did not begin at the start is a part of its transcript.
async function transcript() {
  const {root} = state.tree;
  const moves = transcriptOf(shownLine());
  return textOf(root.position) === START ? moves : (await server.save({format: "transcript", game: {...record(), transcript: moves}})).trim();
}

export function openShare() {
  $("share-dialog").querySelector("[data-format=page]").disabled = !state.tree.analysis;
  $("page-why").hidden = Boolean(state.tree.analysis);
  $("share-dialog").showModal();
}
export function listenToShare() {
  $("copy-transcript").addEventListener("click", async () => copy(await transcript()));
  $("copy-link").addEventListener("click", () => copy(link()));
  $("copy-position").addEventListener("click", () => copy(textOfNow()));
  $("save-svg").addEventListener("click", () => save("svg", picture()));
  $("save-png").addEventListener("click", savePng);
  for (const button of $("share-dialog").querySelectorAll("[data-format]")) button.addEventListener("click", () => saveGame(button.dataset.format));
}
