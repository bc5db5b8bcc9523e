// The Learn page, which teaches game-tree search. `learn-state` has the state of the page, `render` shows it. Read
// next: `learn-tree` (the picture), `learn-sentences`, `learn-code` (pseudo-code), `learn-exercises`. The steps come
// from the engine.
import {t, prose, series} from "./words.js";
import {$, element, disc, onKeys, openPage} from "./controls.js";
import * as server from "./server.js";
import {CODE, NAMES, keys} from "./learn-code.js";
import {EXERCISES, answer, isInner} from "./learn-exercises.js";
import {capital, hasEstimates, hasWindows, leftOut, nodeName, sentence} from "./learn-sentences.js";
import {remember, remembered, state} from "./learn-state.js";
import {draw, interval, makeButtons, reveal, show, shown, stateAfter} from "./learn-tree.js";

/** @type {(selector: string) => any[]} */
const all = selector => [...document.querySelectorAll(selector)];
const PLAY_MS = 900;

// Names of the worked examples.
const EXAMPLES = {
  course: "Two moves, three replies", first: "… with the refutation first", last: "… with the refutation last",
  alpha: "An alpha cut", beta: "A beta cut (Min at the root)", "equal-alpha": "Equality cuts: α",
  "equal-beta": "Equality cuts: β", deep: "Deep: one alpha cut, one beta cut", distant: "A bound from far above",
};
// Trees besides the worked examples: name, title, and the request for their game with its first settings.
const OTHERS = [
  {name: "static", title: "Static values, to sort by", choice: {game: "tree", text: "[1[4, -2], 6[7, 5], 3[2, 8]]"}},
  {name: "killer", title: "A killer move", choice: {game: "tree", text: "[[5, 6, 7], [8, 9, 2], [9, 8, 1]]"}},
  {name: "research", title: "A move to search again", choice: {game: "tree", text: "[[3, 5], [6, 9], [2, 4]]"}},
  {name: "best", title: "Uniform, perfect order", choice: {game: "tree", uniform: "best", branching: 3, height: 3}},
  {name: "worst", title: "Uniform, worst order", choice: {game: "tree", uniform: "worst", branching: 3, height: 3}},
  {name: "random", title: "Random", choice: {game: "tree", uniform: "random", branching: 3, height: 3, seed: 1}},
  {name: "tictactoe", title: "Tic-tac-toe after three moves", choice: {game: "tictactoe", text: "b2 a1 c1", height: 2}},
  {name: "othello", title: "Othello, five empties", choice: {game: "othello", text: "XXXXXX--XXXXX--OXXOOOO-OXXOOOOOOXXXOXOOOXXXOXOOOXXXXXXOOOOOOOOOO X"}},
  {name: "own", title: "Your own tree", choice: {game: "tree", text: "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"}},
];

const exercise = () => state.exercise === null ? null : EXERCISES[state.exercise];
// The request for the chosen tree and algorithm.
function request() {
  const {game, text, uniform, branching, height, seed} = state.choice;
  if (!uniform) return {game, text, height, algorithm: state.algorithm};
  const numbers = uniform === "random" ? [branching, height, seed] : [branching, height];
  return {game, text: [uniform, ...numbers].join(" "), algorithm: state.algorithm};
}

// Number of requests made. Only the answer to the last request is shown.
let requests = 0;

// Merges the two steps that enter and value a leaf.
function shortened(lesson) {
  const {steps} = lesson;
  const isEntry = index => steps[index].step === "enter" && steps[index + 1].step === "leaf";
  for (let index = 0; index + 1 < steps.length; index++) if (isEntry(index)) steps[index + 1].null = steps[index].null;
  return {...lesson, steps: steps.filter((_, index) => index + 1 === steps.length || !isEntry(index))};
}

// Requests the steps for the choice, and shows the tree before the first step.
async function load(wanted = request()) {
  stop();
  const mine = ++requests;
  try {
    const lesson = await server.lesson(wanted);
    // A later request is under way.
    if (mine !== requests) return;
    [state.lesson, state.count, state.message] = [shortened(lesson), 0, ""];
    draw($("picture"), state.lesson);
  } catch (error) {
    state.message = error.message;
  }
  render();
}

function chooseTree(name) {
  state.tree = name;
  state.choice = {...state.trees.find(tree => tree.name === name).choice};
  load();
}

