// Searches and sorts the rows of a table.
import {button} from "./controls.js";

// Removes accents and converts to lower case.
export const plain = text => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
// Finds all words of a search in plain texts.
export function withWords(search) {
  const words = plain(search).split(/\s+/).filter(Boolean);
  return text => words.every(word => text.includes(word));
}

// Makes the list of a table. `search` is its search field, `found` shows the number of rows found, and `changed` is
// called after each search and sort. Rows are drawn `most` at a time: more follow when the last drawn row is visible.
// `order` is the column by which the list is sorted, or null.
export function makeList(table, search, found, changed, most) {
  const columns = [...table.tHead.rows[0].cells], compare = new Intl.Collator("en", {numeric: true, sensitivity: "base"}).compare;
  const list = {order: null, reversed: false, rows: [], left: []};
  // Draws more of the rows found.
  let rest = [];
  const watch = new IntersectionObserver(seen => { if (seen.some(one => one.isIntersecting)) { more(); changed(); } });
  function more() {
    watch.disconnect();
    table.tBodies[0].append(...rest.splice(0, most).map(one => one.row));
    if (rest.length > 0) watch.observe(table.tBodies[0].lastElementChild);
  }

  // Replaces the rows. Each row has the texts of its cells, and its element, which is made when the row is first shown.
  list.use = rows => {
    list.rows = rows;
    for (const one of rows) one.words = plain(one.texts.join(" "));
    list.show();
  };
  // Rows without a value come last in both directions.
  const before = ({texts: one}, {texts: other}) => Number(!one[list.order]) - Number(!other[list.order]) || compare(one[list.order], other[list.order]) * (list.reversed ? -1 : 1);
  list.show = () => {
    const hasWords = withWords(search.value);
    list.left = list.rows.filter(one => hasWords(one.words));
    if (list.order !== null) list.left.sort(before);
    columns.forEach((column, at) => {
      if (at === list.order) column.setAttribute("aria-sort", list.reversed ? "descending" : "ascending");
      else column.removeAttribute("aria-sort");
    });
    table.tBodies[0].replaceChildren();
    rest = list.left.slice();
    found(list.left.length, list.rows.length);
    more();
  };

  columns.forEach((column, at) => column.append(button([...column.childNodes], () => {
    list.reversed = list.order === at && !list.reversed;
    list.order = at;
    list.show();
    changed();
  })));
  search.addEventListener("input", () => { list.show(); changed(); });
  return list;
}
