// The requests of this page. The module `transport` sends them, as those of the board.

import {ask} from "./transport.js";

// Returns the worked examples: [name, tree] of each.
export async function examples() {
  const response = await fetch(new URL("examples.txt", import.meta.url));
  const lines = (await response.text()).split("\n");
  return lines.map(line => line.match(/^([\w-]+): (.*?) = /)).filter(Boolean).map(([, name, tree]) => [name, tree]);
}

// Runs an algorithm: {game, text, algorithm, height}. Returns its lesson, whose fields src/cli/JSON.md names, with
// the tree as `svg`. Throws a sentence if the request is wrong.
export const lesson = request => ask("lesson", request);
