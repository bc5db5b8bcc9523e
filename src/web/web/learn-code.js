// The algorithms as pseudo-code: each line with the name of the step at which it lights up. A name ends with Max or Min
// where an algorithm treats these nodes differently. `null` is the step that enters a child with a null window.
const leaf = ["  leaf: return its value", "leaf"];
const each = ["  for each move:"];
const cut = ["    if best \u2265 \u03B2: cut off the other moves", "cut"];
const best = ["    best = max(best, value)", "update"];
const child = ["    value = \u2212node(child, \u2212\u03B2, \u2212max(\u03B1, best))"];
const done = ["  return best", "done"];
const start = ["  best = \u2212\u221E"];
const table = ["  table answers: return its value", "recall"];
const store = ["  store the bounds in the table", "store"];
const node = (...lines) => [["node(\u03B1, \u03B2):", "enter"], ...lines];
const soft = (...order) => node(leaf, start, ...order, each, child, best, cut, done);
const CUT = "    if \u03B1 \u2265 \u03B2: cut off the other moves";

export const CODE = {
  minimax: [
    ["max_node:", "enterMax"], ["  leaf: return its value", "leafMax"], start, each,
    ["    value = min_node(child)"], ["    best = max(best, value)", "updateMax"], ["  return best", "doneMax"],
    ["min_node:", "enterMin"], ["  leaf: return its value", "leafMin"], ["  best = +\u221E"], each,
    ["    value = max_node(child)"], ["    best = min(best, value)", "updateMin"], ["  return best", "doneMin"]],
  negamax: [["node:", "enter"], ["  leaf: return its value for the side to move", "leaf"], start, each,
    ["    value = \u2212node(child)"], best, done],
  "alpha-beta": [
    ["max_node(\u03B1, \u03B2):", "enterMax"], ["  leaf: return its value", "leafMax"], each,
    ["    value = min_node(child, \u03B1, \u03B2)"], ["    \u03B1 = max(\u03B1, value)", "updateMax"], [CUT, "cutMax"], ["  return \u03B1", "doneMax"],
    ["min_node(\u03B1, \u03B2):", "enterMin"], ["  leaf: return its value", "leafMin"], each,
    ["    value = max_node(child, \u03B1, \u03B2)"], ["    \u03B2 = min(\u03B2, value)", "updateMin"], [CUT, "cutMin"], ["  return \u03B2", "doneMin"]],
  "fail-hard": node(["  leaf: return its value, moved into [\u03B1, \u03B2]", "leaf"], each,
    ["    value = \u2212node(child, \u2212\u03B2, \u2212\u03B1)"], ["    \u03B1 = max(\u03B1, value)", "update"], [CUT, "cut"], ["  return \u03B1", "done"]),
  "fail-soft": soft(),
  killers: soft(["  order: moves that cut at this ply, first"]),
  sorted: soft(["  order: killer moves, then by static value"]),
  deepening: [["for height = 1, 2, \u2026: search the root", "pass"],
    ...node(leaf, table, start, ["  order: table, killers, static value"], each, child, best, cut, store, done)],
  negascout: node(leaf, start, each, ["    a = max(\u03B1, best)"], ["    w = (a, \u03B2) for the first, else (a, a+1)"],
    ["    value = \u2212node(child, w turned)", "null"], ["    if better: search it again, (value, \u03B2)", "again"],
    best, cut, done),
  "mtd-f": [["g = static value of the root"], ["until bounds meet: search (g\u22121, g)", "pass"],
    ...node(leaf, table, start, each, child, best, cut, store, done)],
};

// Names of the algorithms for the reader.
export const NAMES = {
  minimax: "minimax", negamax: "negamax", "alpha-beta": "alpha-beta, Max and Min",
  "fail-hard": "alpha-beta, fail-hard", "fail-soft": "alpha-beta, fail-soft", killers: "with killer moves",
  sorted: "with sorted moves", deepening: "iterative deepening, table", negascout: "NegaScout",
  "mtd-f": "MTD(f)",
};

// Returns the names under which CODE may have a step, the most special first.
export function keys(step, lesson) {
  const side = lesson.nodes[step.node].max ? "Max" : "Min";
  const names = [step.step + side, step.step];
  return step.step === "enter" && step.null ? ["null", ...names] : names;
}