// Replaces a part of the choice. An edited list becomes the person's own tree.
function change(part) {
  Object.assign(state.choice, part);
  if ("text" in part && state.choice.game === "tree") state.tree = "own";
  load();
}

function go(count) {
  if (!state.lesson || (exercise() && !state.watching)) return;
  state.count = Math.max(0, Math.min(count, state.lesson.steps.length));
  if (state.count === state.lesson.steps.length) stop();
  render();
  const step = state.lesson.steps[state.count - 1];
  if (step) reveal($("picture"), step.node);
}

function stop() {
  clearInterval(state.playing);
  state.playing = null;
}

function play() {
  if (state.playing) stop();
  else {
    if (state.count === state.lesson.steps.length) state.count = 0;
    state.playing = setInterval(() => go(state.count + 1), PLAY_MS);
    go(state.count + 1);
  }
  render();
}

function nextCut() {
  const at = state.lesson.steps.findIndex((step, index) => index >= state.count && step.step === "cut");
  go(at < 0 ? state.lesson.steps.length : at + 1);
}

// An entry of a list.
const option = (value, text) => element("option", text, {value});

function render() {
  const {lesson, choice, count} = state, task = exercise();
  $("watch").setAttribute("aria-pressed", String(!task));
  $("practise").setAttribute("aria-pressed", String(Boolean(task)));
  $("choices").hidden = Boolean(task);
  $("exercise").hidden = $("numbers").hidden = !task;
  $("primer").setAttribute("aria-expanded", String(state.primer));
  $("primer-words").hidden = !state.primer;
  $("message").textContent = state.message;
  renderChoices(choice);
  if (!lesson) return;
  const isStepping = !task || state.watching;
  const step = lesson.steps[count - 1], nodes = stateAfter(lesson, isStepping ? count : 0);
  const isAsked = index => !isStepping && !state.verdict?.right &&
    (task.kind === "leaves" ? !isInner(lesson, index) : task.kind === "again" && isInner(lesson, index));
  const buttons = lesson.nodes.map((_, index) => index).filter(isAsked);
  makeButtons($("picture"), new Map(buttons.map(index => [index, leftOut(index)])), state.marked);
  $("picture").classList.toggle("clickable", buttons.length > 0);
  $("picture").classList.toggle("editable", !task && count === 0 && choice.game === "tree" && !choice.uniform);
  const asked = isStepping ? -1 : lesson.nodes.findIndex(node => node.name === task.node);
  if (asked >= 0) nodes[asked].value = "?";
  show($("picture"), nodes, {now: isStepping ? step?.node : asked, from: step?.from, windows: hasWindows(), marked: state.marked,
    estimates: hasEstimates(),
    ended: isStepping && step?.step === "done"});
  if (isStepping) $("status").textContent = step ? capital(sentence(step)) : t(task ? "Press \u203A or the right arrow to see how it goes."
    : choice.game === "tree" && !choice.uniform ? "Press \u203A or the right arrow for the first step. Click a leaf to change its number."
      : "Press \u203A or the right arrow for the first step.");
  else $("status").textContent = "";
  $("status").hidden = $("steps").hidden = !isStepping;
  $("side").hidden = Boolean(task) && !state.watching;
  $("slider").max = lesson.steps.length;
  $("slider").value = count;
  $("slider").setAttribute("aria-valuetext", `${count} / ${lesson.steps.length}`);
  $("play").setAttribute("aria-pressed", Boolean(state.playing));
  for (const id of ["first", "back"]) $(id).disabled = count === 0;
  for (const id of ["next", "last", "next-cut"]) $(id).disabled = count === lesson.steps.length;
  renderLegend(nodes, isStepping);
  renderSide(step);
  if (task) renderExercise(task);
}

// Shows the fields that the chosen tree has.
function renderChoices(choice) {
  $("tree").value = state.tree;
  $("algorithm").value = state.algorithm;
  const has = {list: choice.game === "tree" && !choice.uniform, moves: choice.game === "tictactoe",
    branching: choice.uniform, height: choice.uniform || choice.game === "tictactoe", another: choice.uniform === "random"};
  for (const part of all("[data-for]")) part.hidden = !has[part.dataset.for];
  $("list").value = $("moves").value = choice.text ?? "";
  $("branching").value = choice.branching ?? "";
  $("height").value = choice.height ?? "";
}

