// The steps of an algorithm in words.
import {prose, series, t} from "./words.js";
import {isInner} from "./learn-exercises.js";
import {state} from "./learn-state.js";
import {interval, shown} from "./learn-tree.js";

export const hasWindows = () => !["minimax", "negamax"].includes(state.lesson.algorithm);
// Static values are shown where an algorithm uses them: for the order of moves, or as the first guess.
export const hasEstimates = () => ["sorted", "deepening", "mtd-f"].includes(state.lesson.algorithm);
export const nodeName = index => {
  const {name} = state.lesson.nodes[index];
  return name === "root" ? t("the root") : t("node {name}", {name});
};
// Name of a node that is left out. A leaf is named by its value.
export const leftOut = index => isInner(state.lesson, index) ? nodeName(index) : shown(state.lesson.nodes[index].value);
export const capital = text => text.charAt(0).toUpperCase() + text.slice(1);

// Sentences for a value that improves the best value of a node, and for a value that does not. In negamax a node has no
// side.
const BETTER = {
  Max: "Max has a move worth {value} at {node}: the best so far.",
  Min: "Min has a move worth {value} at {node}: the best for Min so far.",
  "": "The side to move at {node} has a move worth {value}: the best so far.",
};
const NO_BETTER = {
  Max: "This move is worth {value}: no better for Max than {best}.",
  Min: "This move is worth {value}: no better for Min than {best}.",
  "": "This move is worth {value}: no better than {best}.",
};

// The sentence of a step.
export function sentence(step) {
  const {lesson} = state, here = lesson.nodes[step.node];
  const [alpha, beta] = step.window ?? [];
  const values = {node: nodeName(step.node), value: shown(step.value), best: shown(step.best), window: interval(step.window),
    alpha: shown(alpha), beta: shown(beta), height: step.height, side: here.max ? "Max" : "Min"};
  switch (step.step) {
    case "pass": return t(step.null ? "A pass begins with the null window {window}." : "The search to height {height} begins.", values);
    case "enter":
      if (!hasWindows()) return t("{side} moves at {node}.", values);
      if (step.null) return t("{node} has the null window {window}: is its value more than {alpha}, yes or no?", values);
      return t(step.node === 0 ? "{side} moves at {node}. Nothing is known yet: the window is {window}."
        : "{side} moves at {node}. Only values inside its window {window} matter.", values);
    case "leaf": return t(here.value === "x" ? "The leaf x has no given value. It counts as {value} here." : "A leaf: it is worth {value}.", values);
    case "update": return updateSentence(step, values);
    case "recall": return t("The table already answers for {node}: {value}. Nothing is searched.", values);
    case "store": return t("The table keeps for {node}: its value is in {window}.", values);
    case "again": return t("The test says: better. So {node} is searched again for its exact value.",
      {node: nodeName(lesson.steps[lesson.steps.indexOf(step) + 1].node)});
    case "cut": return cutSentence(step, values);
    case "done": return t(hasWindows() ? "Done: the root is worth {value}. Leaves visited: {leaves}. The tree has {all}."
      : "Done: the root is worth {value}. All leaves were visited.", {...values, leaves: step.leaves, all: lesson.all_leaves});
  }
}

function updateSentence(step, values) {
  const {lesson} = state, {max} = lesson.nodes[step.node];
  const side = lesson.negamax ? "" : max ? "Max" : "Min";
  const isBetter = previous(step) !== step.best;
  const same = lesson.algorithm !== "alpha-beta" ? NO_BETTER[side]
    : max ? "This move is worth {value}: it does not raise \u03B1 = {best}." : "This move is worth {value}: it does not lower \u03B2 = {best}.";
  const [alpha, beta] = step.window ?? [];
  const window = typeof alpha === "number" && alpha >= beta ? "The window is empty." : "Window now {window}.";
  return prose(t(isBetter ? BETTER[side] : same, values), hasWindows() && t(window, values));
}

// Returns the best value of a node before an update. Before the first update there is none, or the bound with which the
// algorithm begins.
function previous(step) {
  const {steps, algorithm, nodes} = state.lesson;
  const before = steps.slice(0, steps.indexOf(step))
    .findLast(one => one.node === step.node && ["enter", "update"].includes(one.step));
  if (before.step === "update") return before.best;
  const startsWithBound = {"alpha-beta": nodes[step.node].max ? 0 : 1, "fail-hard": 0}[algorithm];
  return before.window[startsWithBound];
}

// Says why a cut is made, from the value and the window of the node's last update.
function cutSentence(step, values) {
  const {lesson} = state, at = lesson.steps.indexOf(step);
  const update = lesson.steps.slice(0, at).findLast(one => one.node === step.node && one.step === "update");
  const [alpha, beta] = update.window.map(shown);
  const all = {...values, value: shown(update.best), alpha, beta, skipped: series(step.skipped.map(leftOut))};
  const [kind] = step.cut;
  const entry = lesson.steps.slice(0, at).findLast(one => one.node === step.node && one.step === "enter");
  if (step.from === undefined) return t(entry.null
    ? "\u2702 Cut: {value} is enough to answer the question of the null window (bound {bound}). Left out: {skipped}."
    : "\u2702 Cut: {value} reaches the bound {bound}, which was proved before. Left out: {skipped}.",
  {...all, bound: lesson.negamax ? beta : kind === "alpha" ? alpha : beta});
  all.from = nodeName(step.from);
  if (lesson.negamax) return t("\u2702 Cut ({kind}): {value} \u2265 \u03B2 = {beta}. The opponent already has something as good at {from} and would never allow this. Left out: {skipped}.", {...all, kind: t(kind)});
  return t(kind === "alpha"
    ? "\u2702 Alpha cut: {value} \u2264 \u03B1 = {alpha}. Max already has {alpha} at {from} by another move and would never come here. Left out: {skipped}."
    : "\u2702 Beta cut: {value} \u2265 \u03B2 = {beta}. Min already has {beta} at {from} by another move and would never allow this. Left out: {skipped}.", all);
}
