// Sharing and saving: texts for the clipboard, files, and pictures of the board. Loaded when it is needed.
import {BLACK, START, finalScore, sideName} from "./rules.js";
import {$, element, copy, download} from "./controls.js";
import {newTree, addLine, unpackTree, textOf, transcriptOf, lineFrom} from "./tree.js";
import {PART} from "./mine.js";
import {state, page, tell, mainLine, inVariation, isOver, textOfNow} from "./state.js";
import {record} from "./review.js";
import {writeSgf} from "./sgf.js";
import * as server from "./server.js";

// Sizes of a picture in pixels: the side of the board, and the height of the line of text below it.
const PIXELS = 640, LINE = 44;
// Colours in place of gradients, which PNG packs badly.
const FLAT = {felt: "#2b7650", b: "#1a1c20", w: "#f4f2ec"};
const FILES = {
  sgf: {ending: "sgf", type: "application/x-go-sgf"}, ggf: {ending: "ggf", type: "text/plain"}, pgn: {ending: "pgn", type: "application/x-chess-pgn"},
  transcript: {ending: "txt", type: "text/plain"}, page: {ending: "html", type: "text/html"},
  svg: {ending: "svg", type: "image/svg+xml"}, webm: {ending: "webm", type: "video/webm"}, png: {ending: "png", type: "image/png"},
};

function save(format, content) {
  const {ending, type} = FILES[format], {black, white} = record();
  const name = [black, white].filter(Boolean).join(" ").replace(/[^\p{L}\p{N}]+/gu, "-");
  download(name || "emilia", ending, content, type);
}

async function textFor(format) {
  if (format === "page") return server.save({format, analysis: state.tree.analysis});
  if (format !== "sgf") return server.save({format, games: [record()]});
  const last = mainLine().at(-1);
  return writeSgf(state.tree, record(), isOver(last) ? finalScore(last.position) : state.names.result);
}
async function saveGame(format) {
  try { save(format, await textFor(format)); }
  catch (error) { tell(error.message); }
}

const picture = () => new XMLSerializer().serializeToString($("board").querySelector("svg"));
// Draws the shown board on a canvas, with the players and the move below it.
async function draw(drawing) {
  const image = new Image();
  const sized = picture().replace("<svg ", `<svg width="${PIXELS}" height="${PIXELS}" `).replace(/url\(#(\w+)\)/g, (_, id) => FLAT[id]);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(sized)}`;
  await image.decode();
  const {black, white} = record(), {ply, move} = state.tree.now;
  drawing.fillStyle = "#fff";
  drawing.fillRect(0, PIXELS, PIXELS, LINE);
  drawing.drawImage(image, 0, 0, PIXELS, PIXELS);
  const players = `${black || sideName(BLACK)} \u2013 ${white || sideName(-BLACK)}`;
  Object.assign(drawing, {fillStyle: "#111", font: "600 20px Inter, system-ui, sans-serif", textAlign: "center", textBaseline: "middle"});
  drawing.fillText(state.setup || !move ? players : `${players}, ${ply}. ${move}`, PIXELS / 2, PIXELS + LINE / 2, PIXELS - LINE);
}
const newCanvas = () => Object.assign(element("canvas", ""), {width: PIXELS, height: PIXELS + LINE});
async function savePng() {
  const canvas = newCanvas();
  await draw(canvas.getContext("2d", {alpha: false}));
  canvas.toBlob(blob => save("png", blob), "image/png");
}
// Time of each move in a film, in milliseconds. A film records the line on the board move by move.
const FRAME = 400;
async function saveFilm() {
  const canvas = newCanvas(), drawing = canvas.getContext("2d", {alpha: false}), parts = [], {now} = state.tree;
  const recorder = new MediaRecorder(canvas.captureStream(25), {mimeType: "video/webm"});
  recorder.ondataavailable = ({data}) => parts.push(data);
  recorder.onstop = () => save("webm", new Blob(parts, {type: "video/webm"}));
  $("share-dialog").close();
  recorder.start();
  for (const node of shownLine()) {
    page.go(node);
    await draw(drawing);
    await new Promise(done => setTimeout(done, FRAME));
  }
  recorder.stop();
  page.go(now);
}

// The line on the board: the game, or the variation with the moves before it.
const shownLine = () => inVariation() ? lineFrom(state.tree.root) : mainLine();

// Address of this page with the moves on the board, the players, and the position that is shown.
function link() {
  const {black, white} = record(), start = textOf(state.tree.root.position);
  const fields = new URLSearchParams({moves: transcriptOf(shownLine()), at: `${state.tree.now.ply}`});
  for (const [name, text] of Object.entries({black, white, start: start === START ? "" : start})) if (text) fields.set(name, text);
  return `${location.origin}${location.pathname}#${fields}`;
}

// Copies the link. For the local program, whose address has a secret token and opens on this computer only, copies the
// game as a text instead.
export async function copyLink(told = $("copied")) {
  const isLocal = /^\/[0-9a-f]{32}\//.test(location.pathname);
  const {black, white} = record(), names = Object.entries({Black: black, White: white}).filter(([, name]) => name);
  copy(isLocal ? [...names.map(([side, name]) => `% ${side}: ${name}`), await transcript()].join("\n") : link(), told);
}

// Returns the game as a transcript, with its first position if that is not the start.
async function transcript() {
  const {root} = state.tree;
  const moves = transcriptOf(shownLine());
  return textOf(root.position) === START ? moves : (await server.save({format: "transcript", games: [{...record(), transcript: moves}]})).trim();
}

export function openShare() {
  $("share-dialog").querySelector("[data-format=page]").disabled = !state.tree.analysis;
  $("page-why").hidden = Boolean(state.tree.analysis);
  $("share-dialog").showModal();
}
function listen() {
  const told = $("share-dialog").querySelector(".copied");
  $("copy-transcript").addEventListener("click", async () => copy(await transcript(), told));
  $("copy-link").addEventListener("click", () => copyLink(told));
  $("copy-position").addEventListener("click", () => copy(textOfNow(), told));
  $("save-film").addEventListener("click", () => saveFilm().catch(error => tell(error.message)));
  $("save-svg").addEventListener("click", () => save("svg", picture()));
  $("save-png").addEventListener("click", savePng);
  for (const button of $("share-dialog").querySelectorAll("[data-format]")) button.addEventListener("click", () => saveGame(button.dataset.format));
}
listen();

function treeOf({start, transcript}, content) {
  if (content) return unpackTree(JSON.parse(content).tree);
  const tree = newTree(start);
  addLine(tree.root, transcript.match(/[a-h][1-8]/g) ?? []);
  return tree;
}
// Saves games of My games. SGF has their variations and comments.
export async function saveGames(games, format) {
  const parts = [];
  try {
    for (let at = 0; at < games.length; at += PART) {
      const part = games.slice(at, at + PART);
      if (format !== "sgf") parts.push(await server.save({format, games: part}));
      else {
        const contents = await server.getGames(part.map(({id}) => id));
        part.forEach((game, index) => parts.push(writeSgf(treeOf(game, contents[index]), game, game.result ?? null)));
      }
    }
    download("emilia-games", format, parts.join(""), FILES[format].type);
  } catch (error) { tell(error.message); }
}
