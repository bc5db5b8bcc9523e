// The exercises, in growing difficulty. The answers are not written here: they come from the steps of the algorithm.
// kind: what is asked. value: the worth of a node; leaves: the leaves that are never visited; window: the window of a node when
// it is entered; order: which tree is searched with the fewest leaves; again: the node that is searched again.
export const EXERCISES = [
  {kind: "value", tree: "min [7, 3, 5]", node: "root", algorithm: "minimax",
    title: "Min chooses",
    question: "Min moves at the circle. The numbers are results for Max, and Min wants a small one. What is the circle worth?",
    hint: "Min takes the smallest of the three.",
    why: "Min takes the smallest: 3."},
  {kind: "value", tree: "[[4, 7], [2, 9], [5, 6]]", node: "root", algorithm: "minimax",
    title: "Max chooses",
    question: "Each circle is worth its smallest leaf. Max, at the square, takes the circle that is worth most. What is the square worth?",
    hint: "First write down the smallest leaf of each circle.",
    why: "The circles are worth 4, 2 and 5. Max takes the 5."},
  {kind: "leaves", tree: "[[-5, 1, -7], [3, -9, 6]]", algorithm: "alpha-beta",
    title: "The first cut",
    question: "Leaves are visited from left to right. Min gives the first circle its smallest leaf, so after it Max is certain of −7. Once the second circle cannot be better than that, its other leaves are not needed. Click each leaf that is never visited, then Check.",
    hint: "In the second circle, 3 still looks good for Max. After −9 it is worth −9 or less."},
  {kind: "leaves", tree: "[[-5, 1, -7], [-9, 3, 6]]", algorithm: "alpha-beta",
    title: "The refutation first",
    question: "The same leaves in another order. Click each leaf that is never visited.",
    hint: "The first leaf of the second circle is already below −7."},
  {kind: "window", tree: "[[4, 8], [6, 3, 7]]", node: "2", algorithm: "alpha-beta",
    title: "The window",
    question: "The window [α, β] of a node: α is what Max is certain of elsewhere, β what Min is certain of elsewhere; −∞ and +∞ mean nothing yet. What is the window of the circle with the question mark when the search enters it?",
    hint: "The first circle is worth 4, so Max is certain of 4. Min, above the second circle, has no choice yet.",
    why: "Max is certain of 4 by the first circle, so α = 4. No Min node above has a value, so β = +∞."},
  {kind: "leaves", tree: "min [[2, 3], [1, 4, 9]]", algorithm: "alpha-beta",
    title: "Min at the root",
    question: "Now Min moves at the top and Max below. Click each leaf that is never visited.",
    hint: "The first square is worth 3, so Min is certain of 3. When does the second square become too good for Max?"},
  {kind: "leaves", tree: "[[6, 8], [7, 6, 9], [5, 2, 4]]", algorithm: "alpha-beta",
    title: "Equal is enough",
    question: "A move that can only be equal changes nothing either, so it is cut. Click each leaf that is never visited.",
    hint: "The first circle is worth 6. A circle that is worth 6 or less cannot be better."},
  {kind: "order", algorithm: "alpha-beta",
    trees: ["[[2, 9], [4, 7], [6, 5]]", "[[5, 6], [2, 9], [4, 7]]", "[[4, 7], [9, 2], [5, 6]]"],
    title: "The best order",
    question: "Three orders of the same moves. Which one does alpha-beta search with the fewest leaves? Choose one, look at it, and Check.",
    hint: "Max's best move first gives a high α at once. In the other circles the smallest leaf should come first."},
  {kind: "leaves", tree: "[[[[10, 12], [9, 3]], [[14, 15], [8, 11]]], 7]", algorithm: "alpha-beta",
    title: "Four floors",
    question: "Max, Min, Max, Min from top to bottom. Click each leaf that is never visited.",
    hint: "The square at the left gets 10 from its first circle, and a 9 stops the second one. Then the circle above it is certain of 10: what does its other square need to be too good?",
    why: "(The circle with 14 and 15 has nothing below β = 10 and answers 10, which means: 10 or more.)"},
  {kind: "again", tree: "[[4, 6], [7, 9], [3, 8]]", algorithm: "negascout",
    title: "NegaScout",
    question: "NegaScout takes the first move with the whole window. Each later move is only asked: better than the best so far, yes or no? If the answer is yes, it is searched again for its value. Click the circle that is searched again.",
    hint: "The first circle is worth 4. Which of the others is worth more?",
    why: "The first circle is worth 4. The second turns out to be better (7), so it is searched again. The third, with its 3, is not better than 7."},
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
