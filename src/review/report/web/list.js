// Searches and sorts the rows of a table. Without JavaScript the table is complete and unsorted.

const numberOf = text => parseFloat(text.replace("\u2212", "-").replace(",", "."));
// Removes accents and converts to lower case.
const plain = text => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

// Makes the list of a table: `search` is its field, `found` shows how many rows are left, and `changed` is called
// after each search and sort. `order` is the column by which it is sorted, or null.
export function makeList(table, search, found, changed = () => {}) {
  const columns = [...table.tHead.rows[0].cells];
  const isNumber = columns.map(column => column.classList.contains("number"));
  const compareTexts = new Intl.Collator("en", {numeric: true, sensitivity: "base"}).compare;
  const list = {order: null, reversed: false, rows: []};

  // Reads the rows of the table again.
  list.read = () => {
    list.rows = [...table.tBodies[0].rows].map(row => {
      const texts = [...row.cells].map(cell => cell.textContent.trim());
      return {row, texts, words: plain(texts.filter((_, column) => !isNumber[column]).join(" "))};
    });
    list.sort();
    list.find();
  };
  list.find = () => {
    const words = plain(search.value).split(/\s+/).filter(Boolean);
    let left = 0;
    for (const {row, words: all} of list.rows) {
      row.hidden = !words.every(word => all.includes(word));
      left += row.hidden ? 0 : 1;
    }
    found(left, list.rows.length);
  };
  list.sort = () => {
    const {order, reversed} = list;
    columns.forEach((column, at) => {
      if (at === order) column.setAttribute("aria-sort", reversed ? "descending" : "ascending");
      else column.removeAttribute("aria-sort");
    });
    if (order === null) return;
    const value = ({texts}) => isNumber[order] ? numberOf(texts[order]) : texts[order];
    const isEmpty = one => one === "" || Number.isNaN(one);
    const compare = isNumber[order] ? (one, other) => one - other : compareTexts;
    const keyed = list.rows.map((one, at) => ({row: one.row, key: value(one), at}));
    // Rows without a value come last in both directions.
    keyed.sort((one, other) => Number(isEmpty(one.key)) - Number(isEmpty(other.key))
      || (isEmpty(one.key) ? 0 : compare(one.key, other.key) * (reversed ? -1 : 1)) || one.at - other.at);
    table.tBodies[0].append(...keyed.map(one => one.row));
  };

  columns.forEach((column, at) => {
    const button = document.createElement("button");
    button.append(...column.childNodes);
    button.addEventListener("click", () => {
      list.reversed = list.order === at && !list.reversed;
      list.order = at;
      list.sort();
      changed();
    });
    column.append(button);
  });
  search.addEventListener("input", () => { list.find(); changed(); });
  return list;
}
