// The algorithms as pseudo-code: lines with the steps at which they light up. A step may have an ending: of Max and
// Min nodes where an algorithm treats them apart, and `null` where a child is entered with a null window.
const node = (name, ...lines) => [[`${name}:`, "enter"], ...lines];
const leaf = ["  leaf: return its value", "leaf"];
const each = ["  for each move:"];
const cut = ["    if best \u2265 \u03B2: cut off the other moves", "cut"];
const best = ["    best = max(best, value)", "update"];
const child = ["    value = \u2212node(child, \u2212\u03B2, \u2212max(\u03B1, best))"];
const done = ["  return best", "done"];
const start = ["  best = \u2212\u221E"];
const table = [
  ["  table answers: return its value", "recall"],
];
const store = ["  store the bounds in the table", "store"];
const soft = (...order) => node("node(\u03B1, \u03B2)", leaf, start, ...order, each, child, best, cut, done);
const sided = (name, other, fold, side) => [
  [`${name}:`, `enter${side}`], ["  leaf: return its value", `leaf${side}`],
  [`  best = ${side === "Max" ? "\u2212" : "+"}\u221E`], each,
  [`    value = ${other}(child)`], [`    best = ${fold}(best, value)`, `update${side}`], ["  return best", `done${side}`],
];
const bounded = (name, other, fold, bound, side) => [
  [`${name}(\u03B1, \u03B2):`, `enter${side}`], ["  leaf: return its value", `leaf${side}`], each,
  [`    value = ${other}(child, \u03B1, \u03B2)`], [`    ${bound} = ${fold}(${bound}, value)`, `update${side}`],
  ["    if \u03B1 \u2265 \u03B2: cut off the other moves", `cut${side}`], [`  return ${bound}`, `done${side}`],
];

export const CODE = {
  minimax: [...sided("max_node", "min_node", "max", "Max"), ...sided("min_node", "max_node", "min", "Min")],
  negamax: node("node", ["  leaf: return its value for the side to move", "leaf"], start, each,
    ["    value = \u2212node(child)"], best, done),
  "alpha-beta": [...bounded("max_node", "min_node", "max", "\u03B1", "Max"),
    ...bounded("min_node", "max_node", "min", "\u03B2", "Min")],
  "fail-hard": node("node(\u03B1, \u03B2)", ["  leaf: return its value, moved into [\u03B1, \u03B2]", "leaf"], each,
    ["    value = \u2212node(child, \u2212\u03B2, \u2212\u03B1)"], ["    \u03B1 = max(\u03B1, value)", "update"],
    ["    if \u03B1 \u2265 \u03B2: cut off the other moves", "cut"], ["  return \u03B1", "done"]),
  "fail-soft": soft(),
  killers: soft(["  order: moves that cut at this ply, first"]),
  sorted: soft(["  order: killer moves, then by static value"]),
  deepening: [["for height = 1, 2, \u2026: search the root", "pass"],
    ...node("node(\u03B1, \u03B2)", leaf, ...table, start,
      ["  order: table, killers, static value"], each, child, best, cut, store, done)],
  negascout: node("node(\u03B1, \u03B2)", leaf, start, each, ["    a = max(\u03B1, best)"], ["    w = (a, \u03B2) for the first, else (a, a+1)"],
    ["    value = \u2212node(child, w turned)", "null"], ["    if better: search it again, (value, \u03B2)", "again"],
    best, cut, done),
  "mtd-f": [["g = static value of the root"], ["until bounds meet: search (g\u22121, g)", "pass"],
    ...node("node(\u03B1, \u03B2)", leaf, ...table, start, each, child, best, cut, store, done)],
};

// The names of the algorithms.
export const NAMES = {
  minimax: "minimax", negamax: "negamax", "alpha-beta": "alpha-beta, Max and Min",
  "fail-hard": "alpha-beta, fail-hard", "fail-soft": "alpha-beta, fail-soft", killers: "with killer moves",
  sorted: "with sorted moves", deepening: "iterative deepening, table", negascout: "NegaScout",
  "mtd-f": "MTD(f)",
};

// Returns the names of a step in the code, the most special first.
export function keys(step, lesson) {
  const side = lesson.nodes[step.node].max ? "Max" : "Min";
  const names = [step.step + side, step.step];
  return step.step === "enter" && step.null ? ["null", ...names] : names;
}
