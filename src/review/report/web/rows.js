// Page of a list of games or players. The search and the order are stored in the address, for links and reloads.
import {makeList} from "./list.js";

/** @type {any} */
const search = document.getElementById("search");
function remember() {
  const state = new URLSearchParams();
  if (search.value) state.set("search", search.value);
  if (list.order !== null) state.set("sort", `${list.order}${list.reversed ? "-" : ""}`);
  history.replaceState(null, "", `#${state}`);
}
const count = (left, all) => { document.getElementById("found").textContent = `${left} of ${all}`; };
const list = makeList(document.getElementById("list"), search, count, remember);
const state = new URLSearchParams(location.hash.slice(1));
search.value = state.get("search") || "";
const [, column, back] = /^(\d+)(-?)$/.exec(state.get("sort")) || [];
if (Number(column) < document.querySelectorAll("#list th").length) Object.assign(list, {order: Number(column), reversed: back === "-"});
list.read();
search.closest("[hidden]").hidden = list.rows.length === 0;
