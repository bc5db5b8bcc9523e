// Searches and sorts the rows of a list. Without JavaScript the list is complete and unsorted.
const table = document.getElementById("list"), search = document.getElementById("search");
const columns = [...table.tHead.rows[0].cells];
const isNumber = columns.map(column => column.classList.contains("number"));
const compareTexts = new Intl.Collator("en", {numeric: true, sensitivity: "base"}).compare;
// Removes accents and converts to lower case.
const plain = text => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const rows = [...table.tBodies[0].rows].map(row => {
  const texts = [...row.cells].map(cell => cell.textContent.trim());
  return {row, texts, words: plain(texts.filter((_, column) => !isNumber[column]).join(" "))};
});
const numberOf = text => parseFloat(text.replace("\u2212", "-"));

// Index of the sort column and the direction. Both are stored in the address, for links and reloads.
let order = null, reversed = false;

function find() {
  const words = plain(search.value).split(/\s+/).filter(Boolean);
  let found = 0;
  for (const {row, words: all} of rows) {
    row.hidden = !words.every(word => all.includes(word));
    found += !row.hidden;
  }
  document.getElementById("found").textContent = `${found} of ${rows.length}`;
}

function sort() {
  const value = ({texts}) => isNumber[order] ? numberOf(texts[order]) : texts[order];
  const isEmpty = one => one === "" || Number.isNaN(one);
  const compare = isNumber[order] ? (one, other) => one - other : compareTexts;
  const keyed = rows.map((one, at) => ({row: one.row, key: value(one), at}));
  // Rows without a value come last in both directions.
  keyed.sort((one, other) => isEmpty(one.key) - isEmpty(other.key)
    || (isEmpty(one.key) ? 0 : compare(one.key, other.key) * (reversed ? -1 : 1)) || one.at - other.at);
  table.tBodies[0].append(...keyed.map(one => one.row));
  columns.forEach((column, at) => {
    if (at === order) column.setAttribute("aria-sort", reversed ? "descending" : "ascending");
    else column.removeAttribute("aria-sort");
  });
}

function remember() {
  const state = new URLSearchParams();
  if (search.value) state.set("search", search.value);
  if (order !== null) state.set("sort", `${order}${reversed ? "-" : ""}`);
  history.replaceState(null, "", `#${state}`);
}

columns.forEach((column, at) => {
  const button = document.createElement("button");
  button.append(...column.childNodes);
  button.addEventListener("click", () => {
    reversed = order === at && !reversed;
    order = at;
    sort();
    remember();
  });
  column.append(button);
});
search.addEventListener("input", () => { find(); remember(); });
search.closest("[hidden]").hidden = rows.length === 0;
const state = new URLSearchParams(location.hash.slice(1));
search.value = state.get("search") || "";
const [, column, back] = /^(\d+)(-?)$/.exec(state.get("sort")) || [];
if (column in columns) {
  order = Number(column);
  reversed = back === "-";
  sort();
}
find();
