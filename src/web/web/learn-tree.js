// The drawn tree. The lesson has the picture; this module shows the state after a step in it.

// Writes a number or a window of a lesson, with true minus signs.
export const shown = value => value === undefined || value === null ? "" : typeof value === "number"
  ? String(Math.round(value * 100) / 100).replace("-", "\u2212") : value.replace("-", "\u2212");
export const interval = window => window ? `[${shown(window[0])}, ${shown(window[1])}]` : "";

// Returns what each node shows after the first `count` steps: whether it is `seen`, its value, window, cut, bounds. A
// pass (an iteration of the algorithm) starts afresh: values seen earlier are kept as `before`, and bounds stay in the
// table.
export function stateAfter(lesson, count) {
  const nodes = lesson.nodes.map(({value, parent, estimate}) => ({value, parent, estimate, skipped: false, seen: false}));
  for (const [at, step] of lesson.steps.slice(0, count).entries()) {
    const node = nodes[step.node];
    if (step.step === "pass")
      nodes.forEach((one, index) => {
        const {value, parent, estimate} = lesson.nodes[index];
        nodes[index] = {value, parent, estimate, bounds: one.bounds, before: one.before || one.seen, seen: false};
      });
    if (step.step === "enter")
      Object.assign(node, {seen: true, skipped: false, cut: null, window: step.window, null: step.null ?? false,
        value: lesson.nodes[step.node].value, again: node.again ?? false});
    if (step.step === "leaf")
      Object.assign(node, {seen: true, skipped: false, null: step.null ?? false, value: step.value});
    if (step.step === "recall") Object.assign(node, {value: step.value, recalled: true});
    if (step.step === "update") Object.assign(node, {value: step.best, window: step.window});
    // The next step enters the child that is searched again.
    if (step.step === "again") nodes[lesson.steps[at + 1].node].again = true;
    if (step.step === "cut") {
      node.cut = step.cut[0];
      for (const child of step.skipped) nodes[child].skipped = true;
    }
    if (step.step === "store") node.bounds = step.window;
  }
  lesson.nodes.forEach((node, index) => {
    const one = nodes[index], above = nodes[node.parent];
    one.left = !one.seen && (one.skipped || (above?.left ?? false));
  });
  return nodes;
}

// Puts the picture of a lesson into `frame`.
export function draw(frame, lesson) {
  const picture = new DOMParser().parseFromString(lesson.svg, "image/svg+xml").documentElement;
  picture.setAttribute("role", "group");
  picture.setAttribute("aria-label", lesson.text ?? "");
  frame.replaceChildren(document.importNode(picture, true));
  const width = Number(picture.getAttribute("width"));
  // Where windows would overlap, only the windows from the root to the current node are shown.
  const inner = lesson.nodes.filter(node => node.value === undefined);
  frame.classList.toggle("dense", inner.some((one, at) =>
    inner.some((other, index) => index > at && one.ply === other.ply && Math.abs(one.x - other.x) < 1.25)));
  frame.firstChild.style.minWidth = `${Math.min(width, Math.max(300, 0.62 * width))}px`;
}

// Shows a state in the picture. Options: `now`, the current node; `windows`, whether windows are shown; `ended`,
// whether the run has ended; and the nodes marked by clicks. With `estimates`, a node that was not seen shows its
// static value.
export function show(frame, nodes, {now = -1, from = -1, windows = true, estimates = false, ended = false, marked = new Set()}) {
  const path = new Set();
  for (let at = now; at >= 0; at = nodes[at].parent ?? -1) path.add(at);
  for (const group of frame.querySelectorAll("[data-node]")) {
    const index = Number(group.dataset.node), node = nodes[index];
    const never = node.left || (ended && !node.seen && !node.before);
    const is = (name, value) => group.classList.toggle(name, Boolean(value));
    if (group.classList.contains("scissors")) {
      is("hidden", !node.skipped);
      continue;
    }
    is("never", never);
    is("seen", node.seen);
    if (group.classList.contains("edge")) {
      is("skipped", node.skipped);
      is("null", node.seen && node.null);
      continue;
    }
    const {cut, again, recalled} = node;
    for (const [name, value] of Object.entries({here: index === now, path: path.has(index), from: index === from, cut, null: node.seen && node.null, again, recalled, marked: marked.has(index)})) is(name, value);
    const value = group.querySelector(".value");
    value.textContent = shown(node.value);
    value.classList.toggle("long", value.textContent.length > 3);
    const isLeaf = group.classList.contains("leaf");
    const bounds = windows && node.bounds ? `\u25A4 ${interval(node.bounds)}` : "";
    const estimate = estimates && !node.before && !isLeaf ? `\u2248 ${shown(node.estimate)}` : "";
    const seen = windows && !isLeaf ? `${node.again ? "\u21BB " : ""}${interval(node.window)}` : "";
    const text = node.seen ? seen : bounds || estimate;
    group.querySelector(".window").textContent = text;
  }
}

// Scrolls the picture so that a node is visible.
export function reveal(frame, index) {
  const node = frame.querySelector(`.node[data-node="${index}"]`);
  if (!node) return;
  const [box, view] = [node.getBoundingClientRect(), frame.getBoundingClientRect()];
  if (box.left < view.left + 24 || box.right > view.right - 24)
    frame.scrollLeft += (box.left + box.right - view.left - view.right) / 2;
  if (box.top < view.top + 24 || box.bottom > view.bottom - 24)
    frame.scrollTop += (box.top + box.bottom - view.top - view.bottom) / 2;
}

// Lets the nodes with these indices be reached and pressed by keys, with a label for each.
export function makeButtons(frame, labels, marked) {
  for (const group of frame.querySelectorAll(".node")) {
    const index = Number(group.dataset.node), label = labels.get(index);
    for (const [name, value] of [["tabindex", 0], ["role", "button"], ["aria-label", label], ["aria-pressed", marked.has(index)]])
      if (label === undefined) group.removeAttribute(name);
      else group.setAttribute(name, value);
  }
}
