// The engine behind the page: all its requests. The module `transport` sends them to the server, or in the page of
// files to workers.

import {ask, text, listen} from "./transport.js";
export {start, holdTab} from "./transport.js";

// Reads games from a text or a file, or from several files that belong together.
export const games = text => ask("games", new Blob([text]));
export const files = list => {
  if (list.length === 1) return games(list[0]);
  const head = JSON.stringify(list.map(({name, size}) => ({name, size}))) + "\n";
  return ask("files", new Blob([head, ...list]));
};
// A drawn opening of XOT, as a transcript.
export const opening = seed => ask("opening", {seed});
// The opening book and the loaded games at a position.
export const explore = (position, games) => ask("explore", {position, games});
// Searches: the move to play, the values of all moves, and the analysis of a game.
export const move = (fields, signal, event) => listen("move", fields, signal, event);
export const look = (position, signal, event) => listen("look", {position}, signal, event);
export const analyze = (game, depth, signal, event) => listen("analyze", {game, depth}, signal, event);
// The text of a file with a game, or with the page of its analysis.
export const save = fields => text("save", fields);
// Exercises: those that are due, the values of one, an answer, and new ones from a game or a player.
export const exercises = () => ask("exercises", {});
export const key = (id, signal, event) => listen("key", {id}, signal, event);
export const answer = (id, move, hinted) => ask("answer", {id, move, hinted});
export const practise = (game, analysis, side) => ask("practise", {game, analysis, side});
export const collect = (games, player, signal, event) => listen("collect", {games, player}, signal, event);
// All exercises and answers as the text of a file, and those of such a file.
export const exportExercises = () => text("export", {});
export const importExercises = file => ask("import", file);
