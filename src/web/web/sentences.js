// Sentences of the engine, by their code, in the words and the language of the page.
import {t, labelled, addWords} from "./words.js";

await addWords("more-");
const SENTENCES = {
  // Sentences about reading games.
  "no-games": "No game was found: expected moves such as f5d6c3, a position, a link, or a file in PGN, GGF, SGF, OBF or WTHOR format.",
  "no-text": "This is not a file of games: expected text, PGN, GGF, SGF, OBF or WTHOR.",
  "only-names": "This file has only the names of a WTHOR file: open it together with the file of the games (.wtb).",
  illegal: "Game {game}, move {number}: {move} is not legal; {side} can play {legal}.",
  "no-move": "Game {game}, move {number}: {move} is not legal; {side} has no move.",
  "not-turn": "Game {game}, move {number}: {move} is not legal; it is not the turn of {side}.",
  "not-legal": "Game {game}: {move} is not legal; {read} of {all} moves were read.",
  "not-next": "Game {game}: {move} is not the next move; {read} of {all} moves were read.",
  result: "Game {game}: the recorded result is {result}, but the board has {discs}, which counts.",
  mirrored: "Game {game}: row 1 is the lowest in this record, so its squares are mirrored.",
  variations: "Game {game}: variations left out: {n}.",
  "other-game": "Game {game} is not a game of Othello: it has GM[{found}], expected GM[2].",
  "unreadable-at": "Game {game} cannot be read at line {line}, column {column}: {why}.",
  unreadable: "Game {game} cannot be read: {why}.",
  "packed-damaged": "The packed file {file} is damaged.",
  packed: "Unpack {file} first: of packed files, .gz, .bz2 and .zip are read.",
  "packed-unread": "Unpack {file} first: it is encrypted, or packed in a way that is not read.",
  // Sentences about searches and exercises.
  busy: "Too many searches are running: stop one in another tab.",
  "no-moves": "The game has no moves.",
  "no-home": "There is no home folder for exercises: start with --state FILE.",
  "in-use": "Another program is writing to {file}.",
  damaged: "The file {file} is damaged.",
  // Sentences about trees of the Learn page.
  "tree-comma": "Column {column}: expected a comma or ].",
  "tree-node": "Column {column}: expected a list [...], x, or a whole number up to a million.",
  "tree-leaf": "Column {column}: expected a leaf, since lists are nested at most 60 times.",
  "tree-end": "Column {column}: expected the end of the text.",
  "tree-moves": "Column {column}: expected a number of moves, 1 to 20.",
  "tree-height": "Column {column}: expected a height, 1 to 14.",
  "tree-seed": "Column {column}: expected a seed, a whole number.",
  "no-legal-move": "{move} is not a legal move.",
  "tree-leaves": "The tree is too large: {moves} moves to height {height} make more than {most} leaves.",
  "tree-nodes": "The tree is too large to draw: it has more than {most} nodes.",
};
const SIDES = {black: "Black", white: "White"};

// Returns a sentence in the words of the page. A sentence without a code, or with an unknown code, stays as it is.
export function said({text, code, side, ...values}) {
  const own = SENTENCES[code];
  if (!own) return text;
  const words = t(own, {...values, side: t(SIDES[side] ?? "")});
  return values.file && !own.includes("{file}") ? labelled(values.file, words) : words;
}