// Shows the legend, without signs that the picture does not have.
function renderLegend(nodes, isStepping) {
  const has = {window: isStepping && hasWindows(), scissors: nodes.some(node => node.skipped), never: nodes.some(node => node.left),
    null: nodes.some(node => node.null), static: hasEstimates(), negamax: state.lesson.negamax, again: nodes.some(node => node.again), bounds: nodes.some(node => node.bounds)};
  for (const item of all("#legend li")) item.hidden = !(has[item.dataset.name] ?? true);
}

function renderSide(step) {
  const {lesson, count} = state, last = lesson.steps.at(-1);
  if ($("code").dataset.name !== lesson.algorithm) {
    $("code").dataset.name = lesson.algorithm;
    $("code").replaceChildren(...CODE[lesson.algorithm].map(([text]) => element("li", text.replace(/\S.*/, own => t(own)))));
  }
  const names = step ? keys(step, lesson) : [];
  const lines = CODE[lesson.algorithm].map(([, name]) => name);
  const lit = names.map(name => lines.indexOf(name)).find(index => index >= 0);
  [...$("code").children].forEach((line, index) => line.toggleAttribute("aria-current", index === lit));
  const rows = [[t("nodes"), step?.entered ?? 0, last.entered, lesson.nodes.length],
    [t("leaves"), step?.leaves ?? 0, last.leaves, lesson.all_leaves]];
  $("counts").tBodies[0].replaceChildren(...rows.map(([name, ...numbers]) => element("tr", [element("th", name, {scope: "row"}), ...numbers.map(number => element("td", number))])));
  $("least").textContent = lesson.least_leaves ? t("With the best move first everywhere, alpha-beta needs {least} leaves here (Knuth and Moore): b^\u2308d/2\u2309 + b^\u230Ad/2\u230B \u2212 1.", {least: lesson.least_leaves}) : "";
  const passes = lesson.steps.slice(0, count).filter(one => one.step === "pass");
  $("passes-part").hidden = passes.length === 0 || lesson.steps.filter(one => one.step === "pass").length < 2;
  $("passes").replaceChildren(...passes.map(pass => element("li",
    t("height {height}, {window} {bounds}", {height: pass.height, window: interval(pass.window), bounds: boundsAfter(pass)}))));
  renderBoard(step);
}

// Returns the bounds of the root that a pass stored, if the pass has ended.
function boundsAfter(pass) {
  const {steps} = state.lesson, shownSteps = steps.slice(steps.indexOf(pass) + 1, state.count);
  const next = shownSteps.findIndex(one => one.step === "pass");
  const own = next < 0 ? shownSteps : shownSteps.slice(0, next);
  const store = own.findLast(one => one.step === "store" && one.node === 0);
  return store ? t("\u2192 value in {bounds}", {bounds: interval(store.window)}) : "";
}

// Shows the board of the current node, if the tree is of a game.
function renderBoard(step) {
  const node = state.lesson.nodes[step?.node ?? 0];
  $("board-part").hidden = !node.cells;
  if (!node.cells) return;
  $("board-words").textContent = capital(t("board at {node}: X is Max", {node: nodeName(step?.node ?? 0)}));
  const board = $("small-board"), size = Math.sqrt(node.cells.length);
  board.style.gridTemplateColumns = `repeat(${size}, 1fr)`;
  board.className = size === 3 ? "tictactoe" : "";
  board.setAttribute("role", "img");
  board.setAttribute("aria-label", node.cells);
  const sides = {X: "black", O: "white"};
  board.replaceChildren(...[...node.cells].map(cell => element("span", cell !== "-" && (size === 3 ? cell : disc(sides[cell])), {class: "cell"})));
}

// Opens an exercise.

async function openExercise(number) {
  stop();
  const task = EXERCISES[number];
  Object.assign(state, {exercise: number, marked: new Set(), verdict: null, watching: false, chosen: null, others: []});
  $("answer").replaceChildren();
  if (task.kind === "order") {
    const texts = task.trees.map(text => server.lesson({game: "tree", text, algorithm: task.algorithm}));
    state.others = (await Promise.all(texts)).map(shortened);
  }
  await load({game: "tree", text: task.trees[0], algorithm: task.algorithm});
}

