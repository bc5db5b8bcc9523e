// Openings of one's own: lines of moves for each colour, with the answers to questions about them. They are kept as one
// record of My games, which the list does not show. Every line begins with f5: the start has four images of itself.
import {START, parse, play, squareOf, nameOf} from "./rules.js";
import {textOf} from "./tree.js";
import * as server from "./server.js";

// The symmetry of the board, by first move, that maps this move to f5. Each is its own inverse.
const IMAGES = {f5: (file, rank) => [file, rank], e6: (file, rank) => [rank, file], d3: (file, rank) => [7 - rank, 7 - file], c4: (file, rank) => [7 - file, 7 - rank]};
function imageOf(move, first) {
  const square = squareOf(move), [file, rank] = IMAGES[first](square % 8, square >> 3);
  return nameOf(file + 8 * rank);
}
export const fromF5 = moves => moves.map(move => imageOf(move, moves[0]));
export const movesIn = line => line.match(/../g) ?? [];

// The record: `lines` are transcripts by colour, none the beginning of another. `answers` has, by position, [time in
// seconds since 1970, whether the answer was right] of each answer.
let known = null;
export async function read() {
  const [text] = await server.getGames([server.OPENINGS]);
  return known = text ? JSON.parse(text) : {revision: 0, lines: {black: [], white: []}, answers: {}};
}

// Changes the record with `act` and stores it. The request is sent at once, because the page may end. If another tab
// has changed the stored record, `act` is applied to that record.
export async function change(act) {
  for (let all = known ?? await read(); ; all = await read()) {
    const next = structuredClone(all), {revision: was} = all;
    act(next);
    next.revision = Math.max(Date.now(), was + 1);
    known = next;
    const one = {id: server.OPENINGS, was, revision: next.revision, summary: JSON.stringify({id: server.OPENINGS}), content: JSON.stringify(next)};
    const {refused} = await server.putGames([one]);
    if (refused.length === 0) return next;
  }
}

// Adds a line of moves to lines.
export function addTo(lines, moves) {
  const line = fromF5(moves).join("");
  if (!line || lines.some(own => own.startsWith(line))) return;
  lines.splice(0, lines.length, ...[...lines.filter(own => !line.startsWith(own)), line].sort());
}

// Returns the positions of lines: a map from each position, as a text, to its moves with the positions after them.
export function graphOf(lines) {
  const graph = new Map();
  for (const line of lines) {
    let position = parse(START);
    for (const move of movesIn(line)) {
      const key = textOf(position);
      if (!graph.has(key)) graph.set(key, new Map());
      position = play(position, move);
      graph.get(key).set(move, position);
    }
  }
  return graph;
}

// Draws one of the moves that lines have after these moves from the start. Returns null if there is none.
export function followed(lines, moves) {
  const [first = "f5"] = moves, position = fromF5(moves).reduce(play, parse(START));
  const next = [...graphOf(lines).get(textOf(position))?.keys() ?? []];
  return next.length === 0 ? null : imageOf(next[Math.floor(Math.random() * next.length)], first);
}
