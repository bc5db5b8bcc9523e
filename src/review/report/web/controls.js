// Elements by name, keys, the current row of the list of moves, and the clipboard.
const $ = id => document.getElementById(id);

// Calls the action of each key that is pressed. Keys with Ctrl, Alt or Meta, and those of fields,
// keep the meaning that the browser gives them.
function onKeys(actions) {
  document.addEventListener("keydown", event => {
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    const isTyping = event.target instanceof Element && event.target.closest("input, select, textarea");
    if (!action || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  });
}

// Marks the row of a move, given by its number, as the current one. Scrolls the list only, not the page.
function markRow(number) {
  for (const row of document.querySelectorAll("#moves tr[aria-current]")) row.removeAttribute("aria-current");
  const row = $(`move-${number}`), list = $("course");
  if (!row) return;
  row.setAttribute("aria-current", "true");
  const above = row.offsetTop - list.scrollTop;
  if (above < 2 * row.offsetHeight || above > list.clientHeight - 2 * row.offsetHeight)
    list.scrollTop = row.offsetTop - list.clientHeight / 2;
}

// Copies a text to the clipboard. Without permission the text is selected and copied by a command.
async function copy(text) {
  try { await navigator.clipboard.writeText(text); }
  catch {
    const area = element("textarea", text);
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  $("copied").textContent = "copied";
  setTimeout(() => { $("copied").textContent = ""; }, 1500);
}