function renderExercise(task) {
  const {exercise: number, verdict} = state;
  $("numbers").replaceChildren(...EXERCISES.map((_, index) => {
    const button = element("button", state.solved.includes(index) ? `${index + 1} \u2713` : String(index + 1));
    if (index === number) button.setAttribute("aria-current", "true");
    button.onclick = () => openExercise(index);
    return button;
  }));
  $("exercise-title").textContent = `${number + 1}. ${t(task.title)}`;
  $("question").textContent = t(task.question);
  $("verdict").textContent = verdict?.text ?? "";
  $("verdict").className = verdict ? `card ${verdict.right ? "good" : "warn"}` : "";
  if (!$("answer").firstChild) $("answer").append(...fields(task));
  for (const field of all("#answer input, #answer select")) field.disabled = Boolean(verdict?.right);
  $("check").hidden = $("hint").hidden = Boolean(verdict?.right) || state.watching;
  $("show").hidden = !verdict;
  $("show").textContent = t(state.watching ? "Back to the question" : "Show the steps");
  $("next-exercise").hidden = !verdict?.right || number + 1 === EXERCISES.length;
}

// Returns the fields for an answer that is typed, not clicked in the tree.
function fields(task) {
  if (task.kind === "value") {
    const field = element("input", "", {id: "value", type: "number", autocomplete: "off"});
    field.onkeydown = ({key}) => { if (key === "Enter") check(); };
    return [labelled(t("Your answer"), field)];
  }
  if (task.kind === "window") {
    const leaves = state.lesson.nodes.map(node => node.value).filter(value => value !== undefined);
    const bounds = ["-\u221E", ...new Set(leaves.sort((a, b) => a - b)), "+\u221E"];
    return Object.entries({alpha: "\u03B1", beta: "\u03B2"}).map(([id, name]) => labelled(name, element("select", [option("", "?"), ...bounds.map(bound => option(bound, shown(bound)))], {id})));
  }
  if (task.kind !== "order") return [];
  return task.trees.map((text, index) => {
    const field = element("input", "", {type: "radio", name: "order", value: index, id: `order-${index}`});
    field.onchange = () => {
      [state.chosen, state.lesson, state.count] = [index, state.others[index], 0];
      if (!state.verdict?.right) [state.verdict, state.watching] = [null, false];
      draw($("picture"), state.lesson);
      render();
    };
    return labelled(`${"ABC"[index]}: ${text.replaceAll("-", "\u2212")}`, field, "radio");
  });
}

const labelled = (text, field, kind = "") => element("label", [element("span", text), field], {class: `buttons ${kind}`});

// Checks the answer and says why it is right or wrong.
function check() {
  const task = exercise(), {lesson} = state, wanted = answer(task, lesson);
  const cuts = lesson.steps.filter(step => step.step === "cut").map(step => capital(sentence(step)));
  const same = list => list.length === state.marked.size && list.every(index => state.marked.has(index));
  let right = false, why = "";
  if (task.kind === "value") {
    right = $("value").value !== "" && Number($("value").value) === wanted;
    why = t(task.why);
  } else if (task.kind === "window") {
    const given = ["alpha", "beta"].map(id => $(id).value);
    right = wanted.every((bound, index) => String(bound) === given[index]);
    why = t(task.why);
  } else if (task.kind === "order") {
    if (state.chosen === null) return;
    const leaves = state.others.map(one => answer(task, one));
    right = leaves[state.chosen] === Math.min(...leaves);
    why = prose(...leaves.map((count, index) => t("{order}: {count} leaves.", {order: "ABC"[index], count})));
  } else {
    right = same(wanted);
    if (!right && task.kind === "leaves") {
      const extra = [...state.marked].filter(index => !wanted.includes(index));
      const missed = wanted.filter(index => !state.marked.has(index));
      why = prose(extra.length ? t("Alpha-beta does visit: {leaves}.", {leaves: leafList(extra)}) : "", missed.length ? t("Leaves that you have not marked: {count}.", {count: missed.length}) : "");
    } else why = prose(...task.kind === "leaves" ? cuts : [], task.why ? t(task.why) : "");
  }
  if (!right && ["value", "window", "again"].includes(task.kind)) why = t(task.hint);
  if (right && !state.solved.includes(state.exercise)) state.solved.push(state.exercise);
  remember();
  state.verdict = {right, text: prose(t(right ? "Right." : "Not yet."), why)};
  render();
}

const leafList = leaves => series(leaves.map(index => shown(state.lesson.nodes[index].value)));

