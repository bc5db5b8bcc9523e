// The steps in words.
import {isInner} from "./learn-exercises.js";
import {state, t} from "./learn-state.js";
import {interval, shown} from "./learn-tree.js";

export const hasWindows = () => !["minimax", "negamax"].includes(state.lesson.algorithm);
// Static values are shown where an algorithm uses them: for the order of moves, or as the first guess.
export const hasEstimates = () => ["sorted", "deepening", "mtd-f"].includes(state.lesson.algorithm);
export const nodeName = index => {
  const {name} = state.lesson.nodes[index];
  return name === "root" ? t("root") : t("node", {name});
};
// A node that is left out: a leaf by its value.
export const leftOut = index => isInner(state.lesson, index) ? nodeName(index) : shown(state.lesson.nodes[index].value);
export const capital = text => text.charAt(0).toUpperCase() + text.slice(1);

// The sentence of a step.
export function sentence(step) {
  const {lesson} = state, here = lesson.nodes[step.node];
  const side = lesson.negamax ? "" : here.max ? "Max" : "Min";
  const [alpha, beta] = step.window ?? [];
  const values = {node: nodeName(step.node), value: shown(step.value), best: shown(step.best), window: interval(step.window),
    alpha: shown(alpha), beta: shown(beta), height: step.height, side: here.max ? "Max" : "Min"};
  switch (step.step) {
    case "pass": return t(step.null ? "passNull" : "pass", values);
    case "enter":
      if (!hasWindows()) return t("enterPlain", values);
      return t(step.null ? "enterNull" : step.node === 0 ? "enterRoot" : "enter", values);
    case "leaf": return t(here.value === "x" ? "leafX" : "leaf", values);
    case "update": {
      const before = previous(step);
      const isBetter = before !== step.best;
      const raises = lesson.algorithm === "alpha-beta" ? here.max ? "noRaise" : "noLower" : `noUpdate${side}`;
      const text = isBetter ? `update${side}` : raises;
      return t(text, values) + (hasWindows() ? " " + t("windowNow", values) : "");
    }
    case "again": return t("again", {...values, node: nodeName(lesson.steps[lesson.steps.indexOf(step) + 1].node)});
    case "cut": return cutSentence(step, values);
    case "done": return t(hasWindows() ? "done" : "donePlain",
      {...values, leaves: step.leaves, all: lesson.all_leaves, least: lesson.least_leaves});
    default: return t(step.step, values);
  }
}

// The best value of a node before an update of it. At first it is none, or a bound where an algorithm begins with it.
function previous(step) {
  const {steps, algorithm, nodes} = state.lesson;
  const before = steps.slice(0, steps.indexOf(step))
    .findLast(one => one.node === step.node && ["enter", "update"].includes(one.step));
  if (before.step === "update") return before.best;
  const startsWithBound = {"alpha-beta": nodes[step.node].max ? 0 : 1, "fail-hard": 0}[algorithm];
  return before.window[startsWithBound];
}

// Why a cut is made: the last update of the node has its value and its window.
function cutSentence(step, values) {
  const {lesson} = state, at = lesson.steps.indexOf(step);
  const update = lesson.steps.slice(0, at).findLast(one => one.node === step.node && one.step === "update");
  const [alpha, beta] = update.window.map(shown);
  const all = {...values, value: shown(update.best), alpha, beta,
    count: step.skipped.length, skipped: step.skipped.map(leftOut).join(", ")};
  const [kind] = step.cut;
  const entry = lesson.steps.slice(0, at).findLast(one => one.node === step.node && one.step === "enter");
  if (step.from === undefined) return t(entry.null ? "cutProof" : "cutProven", {...all, bound: lesson.negamax ? beta : kind === "alpha" ? alpha : beta});
  all.from = nodeName(step.from);
  if (lesson.negamax) return t("cutNegamax", {...all, kind: t(kind)});
  return t(kind === "alpha" ? "cutAlpha" : "cutBeta", all);
}
