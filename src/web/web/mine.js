// My games: every game that is played or loaded is kept, by the server or in the page of files by the browser. A game has
// a summary, which the list shows, and contents: the tree of its moves with the analysis, players and clocks. Loaded
// games are kept without contents until they change.
import {START, finalScore} from "./rules.js";
import {shapeOf} from "./tree.js";
import {state, update, mainLine, isOver, packGame} from "./state.js";
import {record} from "./review.js";
import {nameAt} from "./openings.js";
import * as server from "./server.js";

// Games of one request, and the time in which deleted ones can be put back, in milliseconds.
export const PART = 1000;
const MOMENT = 10_000;

// Requests in their order. A sentence that refuses is shown once.
let last = Promise.resolve(), said = "";
const queued = act => last = last.then(act).catch(({message}) => {
  if (message === said) return;
  state.message = said = message;
  update();
});

// Identifiers sort by time, and those of one file by its order.
const newId = (index = 0) => `${Date.now()}-${String(99_999 - index).padStart(5, "0")}-${Math.random().toString(36).slice(2, 8)}`;
const byId = (one, other) => one.id < other.id ? 1 : -1;

// Fetches the summaries.
let isAsked = false;
export function refresh() {
  isAsked = true;
  return queued(async () => {
    const isFirst = !state.games;
    state.games ??= [];
    const games = (await server.listGames()).filter(({id}) => !dropped?.ids.includes(id)), old = state.games;
    // The rows of a list that is the same stay.
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

// The text of a summary, without what is as in most games.
const textOf = summary => JSON.stringify(summary, (_, value) => value === "" || value === START ? undefined : value);

// What was kept last of each game.
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
  const summary = {...record(), result: isOver(end) ? finalScore(end.position) : names.result, opening: nameAt(end) || names.opening};
  queued(() => put(own, summary, JSON.stringify(game)));
}

// Stores a game. One that another tab has changed stays, and this one is kept beside it.
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

// Keeps loaded games. Returns them, with those that were there before in their place. A position is not a game.
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

// Gives a game a name, which stands in its record as the event.
export function rename(game, event) {
  if (state.own?.id === game.id) state.names.event = event;
  else queued(() => put({...game}, {...game, event}, null));
  update();
}

// Deletes games after a moment.
let dropped = null;
export const isDropped = () => dropped?.ids.length ?? 0;
export function drop(games) {
  finishDrop();
  dropped = {games, ids: games.map(({id}) => id), timer: setTimeout(() => { finishDrop(); update(); }, MOMENT)};
  state.games = state.games.filter(({id}) => !dropped.ids.includes(id));
  update();
}
export function undoDrop() {
  clearTimeout(dropped.timer);
  state.games = [...state.games, ...dropped.games].sort(byId);
  dropped = null;
  update();
}
export function finishDrop() {
  if (!dropped) return;
  const {ids, timer} = dropped;
  clearTimeout(timer);
  if (ids.includes(state.own?.id)) state.own = null;
  dropped = null;
  queued(() => server.deleteGames(ids));
}
