// The dialog of the key `?`: keys, and the words and marks of the page.
import {t, addWords} from "./words.js";
import {$, element} from "./controls.js";
import {engine} from "./state.js";
import {describe} from "./players.js";
import {picture} from "./board.js";

await addWords("more-");
const KEYS = [
  ["f5", "plays the move f5: type its letter and digit"], ["Tab, arrows, Enter", "reach the board, move over its squares, play"],
  ["\u2190 \u2192, wheel", "one move back, one move on"], ["Home, End", "first, last position"],
  ["u, r", "undo, redo"], ["i", "hint"], ["m", "the engine moves now"], ["v", "values of all moves"], ["x", "explorer"],
  ["n, p", "next, previous mistake"], ["Esc", "back to the game"], ["Ctrl+V", "load the game of the clipboard"], ["f, Shift+F", "turn the board"], ["?", "this page"],
];
const GLOSSARY = [
  ["Score", "the difference of discs at the end, with best play of both sides; empty squares count for the winner; + is good for Black, in the table of values for the side to move"],
  ["Yellow", "the best move; the other values are of moves that lose discs against it"],
  ["Underlined, exact", "solved to the end: the score is certain"],
  ["Italic, book", "the opening book has the move; its value comes from longer searches and may differ from the value of a search"],
  ["Dark discs with numbers", "a line of play, move by move"],
  ["?!, ?, ??", "a move that lost 2, 4, 10 discs or more; !! a move that few players find and that loses nothing"],
  ["Ring, tick", "dashed: the move that was played; solid with a tick: the best move", picture.played + picture.better],
  ["Arrow", "along the discs that the best move turns", picture.arrow],
  ["Dot", "a move that you can play; faint while the engine thinks; a red one is on the last disc", picture.dot + picture.last],
  ["Lost", "discs, against the best move"],
  ["Found", "how many players of an average club find a move within half a disc of the best, by a model of how people choose moves; the move played, the best one and the next lose what the analysis finds, any other its distance from the best in the short search of the model"],
  ["Level of play", "the level from h0 (a first game) to h14 (the best of a club) that fits the moves best, and in brackets the range that holds the true level in about 9 of 10 cases"],
  ["Depth 12@73%", "searched 12 moves deep, with forward pruning at 73 % confidence"],
  ["Bar beside the board", "the share of the 64 discs that each side is expected to have at the end; the number is the score"],
  ["Graph", "the score after each move; green: solved to the end; dashed: the move that decided the game"],
  ["XOT", "an even opening of eight moves, drawn at random"],
  ["Level 1 to 60", "Emilia at this depth of search"],
  ["Transcript", "the moves of a game in one line, such as f5d6c3"],
  ["SGF, GGF, PGN", "files of games for other programs; SGF has the variations and comments, too"],
];

export function openHelp() {
  $("keys").tBodies[0].replaceChildren(...KEYS.map(([key, words]) => element("tr", [element("th", element("kbd", t(key)), {scope: "row"}), element("td", t(words))])));
  const levels = ["Levels h0 to h14", engine.people.filter(([, words], at, all) => words !== all[at - 1]?.[1]).map(([level]) => describe(level)).join(" \u00b7 ")];
  $("glossary").replaceChildren(...[...GLOSSARY, levels].map(([word, words, pictures = ""]) => {
    const name = element("dt", `${t(word)} `);
    name.insertAdjacentHTML("beforeend", pictures);
    return element("div", [name, element("dd", t(words))]);
  }));
  $("help-dialog").showModal();
}
