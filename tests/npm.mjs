// Packs the npm package (src/web/npm), installs it, and runs it in Node.js, in a page and in a worker of the page.
// usage: node tests/npm.mjs [TSC]: TSC is a TypeScript compiler. EMILIA is a program to compare with, by default the release
// build. Without chromedriver the browser is left out.
import assert from "assert";
import {execFileSync, spawn, spawnSync} from "child_process";
import {mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from "fs";
import {createServer} from "http";
import {tmpdir} from "os";
import {join, resolve} from "path";

const EMILIA = resolve(process.env.EMILIA ?? "target/release/emilia");
const folder = mkdtempSync(join(tmpdir(), "emilia-npm-")), at = name => join(folder, name);
const run = (program, args, options = {}) => execFileSync(program, args, {encoding: "utf8", cwd: folder, ...options});
process.on("exit", () => rmSync(folder, {recursive: true}));

execFileSync("node", ["src/web/npm/pack.mjs", folder], {stdio: "inherit"});
const tarball = readdirSync(folder).find(name => name.endsWith(".tgz"));
writeFileSync(at("package.json"), '{"type": "module"}');
run("npm", ["install", "--silent", "--no-audit", "--no-fund", at(tarball)]);
const installed = at("node_modules/emilia-othello"), files = readdirSync(installed);
assert.deepEqual(files.sort(), ["LICENSE", "README.md", "book.data", "engine.bin", "index.d.ts", "index.js", "node-worker.js", "node.js", "package.json", "rules.js", "weights.data", "words.js", "worker.js"]);
for (const name of files.filter(name => name.endsWith(".js"))) assert(!/\beval\b|new Function/.test(readFileSync(join(installed, name), "utf8")), name);

// The program of the README.
const [, readme] = /```js\n(.*?)```/s.exec(readFileSync(join(installed, "README.md"), "utf8"));
writeFileSync(at("readme.mjs"), readme);
const lines = run("node", ["readme.mjs"]).trim().split("\n");
assert.equal(lines[0], "------------------XO------XXX------OXX-----O-------------------- O [ 'b3', 'f3', 'f4', 'b5', 'g5', 'g6' ] 58");
assert(lines.includes("10/10") && lines.at(-1) === "TimeoutError", lines.join("\n"));

// Types.
const [, , tsc] = process.argv;
if (tsc) {
  writeFileSync(at("typed.mts"), readme);
  writeFileSync(at("wrong.mts"), 'import {Engine} from "emilia-othello";\nawait new Engine().search(3);\n');
  const check = file => spawnSync(tsc, ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2024,dom", "--types", "", file], {cwd: folder, encoding: "utf8"});
  const typed = check("typed.mts");
  assert.equal(typed.status, 0, typed.stdout);
  assert.notEqual(check("wrong.mts").status, 0);
} else console.log("skipped: no TypeScript compiler");

// What holds wherever the package runs.
const laws = `
  const {Engine, START, legalMoves, play, score} = emilia;
  const perft = (position, depth) => depth === 0 ? 1 : legalMoves(position).reduce((sum, move) => sum + perft(play(position, move), depth - 1), 0);
  const engine = new Engine(), depths = [], after = play(START, "F5");
  const thrown = [() => play(START, "a1"), () => legalMoves("f5")].map(call => { try { call(); } catch (error) { return error.message; } });
  const lines = await engine.search(after, {depth: 10, lines: 2, onProgress: ([{depth}]) => depths.push(depth)});
  // Without its signal this search would last two minutes.
  const stopped = await engine.search(after, {signal: AbortSignal.timeout(200)}).catch(error => error.name);
  const refused = await engine.search(after, {depth: 0}).catch(error => error.message);
  const people = new Set();
  for (let seed = 0; seed < 12; seed++) people.add((await engine.move(play(START, "f5"), {level: seed < 6 ? "h1" : 1, seed})).move);
  // White must pass, then Black takes the last empty square, a1.
  const forced = "-OXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX O", passed = play(forced, "pass");
  const closed = engine.search(after).catch(error => error.message);
  setTimeout(() => engine.close(), 100);
  return {perft: perft(START, 5), thrown, stopped, depths, lines, refused, people: people.size, closed: await closed,
    passes: [legalMoves(forced), legalMoves(passed), legalMoves(play(passed, "a1")), score(play(passed, "a1"))]};`;
const expected = JSON.parse(run(EMILIA, ["hint", "f5", "--depth", "10", "--count", "2", "--threads", "1", "--hash", "16", "--book", "off", "--json"]).split("\n")[0]);
function holds(where, found) {
  assert.equal(found.perft, 1396);
  assert.match(found.thrown.join(), /illegal move: a1 \(legal: d3 c4 f5 e6\).*not a position: 'f5'/);
  assert.equal(found.stopped, "TimeoutError");
  assert.deepEqual(found.lines.map(({move, score, line}) => ({move, score, line})), expected.hints.map(({move, score, line}) => ({move, score, line})));
  assert.deepEqual(found.depths, found.depths.toSorted((a, b) => a - b));
  assert(found.depths.length > 2 && found.depths.at(-1) === 10);
  assert.match(found.refused, /from 1/);
  assert(found.people > 1);
  assert.equal(found.closed, "the engine is closed");
  assert.deepEqual(found.passes, [["pass"], ["a1"], [], 64]);
  console.log(`${where}: passed`);
}
writeFileSync(at("laws.mjs"), `import * as emilia from "emilia-othello";\nconsole.log(JSON.stringify(await (async () => {${laws}})()));`);
holds("Node.js", JSON.parse(run("node", ["laws.mjs"])));

// A page, and a worker of the page, without a bundler.
const TYPES = {js: "text/javascript", mjs: "text/javascript", html: "text/html"};
const inBrowser = `import * as emilia from "/node_modules/emilia-othello/index.js";\nconst found = await (async () => {${laws}})();\n`;
writeFileSync(at("worker.mjs"), `${inBrowser}postMessage(found);`);
writeFileSync(at("page.mjs"), `${inBrowser}window.found = {page: found};\nnew Worker("/worker.mjs", {type: "module"}).onmessage = ({data}) => { window.found.worker = data; };`);
writeFileSync(at("page.html"), '<meta http-equiv="Content-Security-Policy" content="script-src \'self\' \'wasm-unsafe-eval\'"><script type="module" src="/page.mjs"></script>');
const server = createServer(({url}, response) => {
  try { response.setHeader("Content-Type", TYPES[url.split(".").pop()] ?? "application/octet-stream").end(readFileSync(join(folder, url))); }
  catch { response.writeHead(404).end(); }
});
await new Promise(done => server.listen(0, "127.0.0.1", done));
const driver = spawn("chromedriver", ["--port=0"]).on("error", () => { console.log("skipped: no chromedriver"); process.exit(); });
process.on("exit", () => driver.kill());
const port = await new Promise(done => driver.stdout.on("data", text => { const [, port] = /successfully on port (\d+)/.exec(text) ?? []; if (port) done(port); }));
const post = async (path, body) => (await (await fetch(`http://127.0.0.1:${port}${path}`, {method: "POST", body: JSON.stringify(body)})).json()).value;
const args = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
const {sessionId} = await post("/session", {capabilities: {alwaysMatch: {"goog:chromeOptions": {args}}}}), session = `/session/${sessionId}`;
await post(`${session}/timeouts`, {script: 300_000});
await post(`${session}/url`, {url: `http://127.0.0.1:${server.address().port}/page.html`});
const found = await post(`${session}/execute/async`, {args: [], script: "const done = arguments[0], poll = () => window.found?.worker ? done(window.found) : setTimeout(poll, 50); poll();"});
await fetch(`http://127.0.0.1:${port}${session}`, {method: "DELETE"});
holds("page", found.page);
holds("worker of a page", found.worker);
process.exit();