// Handles a click on a node: marks it as the answer, or edits a leaf of the person's own tree.
function clickNode(index) {
  const task = exercise(), isLeaf = !isInner(state.lesson, index);
  if (task && !state.watching) {
    if (state.verdict?.right || (task.kind !== "again" && !(task.kind === "leaves" && isLeaf))) return;
    if (task.kind === "again") state.marked = new Set([index]);
    else if (!state.marked.delete(index)) state.marked.add(index);
    state.verdict = null;
    return render();
  }
  if (!task && isLeaf && $("picture").classList.contains("editable")) editLeaf(index);
}

// Replaces a leaf of the tree by a number that is typed in its place.
function editLeaf(index) {
  const group = $("picture").querySelector(`.node[data-node="${index}"]`).getBoundingClientRect();
  const frame = $("picture").getBoundingClientRect();
  const field = element("input", "", {class: "edit", value: state.lesson.nodes[index].value, "aria-label": t("Value of the leaf")});
  field.style.left = `${group.left - frame.left + $("picture").scrollLeft - 12}px`;
  field.style.top = `${group.top - frame.top + $("picture").scrollTop - 4}px`;
  const order = state.lesson.nodes.map((_, at) => at).filter(at => !isInner(state.lesson, at)).indexOf(index);
  let isDone = false;
  const end = isKept => {
    if (isDone) return;
    isDone = true;
    const value = field.value.trim();
    field.remove();
    if (!isKept || !/^(-?\d+|x)$/.test(value)) return;
    let leaf = -1;
    const text = state.lesson.text.replace(/-?\d+(?!\d*\s*\[)|x(?![a-z])/g, old => ++leaf === order ? value : old);
    change({text});
  };
  field.onkeydown = ({key}) => { if (["Enter", "Escape"].includes(key)) end(key === "Enter"); };
  field.onblur = () => end(true);
  $("picture").append(field);
  field.select();
}

function togglePrimer() {
  state.primer = !state.primer;
  remember();
  render();
}

function listen() {
  $("watch").onclick = () => {
    Object.assign(state, {exercise: null, marked: new Set(), verdict: null});
    load();
  };
  $("practise").onclick = () => openExercise(0);
  $("primer").onclick = togglePrimer;
  $("tree").onchange = () => chooseTree($("tree").value);
  $("algorithm").onchange = () => {
    state.algorithm = $("algorithm").value;
    load();
  };
  $("list").onchange = () => change({text: $("list").value});
  $("moves").onchange = () => change({text: $("moves").value});
  for (const id of ["branching", "height"]) $(id).onchange = () => change({[id]: Number($(id).value)});
  $("another").onclick = () => change({seed: state.choice.seed + 1});
  const clicks = {first: () => go(0), back: () => go(state.count - 1), play, next: () => go(state.count + 1), last: () => go(state.lesson.steps.length), "next-cut": nextCut, check,
    hint: () => { state.verdict = {right: false, text: t(exercise().hint)}; render(); },
    show: () => { stop(); Object.assign(state, {watching: !state.watching, marked: new Set(), count: 0}); render(); },
    "next-exercise": () => openExercise(state.exercise + 1)};
  for (const [id, act] of Object.entries(clicks)) $(id).onclick = act;
  $("slider").oninput = () => go(Number($("slider").value));
  $("picture").onclick = event => {
    const group = event.target.closest(".node");
    if (group) clickNode(Number(group.dataset.node));
  };
  $("picture").onkeydown = event => {
    const group = event.target.closest(".node");
    if (!group || ![" ", "Enter"].includes(event.key)) return;
    event.preventDefault();
    clickNode(Number(group.dataset.node));
  };
  // The space bar presses the focused button, if there is one.
  const step = act => ({key, target}) => (exercise() && !state.watching) || (key === " " && target.matches("button")) ? false : act();
  onKeys({ArrowRight: step(() => go(state.count + 1)), ArrowLeft: step(() => go(state.count - 1)), Home: step(() => go(0)),
    End: step(() => go(state.lesson.steps.length)), " ": step(play), c: step(nextCut), "?": togglePrimer});
}

await openPage("learn-");
document.title = `Emilia: ${t("Learn")}`;
const worked = await server.examples();
state.trees = [...worked.map(([name, text]) => ({name, title: EXAMPLES[name], choice: {game: "tree", text}})), ...OTHERS];
$("tree").replaceChildren(...state.trees.map(({name, title}) => option(name, t(title))));
$("algorithm").replaceChildren(...Object.keys(CODE).map(name => option(name, t(NAMES[name]))));
Object.assign(state, remembered());
listen();
chooseTree("course");
