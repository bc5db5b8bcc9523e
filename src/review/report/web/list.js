// Searches and sorts the rows of a table. Without JavaScript the table is complete and unsorted.

const numberOf = text => parseFloat(text.replace("\u2212", "-").replace(",", "."));
// Removes accents and converts to lower case.
export const plain = text => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
// Finds all words of a search in plain texts.
export function withWords(search) {
  const words = plain(search).split(/\s+/).filter(Boolean);
  return text => words.every(word => text.includes(word));
}

// Makes the list of a table: `search` is its field, `found` shows how many rows are left, and `changed` is called
// after each search and sort. The rows that are left are drawn `most` at a time, when the last one is seen. `order` is
// the column by which it is sorted, or null.
export function makeList(table, search, found, changed = () => {}, most = Infinity) {
  const columns = [...table.tHead.rows[0].cells];
  const isNumber = columns.map(column => column.classList.contains("number"));
  const compareTexts = new Intl.Collator("en", {numeric: true, sensitivity: "base"}).compare;
  const list = {order: null, reversed: false, rows: [], left: []};
  // Draws more rows, of those that are left.
  let rest = [];
  const watch = new IntersectionObserver(seen => { if (seen.some(one => one.isIntersecting)) { more(); changed(); } });
  function more() {
    watch.disconnect();
    table.tBodies[0].append(...rest.splice(0, most).map(one => one.row));
    if (rest.length > 0) watch.observe(table.tBodies[0].lastElementChild);
  }

  // Shows other rows: each has the texts of its cells, and its element, which is made when it is shown.
  list.use = rows => {
    list.rows = rows;
    for (const one of rows) one.words = plain(one.texts.filter((_, column) => !isNumber[column]).join(" "));
    list.show();
  };
  // Reads the rows of the table.
  list.read = () => list.use([...table.tBodies[0].rows].map(row => ({row, texts: [...row.cells].map(cell => cell.textContent.trim())})));
  list.show = () => {
    const hasWords = withWords(search.value);
    list.left = sorted(list.rows.filter(one => hasWords(one.words)));
    columns.forEach((column, at) => {
      if (at === list.order) column.setAttribute("aria-sort", list.reversed ? "descending" : "ascending");
      else column.removeAttribute("aria-sort");
    });
    table.tBodies[0].replaceChildren();
    rest = list.left.slice();
    found(list.left.length, list.rows.length);
    more();
  };

  function sorted(rows) {
    const {order, reversed} = list;
    if (order === null) return rows;
    const value = ({texts}) => isNumber[order] ? numberOf(texts[order]) : texts[order];
    const isEmpty = one => one === "" || Number.isNaN(one);
    const compare = isNumber[order] ? (one, other) => one - other : compareTexts;
    const keyed = rows.map((one, at) => ({one, key: value(one), at}));
    // Rows without a value come last in both directions.
    keyed.sort((one, other) => Number(isEmpty(one.key)) - Number(isEmpty(other.key))
      || (isEmpty(one.key) ? 0 : compare(one.key, other.key) * (reversed ? -1 : 1)) || one.at - other.at);
    return keyed.map(({one}) => one);
  }

  columns.forEach((column, at) => {
    if (!column.textContent) return;
    const button = document.createElement("button");
    button.append(...column.childNodes);
    button.addEventListener("click", () => {
      list.reversed = list.order === at && !list.reversed;
      list.order = at;
      list.show();
      changed();
    });
    column.append(button);
  });
  search.addEventListener("input", () => { list.show(); changed(); });
  return list;
}
