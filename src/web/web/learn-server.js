// The only file of this page that sends requests. Another engine can stand behind the same two functions.

// Returns the worked examples: [name, tree] of each.
export async function examples() {
  const response = await fetch("examples.txt");
  const lines = (await response.text()).split("\n");
  return lines.map(line => line.match(/^([\w-]+): (.*?) = /)).filter(Boolean).map(([, name, tree]) => [name, tree]);
}

// Runs an algorithm: {game, text, algorithm, height}. Returns its lesson, whose fields src/cli/JSON.md names, with
// the tree as `svg`. Throws a sentence if the request is wrong.
export async function lesson(request) {
  const response = await fetch("lesson", {method: "POST", body: JSON.stringify(request)});
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}
