// My games: every game that is played or loaded is kept, by the server or in the page of files by the browser. A game has
// a summary, which the list shows, and contents: the tree of its moves with the analysis, players and clocks. Loaded
// games are kept without contents until they change.
import {START, finalScore} from "./rules.js";
import {shapeOf} from "./tree.js";
import {state, update, mainLine, isOver, packGame} from "./state.js";
import {record} from "./review.js";
import {nameAt} from "./openings.js";
import * as server from "./server.js";

// Maximum number of games of one request.
export const PART = 1000;

// Sends requests in order. The same sentence of refusal is shown only once.
let last = Promise.resolve(), said = "";
const queued = act => last = last.then(act).catch(({message}) => {
  if (message === said) return;
  state.message = said = message;
  update();
});

// Identifiers sort by time, and within one file by the order of its games.
const newId = (index = 0) => `${Date.now()}-${String(99_999 - index).padStart(5, "0")}-${Math.random().toString(36).slice(2, 8)}`;
const byId = (one, other) => one.id < other.id ? 1 : -1;

// Fetches the summaries.
let isAsked = false;
export function refresh() {
  isAsked = true;
  return queued(async () => {
    const isFirst = !state.games;
    state.games ??= [];
    const all = await server.listGames(), games = all.filter(({dropped}) => !dropped), old = state.games;
    state.dropped = all.filter(({dropped}) => dropped > Date.now() - MONTH);
    const gone = all.filter(({dropped}) => dropped <= Date.now() - MONTH).map(({id}) => id);
    if (gone.length > 0) await server.deleteGames(gone);
    // If the list has not changed, its rows stay.
    if (!isFirst && games.length === old.length && games.every(({id, revision}, at) => id === old[at].id && revision === old[at].revision)) return;
    state.games = games;
    update();
  });
}
export function needGames() { if (!isAsked) refresh(); }

// Begins to keep the game that a person plays.
export function own() {
  if (state.own) return;
  state.own = {id: newId(), revision: null};
  state.names.date ||= new Date().toLocaleDateString("sv");
}

// From here on the game is kept as another game. The kept game stays as it is.
export function fork() {
  if (state.own) state.own = {id: newId(), revision: null};
}

// The text of a summary, without fields that have the usual value.
const textOf = summary => JSON.stringify(summary, (_, value) => value === "" || value === START || value === false ? undefined : value);

// For each game the facts that were kept last, as a text. The game is stored again when they differ.
const kept = new WeakMap();

// Keeps the game of this tab if it has changed.
export function keep() {
  const {own, names, tree, ended, isPlaying} = state;
  if (!own) return;
  const key = JSON.stringify([names, shapeOf(tree.root), tree.live.ply, tree.analysis?.limits, tree.analysis?.moves.length, ended, isPlaying]);
  const isKept = kept.get(own) === key || (!kept.has(own) && own.revision !== null);
  kept.set(own, key);
  if (isKept) return;
  const end = mainLine().at(-1), game = packGame();
  game.tree.path = [];
  const summary = {...record(), result: isOver(end) ? finalScore(end.position) : names.result, opening: nameAt(end) || names.opening, analysed: Boolean(tree.analysis)};
  queued(() => put(own, summary, JSON.stringify(game)));
}

// Stores a game. If another tab has changed the stored game, that game stays, and this one is stored as a new game.
async function put(own, fields, content) {
  const summary = {...fields, id: own.id, revision: Math.max(Date.now(), own.revision + 1)};
  const {refused} = await server.putGames([{id: own.id, was: own.revision, revision: summary.revision, summary: textOf(summary), content}]);
  if (refused.length > 0) {
    Object.assign(own, {id: newId(), revision: null});
    return put(own, fields, content);
  }
  own.revision = summary.revision;
  if (!state.games) return;
  state.games = [summary, ...state.games.filter(({id}) => id !== own.id)].sort(byId);
  if (state.tab === "games") update();
}

// Games of this visit that are kept without contents.
const bare = new WeakSet();
const recordOf = ({start, transcript, black, white, date, event}) => [start, transcript, black, white, date?.replaceAll(".", "-"), event].join("\n");

// Keeps loaded games. Returns them; a game that is already in My games is replaced by the kept one. A position without
// moves is not kept.
export async function keepLoaded(games, file) {
  await refresh();
  const known = new Map(state.games.map(game => [recordOf(game), game])), fresh = [], revision = Date.now();
  const all = games.map((game, index) => {
    const old = known.get(recordOf(game));
    if (old || !game.transcript) return old ?? game;
    const one = {...game, file, id: newId(index), revision};
    bare.add(one);
    fresh.push(one);
    return one;
  });
  for (let at = 0; at < fresh.length; at += PART) {
    const part = fresh.slice(at, at + PART).map(one => ({id: one.id, was: null, revision, summary: textOf(one), content: null}));
    await queued(() => server.putGames(part));
  }
  state.games = [...fresh, ...state.games];
  return all;
}

// Returns the contents of a game, or null.
export const contentOf = async game => game.id && !bare.has(game) ? (await server.getGames([game.id]))[0] : null;

// Gives a game a name. It is the event in the record of the game.
export function rename(game, event) {
  if (state.own?.id === game.id) state.names.event = event;
  else queued(() => put({...game}, {...game, event}, null));
  update();
}

// Deletes games, or puts back the games deleted last. Deleted games stay stored for a month, marked with the time of
// deletion.
const MONTH = 30 * 24 * 60 * 60 * 1000;
function mark(games, dropped) {
  if (games.some(({id}) => id === state.own?.id)) state.own = null;
  const marked = games.map(game => ({...game, dropped, revision: Math.max(Date.now(), game.revision + 1)}));
  queued(async () => {
    for (let at = 0; at < marked.length; at += PART)
      await server.putGames(marked.slice(at, at + PART).map((game, index) => ({id: game.id, was: games[at + index].revision, revision: game.revision, summary: textOf(game), content: null})));
  });
  return refresh();
}
export const drop = games => mark(games, Date.now());
const lastDropped = () => state.dropped.filter(({dropped}) => dropped === Math.max(...state.dropped.map(one => one.dropped)));
export const countDropped = () => lastDropped().length;
export const undoDrop = () => mark(lastDropped());
