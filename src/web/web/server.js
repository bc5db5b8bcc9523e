// The engine behind the page: all its requests. The module `transport` sends them to the server, or in the page of
// files to workers.

import * as transport from "./transport.js";
import {START} from "./rules.js";
export {holdTab} from "./transport.js";

// Returns a sentence of the engine in the words of the page. The module of these words is loaded with the first
// sentence.
async function inWords(sentence) {
  if (!sentence) return sentence;
  try { return (await import("./sentences.js")).said(sentence); }
  catch { return sentence.text; }
}
// Awaits an answer. The engine refuses with a sentence as JSON, which is thrown in the words of the page.
async function answered(answer) {
  try { return await answer; }
  catch (error) {
    if (!error.message.startsWith("{")) throw error;
    throw new Error(await inWords(JSON.parse(error.message)));
  }
}
// Awaits the games of an answer, with its sentences in the words of the page.
async function read(answer) {
  const games = await answer;
  return {...games, why: await inWords(games.why), warning: await inWords(games.warning)};
}
const ask = (what, fields) => answered(transport.ask(what, fields));
const listen = (what, fields, signal, event) => answered(transport.listen(what, fields, signal, event));

// The games of the command line, and the levels of the engine.
export const start = () => read(transport.start());
// Reads games from a text, or from files that belong together.
export const games = text => read(ask("games", new Blob([text])));
export const files = async list => {
  const sent = await Promise.all(list.map(transport.decoded)), head = JSON.stringify(sent.map(({name, size}) => ({name, size}))) + "\n";
  return read(ask("files", new Blob([head, ...sent])));
};
// An opening of XOT drawn at random, as a transcript.
export const opening = seed => ask("opening", {seed});
// Draws moves to a position with a number of discs and a score for Black within a range.
export const draw = (fields, signal, event) => listen("draw", fields, signal, event);
// The rows of a table of the page, such as `openings.tsv`, each as a list of its cells.
export async function rows(name) {
  const text = await (await fetch(new URL(name, import.meta.url))).text();
  return text.split("\n").filter(line => line && !line.startsWith("#")).map(line => line.split("\t"));
}
// The named openings: [moves, name] of each.
export const namedOpenings = async () => (await rows("openings.tsv")).slice(1);
// The opening book and the loaded games at a position.
export const explore = (position, games) => ask("explore", {position, games});
// Searches: the move to play, the values of all moves, and the analysis of a game.
export const move = (fields, signal, event) => listen("move", fields, signal, event);
export const look = (position, signal, event) => listen("look", {position}, signal, event);
export const analyze = (game, depth, signal, event) => listen("analyze", {game, depth}, signal, event);
// My games: summaries, contents by identifier, and changes. `putGames` takes {id, was, revision, summary, content} of
// each game, and refuses a game whose stored revision is not `was`. The list leaves out the record of one's own
// openings, OPENINGS.
export const OPENINGS = "openings";
export const listGames = async () => (await ask("list", {})).games.map(text => ({start: START, ...JSON.parse(text)})).filter(({id}) => id !== OPENINGS);
export const getGames = async ids => (await ask("get", {ids})).contents;
export const putGames = games => ask("put", {games});
export const deleteGames = ids => ask("delete", {ids});
// The text of a file with games, or of the page of an analysis.
export const save = fields => answered(transport.text("save", fields));
// Exercises: the exercises of a session, the values of an exercise's moves, an answer, and new exercises from a game or
// from the games of a player.
export const exercises = theme => ask("exercises", {theme});
export const key = (position, signal, event) => listen("key", {position}, signal, event);
export const answer = (position, move, hinted) => ask("answer", {position, move, hinted});
// The days until questions return. `answers` has, for each question, [seconds since 1970, whether it was known] of each
// answer.
export const due = answers => ask("due", {answers});
export const practise = (game, analysis, side) => ask("practise", {game, analysis, side});
export const collect = (games, player, signal, event) => listen("collect", {games, player}, signal, event);
// The steps of an algorithm: {game, text, algorithm, height}. The answer has the fields that src/cli/JSON.md names,
// with the tree as `svg`.
export const lesson = request => ask("lesson", request);
// The worked examples of the Learn page: [name, tree] of each.
export const examples = async () => (await rows("examples.txt")).map(([line]) => line.match(/^([\w-]+): (.*?) = /)).filter(Boolean).map(([, name, tree]) => [name, tree]);
// Returns all exercises and answers as the text of a file. `importExercises` adds the exercises and answers of such a
// file.
export const exportExercises = () => answered(transport.text("export", {}));
export const importExercises = file => ask("import", file);
