// The state of the page that teaches, and what the browser keeps of it.

export const state = {
  primer: matchMedia("(min-width: 640px) and (min-height: 800px)").matches, // whether the explanation is open; it would hide the tree of a small screen
  trees: [],           // {name, title, choice} of every tree of the list
  tree: "course",      // name of the chosen tree
  choice: {},          // what is asked for it
  algorithm: "alpha-beta",
  lesson: null,        // what is drawn
  count: 0,            // number of steps shown
  playing: null,       // timer
  message: "",
  exercise: null,      // number of the exercise, or null while watching
  solved: [],          // exercises that were right
  others: [],          // lessons of the other trees of an exercise about orders
  chosen: null,        // order that was chosen
  marked: new Set(),   // nodes clicked as the answer
  verdict: null,       // {right, text} after the check
  watching: false,     // whether the steps of an exercise are shown
};

// What the browser keeps of the page. In a browser without storage, the page begins anew each time.
export function remember() {
  const {primer, solved} = state;
  try { localStorage.setItem("emilia-learn", JSON.stringify({primer, solved})); }
  catch { return; }
}

export function remembered() {
  try {
    const {primer = state.primer, solved = []} = JSON.parse(localStorage.getItem("emilia-learn")) ?? {};
    return {primer, solved};
  } catch { return {}; }
}
