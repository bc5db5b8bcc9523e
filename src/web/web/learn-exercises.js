// The exercises, in growing difficulty. The answers are not written here: they come from the steps of the algorithm.
// kind: what is asked. value: the worth of a node; leaves: those that are never visited; window: that of a node when
// it is entered; order: which tree is searched with the fewest leaves; again: the node that is searched again.
export const EXERCISES = [
  {kind: "value", tree: "min [7, 3, 5]", node: "root", algorithm: "minimax"},
  {kind: "value", tree: "[[4, 7], [2, 9], [5, 6]]", node: "root", algorithm: "minimax"},
  {kind: "leaves", tree: "[[-5, 1, -7], [3, -9, 6]]", algorithm: "alpha-beta"},
  {kind: "leaves", tree: "[[-5, 1, -7], [-9, 3, 6]]", algorithm: "alpha-beta"},
  {kind: "window", tree: "[[4, 8], [6, 3, 7]]", node: "2", algorithm: "alpha-beta"},
  {kind: "leaves", tree: "min [[2, 3], [1, 4, 9]]", algorithm: "alpha-beta"},
  {kind: "leaves", tree: "[[6, 8], [7, 6, 9], [5, 2, 4]]", algorithm: "alpha-beta"},
  {kind: "order", algorithm: "alpha-beta",
    trees: ["[[2, 9], [4, 7], [6, 5]]", "[[5, 6], [2, 9], [4, 7]]", "[[4, 7], [9, 2], [5, 6]]"]},
  {kind: "leaves", tree: "[[[[10, 12], [9, 3]], [[14, 15], [8, 11]]], 7]", algorithm: "alpha-beta"},
  {kind: "again", tree: "[[4, 6], [7, 9], [3, 8]]", algorithm: "negascout"},
];

// Returns the answer from the steps of a lesson: a value, a window, or the indices of nodes.
export function answer(exercise, lesson) {
  const node = lesson.nodes.findIndex(node => node.name === exercise.node);
  const visited = new Set(lesson.steps.map(step => step.node));
  switch (exercise.kind) {
    case "value": return lesson.value;
    case "window": return lesson.steps.find(step => step.step === "enter" && step.node === node).window;
    case "leaves":
      return lesson.nodes.map((_, index) => index).filter(index => !isInner(lesson, index) && !visited.has(index));
    case "order": return lesson.steps.at(-1).leaves;
    case "again": {
      const at = lesson.steps.findIndex(step => step.step === "again");
      return [lesson.steps[at + 1].node];
    }
  }
}

export const isInner = (lesson, index) => lesson.nodes[index].value === undefined;
