// Sentences of the engine in the words of the page, and in its language. Names in braces stand for any text.
import {t, addWords} from "./words.js";

const SENTENCES = [
  // Games that are read.
  ["there are no games in it (expected moves, or PGN, GGF, SGF, OBF or a WTHOR file)",
    "No game was found: expected moves such as f5d6c3, a position, a link, or a file in PGN, GGF, SGF, OBF or WTHOR format."],
  ["this is not a file of games: byte {at} is {byte} (expected text, or a WTHOR file)",
    "This is not a file of games: expected text, PGN, GGF, SGF, OBF or WTHOR."],
  ["these are names for a WTHOR file (expected the file with the games, .wtb)",
    "This file has only the names of a WTHOR file: open it together with the file of the games (.wtb)."],
  ["game {game}: line {line}, column {column}, move {number}: illegal move: {move} for {side} (legal: {legal})",
    "Game {game}, move {number}: {move} is not legal; {side} can play {legal}."],
  ["game {game}: line {line}, column {column}, move {number}: illegal move: {move} for {side} (no square is legal)",
    "Game {game}, move {number}: {move} is not legal; {side} has no move."],
  ["game {game}: line {line}: {read} of {all} moves read; {move} is not legal", "Game {game}: {move} is not legal; {read} of {all} moves were read."],
  ["game {game}: {read} of {all} moves read; {move} is not legal", "Game {game}: {move} is not legal; {read} of {all} moves were read."],
  ["game {game}: the recorded result is {result}, but the board has {discs}, which counts",
    "Game {game}: the recorded result is {result}, but the board has {discs}, which counts."],
  ["game {game}: line {line}, column {column}: GM[{found}]: expected 2, which is Othello", "Game {game} is not a game of Othello: it has GM[{found}], expected GM[2]."],
  ["game {game}: line {line}, column {column}: {why}", "Game {game} cannot be read at line {line}, column {column}: {why}."],
  ["'{file}': it is damaged and cannot be unpacked: {why}", "The packed file {file} is damaged."],
  ["'{file}': it is packed ({kind}); unpack it first (.gz, .bz2 and .zip are read)", "Unpack {file} first: of packed files, .gz, .bz2 and .zip are read."],
  ["'{file}': it is encrypted, or packed by a method that is not read; unpack it first", "Unpack {file} first: it is encrypted, or packed in a way that is not read."],
  ["black", "Black"], ["white", "White"],
  // Searches and exercises.
  ["as many searches as possible are running: stop one in another tab", "Too many searches are running: stop one in another tab."],
  ["the game has no moves", "The game has no moves."],
  ["there is no home folder for exercises: start with --state FILE"], ["another program is writing to it"], ["the file is damaged"],
  // Trees of the Learn page.
  ["column {column}: the text ends where {expected} was expected", "The list ends at column {column}: expected {expected}."],
  ["column {column}: found '{found}' where {expected} was expected", "Column {column}: expected {expected}, found {found}."],
  ["a comma or ]"], ["a list [...], x, or a whole number up to a million"], ["the end of the text"], ["a number of moves, 1 to 20"], ["a height, 1 to 14"],
  ["'{move}' is not a legal move", "{move} is not a legal move."],
  ["{moves} moves to height {height}: more than {most} leaves", "The tree is too large: {moves} moves to height {height} make more than {most} leaves."],
  ["the tree has more than {most} nodes, too many to draw", "The tree is too large to draw: it has more than {most} nodes."],
].map(([own, page = own]) => ({pattern: patternOf(own), page}));

function patternOf(sentence) {
  const escaped = sentence.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replace(/\\\{(\w+)\\\}/g, "(?<$1>.*?)")}$`, "s");
}

// Returns a sentence of the engine as the page says it.
export async function said(sentence) {
  await addWords("sentences-");
  return inWords(sentence);
}

// What is unknown stays as it is, but for what follows a colon: the name of a file may stand before it.
function inWords(sentence) {
  for (const {pattern, page} of SENTENCES) {
    const found = pattern.exec(sentence);
    if (found) return t(page, Object.fromEntries(Object.entries(found.groups ?? {}).map(([name, part]) => [name, inWords(part)])));
  }
  const at = sentence.indexOf(": ");
  return at < 0 ? sentence : sentence.slice(0, at + 2) + inWords(sentence.slice(at + 2));
}
