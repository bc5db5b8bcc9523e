// The state of the page that teaches, its words, and what the browser keeps of it.
import en from "./learn-en.js";
import fr from "./learn-fr.js";
import ja from "./learn-ja.js";

export const WORDS = {en, fr, ja};

export const state = {
  language: null,      // of the words; null: that of the browser
  primer: matchMedia("(min-width: 640px)").matches, // whether the explanation is open; it would hide the tree of a phone
  trees: [],           // [name, choice] of every tree of the list
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

// Words of a name, with values for the names in braces.
export function t(name, values = {}) {
  const text = WORDS[state.language][name];
  return typeof text === "string" ? text.replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "") : text;
}

// What the browser keeps of the page. One that keeps nothing begins anew.
export function remember() {
  const {language, primer, solved} = state;
  try { localStorage.setItem("emilia-learn", JSON.stringify({language, primer, solved})); }
  catch { return; }
}

export function remembered() {
  try { return JSON.parse(localStorage.getItem("emilia-learn")) ?? {}; }
  catch { return {}; }
}
