// The exercises of the Learn page. `exercises.txt` has their questions.
import {rows} from "./server.js";

export const EXERCISES = (await rows("exercises.txt")).map(([, kind, algorithm, trees, node, title, question, hint, why]) => ({kind, algorithm, trees: trees.split(" | "), node, title, question, hint, why}));

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
