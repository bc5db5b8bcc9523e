// Words and numbers in the language of the page. Texts are looked up by their English text, so that a page without a
// dictionary is in English. A text with a plural has its forms between bars: the first is for the plural category
// "one", the last for the other categories ("{n} game|{n} games").

export const LANGUAGES = {en: "English", fr: "Fran\u00e7ais", ja: "\u65e5\u672c\u8a9e", zh: "\u7b80\u4f53\u4e2d\u6587"};
// The tag of a language for the browser, which chooses the font by it.
export const tagOf = code => code === "zh" ? "zh-Hans" : code;
export let language = "en";
const dictionary = {};
let plurals = new Intl.PluralRules("en");

// Chooses the language: `wanted` if the page has it, or else the first language of the browser that the page has.
export async function useLanguage(wanted) {
  language = [wanted, ...navigator.languages.map(code => code.slice(0, 2))].find(code => code in LANGUAGES) ?? "en";
  plurals = new Intl.PluralRules(language);
  document.documentElement.lang = tagOf(language);
  await addWords("");
}

// Adds the dictionary of a part of the page: `part` is the beginning of the name of its file.
export async function addWords(part) {
  if (language !== "en") Object.assign(dictionary, (await import(`./${part}${language}.js`)).default);
}

// Returns the key of an English text in the dictionaries: the hash FNV-1a of its characters.
const keyOf = text => [...text].reduce((hash, letter) => Math.imul(hash ^ letter.codePointAt(0), 0x1000193), 0x811c9dc5) >>> 0;

// Returns the text in the language of the page. Names in braces are replaced by `values`; `n` chooses the plural.
export function t(text, values = {}) {
  const forms = (dictionary[keyOf(text)] ?? text).split("|");
  const form = plurals.select(Number(values.n ?? 2)) === "one" ? forms[0] : forms.at(-1);
  return form.replace(/\{(\w+)\}/g, (_, name) => typeof values[name] === "number" ? number(values[name]) : values[name]);
}

// Joins sentences. Japanese and Chinese have no space between them.
export const prose = (...texts) => texts.filter(Boolean).join(["ja", "zh"].includes(language) ? "" : " ");
// Joins a name and a text about it.
export const labelled = (name, text) => t("{name}: {text}", {name, text});

// Translates the texts and labels of an element of the page.
export function translate(root) {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode, key = node.nodeValue.trim();
    if (keyOf(key) in dictionary) node.nodeValue = node.nodeValue.replace(key, () => t(key));
  }
  for (const name of ["title", "aria-label", "placeholder"])
    for (const one of root.querySelectorAll(`[${name}]`)) one.setAttribute(name, t(one.getAttribute(name)));
}

export const number = (value, decimals = 0) =>
  new Intl.NumberFormat(language, {minimumFractionDigits: decimals, maximumFractionDigits: decimals}).format(value);
export const series = items => new Intl.ListFormat(language, {style: "narrow"}).format(items);
export const percent = share => new Intl.NumberFormat(language, {style: "percent"}).format(share);
const withSign = (value, text) => (value > 0 ? "+" : value < 0 ? "\u2212" : "") + text;
// Rounds a score to a tenth of a disc, as it is shown.
const tenth = score => Math.sign(score) * Math.round(10 * Math.abs(score)) / 10;
// Formats a score: with one decimal, or whole.
export const signed = score => withSign(tenth(score), number(Math.abs(tenth(score)), 1));
export const wholeSigned = score => withSign(score, number(Math.abs(score)));
// Returns the loss of a move: the difference of both scores as they are shown.
export const lossOf = (best, score) => tenth(tenth(best) - tenth(score));
// Loss in discs below which a move counts as best, as in the engine (people/difficulty.rs).
export const HALF_A_DISC = .5;
export const lossText = lost => number(lost, 1);
