// Checks the page of files (src/web/wasm/site.sh) in Chromium, and prints its times. Run by tests/site.sh.
import assert from "assert";
import {execFileSync, spawn} from "child_process";
import {mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync} from "fs";
import {createServer} from "http";
import {gzipSync, inflateRawSync} from "zlib";
import {tmpdir} from "os";
import {extname, join} from "path";

const {EMILIA, SITE} = process.env;
const GAME = "f5d6c3g5f6f4f3d3e6e3g4e7h6g6f7h3h4f8d7h5h2c8c5c4e2c6c2d2c1b3a4a2h7f1d1g3f2g2a3e1a1b4b5b6a7a5a6b7a8c7b8d8e8g8b2b1h8g7g1h1";
const START = "---------------------------OX------XO--------------------------- X";
// As GitHub Pages: a folder of the server, these types, texts packed by gzip, ten minutes in the cache of the browser.
const TYPES = {".html": "text/html", ".js": "application/javascript", ".css": "text/css", ".png": "image/png", ".webmanifest": "application/manifest+json"};
const ROOT = "/emilia/", CACHING = {"Cache-Control": "max-age=600"};
const MAX_BYTES = 9.6e6, MAX_EXPORTS = 20;

const show = (what, figure) => console.log(`${what.padEnd(58)} ${figure}`);
const ms = from => Math.round(performance.now() - from);

let bytes = 0;
for (const name of readdirSync(SITE, {recursive: true})) bytes += statSync(join(SITE, name)).isFile() ? statSync(join(SITE, name)).size : 0;
show("bytes of all files", bytes);
assert(bytes <= MAX_BYTES);

// The module of the engine has the imports and exports of its README, and no others.
const engine = new WebAssembly.Module(inflateRawSync(readFileSync(join(SITE, readdirSync(SITE, {recursive: true}).find(name => name.endsWith("engine.bin"))))));
const names = list => list.map(({name}) => name).sort().join(" ");
assert.equal(names(WebAssembly.Module.imports(engine)), "date now send");
const exported = WebAssembly.Module.exports(engine).length;
show("imports, and exports of the engine", `3, ${exported}`);
assert(exported <= MAX_EXPORTS);

// The version of the files. The server can have another one of the same content, too.
const [, first] = /"(v-\w+)\//.exec(readFileSync(join(SITE, "service.js"), "utf8")), second = "v-next";
let version = first, stale = "";
const asked = [];
// Files that wait: those whose path matches `held`, until `release` is called.
let held = null, release = () => {};
const hold = paths => { held = paths && {paths, until: new Promise(done => { release = done; })}; };
const server = createServer(async (request, response) => {
  const {pathname} = new URL(request.url, "http://localhost"), path = pathname.slice(ROOT.length) || "index.html";
  asked.push(path);
  if (held?.paths.test(path)) await held.until;
  const isVersioned = path.startsWith("v-");
  try {
    if (!pathname.startsWith(ROOT) || (isVersioned && !path.startsWith(version))) throw new Error(path);
    let file = readFileSync(join(SITE, path.replace(version, first)));
    if (!isVersioned && path !== stale && [".html", ".js"].includes(extname(path))) file = Buffer.from(file.toString().replaceAll(first, version));
    const type = TYPES[extname(path)] ?? "application/octet-stream", isText = /text|javascript|json/.test(type);
    if (isText) file = gzipSync(file);
    response.writeHead(200, {"Content-Type": type, "Content-Length": file.length, ...(isText && {"Content-Encoding": "gzip"}), ...CACHING});
    response.end(file);
  } catch { response.writeHead(404).end(); }
});
await new Promise(done => server.listen(0, "127.0.0.1", done));
const url = `http://127.0.0.1:${server.address().port}${ROOT}`;

const driver = spawn("chromedriver", ["--port=0"]);
const port = await new Promise(done => driver.stdout.on("data", text => {
  const found = /successfully on port (\d+)/.exec(text);
  if (found) done(found[1]);
}));
async function post(path, body) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {method: "POST", body: JSON.stringify(body)});
  const {value} = await answer.json();
  assert(!value?.error, `${path}: ${JSON.stringify(value)}`);
  return value;
}
const args = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
let session = "";
const endBrowser = () => fetch(`http://127.0.0.1:${port}${session}`, {method: "DELETE"});
// Starts a browser without stored data of the page.
async function startBrowser() {
  if (session) await endBrowser();
  const {sessionId} = await post("/session", {capabilities: {alwaysMatch: {pageLoadStrategy: "eager", "goog:loggingPrefs": {browser: "ALL"}, "goog:chromeOptions": {args}}}});
  session = `/session/${sessionId}`;
  await post(`${session}/timeouts`, {script: 600_000});
}
const visit = to => post(`${session}/url`, {url: to});
const devtools = (cmd, params = {}) => post(`${session}/goog/cdp/execute`, {cmd, params});
// Closes the tab, and opens another one.
async function visitAnew(to) {
  const {handle} = await post(`${session}/window/new`, {type: "tab"});
  await fetch(`http://127.0.0.1:${port}${session}/window`, {method: "DELETE"});
  await post(`${session}/window`, {handle});
  await visit(to);
}
// Runs the body of an async function in the page, with its modules.
const script = body => post(`${session}/execute/async`, {args: [], script: `
  const done = arguments[arguments.length - 1];
  const folder = document.querySelector("script[src]")?.src, module = name => import(new URL(name, folder));
  const until = async is => { while (!is()) await new Promise(done => setTimeout(done, 5)); };
  (async () => { const server = await module("server.js"), rules = await module("rules.js");
    const last = async (what, ...rest) => { let found; await server[what](...rest, new AbortController().signal, event => { found = event; }); return found; };
    ${body} })().then(done, error => done({failed: String(error?.stack ?? error)}));`});
async function run(body) {
  const value = await script(body);
  assert(!value?.failed, value?.failed);
  return value;
}
const isReady = `await until(() => document.querySelector("#grid button.legal")); return performance.now();`;
const hasWeights = `while (document.querySelector("#loading progress") || !(await (await caches.open("emilia-weights")).keys()).length) await new Promise(done => setTimeout(done, 20)); return performance.now();`;

// Plays the first legal move as soon as there is one, and notes when: the first paint, and when the move was accepted and
// answered.
const FIRST_MOVE = `const times = window.times = {}, at = name => { times[name] ??= Math.round(performance.now()); };
  setInterval(() => {
    const legal = document.querySelector("#grid button.legal"), moves = document.querySelectorAll(".pair .move").length;
    if (legal && moves === 0) legal.click();
    if (moves > 0) at("accepted");
    if (moves > 1) at("answered");
  }, 10);`;
const temporary = mkdtempSync(join(tmpdir(), "emilia-"));
const news = text => `await until(() => document.querySelector(".news")?.textContent.startsWith("${text}"));`;

try {
  // The board and the first move need no engine, and an answer needs no weights.
  await startBrowser();
  await devtools("Page.addScriptToEvaluateOnNewDocument", {source: FIRST_MOVE});
  hold(/engine\.bin$/);
  await visit(url);
  await run("await until(() => times.accepted);");
  const releaseEngine = release;
  hold(/\.data$/);
  releaseEngine();
  await run(`await until(() => times.answered); ${news("Emilia is still loading")}`);
  release();
  hold(null);
  await run(news("Emilia has loaded"));
  show("first move without the engine, answer without weights", "yes");

  // Without WebAssembly the page says so. The board is there for two people.
  await startBrowser();
  await devtools("Page.addScriptToEvaluateOnNewDocument", {source: "delete globalThis.WebAssembly;"});
  await visit(url);
  await run(`${news("This browser lacks WebAssembly")} ${isReady}`);

  for (const [mbit, latency, rate] of [[1.6, 150, 4], [7.5, 40, 1]]) {
    await startBrowser();
    await devtools("Page.addScriptToEvaluateOnNewDocument", {source: FIRST_MOVE});
    await devtools("Network.enable");
    await devtools("Network.emulateNetworkConditions", {offline: false, latency, downloadThroughput: mbit * 125_000, uploadThroughput: mbit * 125_000});
    await devtools("Emulation.setCPUThrottlingRate", {rate});
    await visit(url);
    const {board, accepted, answered} = await run(`await until(() => times.answered);
      return {...times, board: Math.round(performance.getEntriesByName("first-contentful-paint")[0].startTime)};`);
    show(`${mbit} Mbit/s, ${latency} ms, processor / ${rate}: board, move, answer`, `${board}, ${accepted}, ${answered} ms`);
  }

  await startBrowser();
  asked.length = 0;
  await visit(url);
  const begin = await run(isReady);
  show("first visit: first move possible, ms", Math.round(begin));
  show("first visit: full strength, ms", Math.round(await run(hasWeights)));

  // The program of the README has the values of the page.
  const [, program] = /```js\n(.*?)```/s.exec(readFileSync("src/web/wasm/README.md", "utf8")), position = "-------------------X-------XX------XO--------------------------- O";
  writeFileSync(join(temporary, "values.mjs"), program);
  const printed = execFileSync("node", [join(temporary, "values.mjs"), SITE, position]).toString();
  const hints = await run(`const stop = new AbortController();
    return new Promise(done => server.look("${position}", stop.signal, ({hints}) => { if (hints[0].depth >= 12) { stop.abort(); done(hints); } }).catch(() => {}));`);
  assert.equal(printed, hints.map(({move, score, line}) => `${move} ${score.toFixed(1)} ${line.join(" ")}\n`).join(""));
  show("moves of the program of the README, as in the page", hints.length);

  // The browser decodes what the module cannot: the name is "\u5c71" in Shift_JIS.
  const players = await run(`const sgf = ["(;GM[2]CA[Shift_JIS]PB[", new Uint8Array([0x8e, 0x52]), "];B[fe];W[df])"];
    const {games} = await server.files([new File(sgf, "a.sgf")]); return games.map(({black}) => black);`);
  assert.deepEqual(players, ["\u5c71"]);
  await run("await navigator.serviceWorker.ready; return 0;");
  assert.equal(asked.filter(path => path.startsWith("weights-")).length, 1, "the weights travel once");
  assert.deepEqual((await devtools("Page.getAppManifest")).errors, []);
  assert.deepEqual((await devtools("Page.getInstallabilityErrors")).installabilityErrors, []);
  await visit("about:blank");
  await visit(url);
  show("second visit: first move possible, ms", Math.round(await run(isReady)));

  // The values are those of the program.
  let begun = performance.now();
  const analysis = await run(`return last("analyze", {start: "${START}", transcript: "${GAME}"}, 12);`);
  show("analysis of 60 moves at depth 12, ms", ms(begun));
  if (EMILIA) {
    const own = JSON.parse(execFileSync(EMILIA, ["analyze", GAME, "--depth", "12", "--threads", "1", "--hash", "16", "--json"]).toString().split("\n")[0]);
    for (const name of ["moves", "summary", "book", "level", "opening"]) assert.deepEqual(analysis[name], own[name], name);
    show("analysis equal to that of the program", "yes");
  }

  // One thread is deterministic: the signature is that of the program.
  const bench = await run(`
    const {body} = await fetch(new URL("engine.bin", folder)), worker = new Worker(new URL("worker.js", folder));
    const code = await WebAssembly.compile(await new Response(body.pipeThrough(new DecompressionStream("deflate-raw"))).arrayBuffer());
    const [kept] = await (await caches.open("emilia-weights")).matchAll();
    const heard = new Promise(done => { worker.onmessage = ({data}) => data.id === 2 && done(JSON.parse(data.text)); });
    for (const message of [{code}, {id: 1, weights: await kept.blob()}, {id: 2, what: "bench"}]) worker.postMessage(message);
    return heard;`);
  const [, signature] = /SIGNATURE: u64 = ([\d_]+)/.exec(readFileSync("src/core/search/bench.rs", "utf8"));
  assert.equal(bench.nodes, Number(signature.replaceAll("_", "")));
  show("signature, and thousand nodes a second", `${bench.nodes}, ${Math.round(bench.nodes / bench.milliseconds)}`);
  show("memory of a worker, MB", Math.round(bench.bytes / 1e6));
  if (EMILIA) show("of the program", execFileSync(EMILIA, ["bench"]).toString().trim().split("\n").pop());

  // A search ends at once, and the next one begins.
  const stop = await run(`
    const stop = new AbortController(); let began;
    const search = server.look("${START}", stop.signal, () => { began ??= performance.now(); if (performance.now() - began > 500) { began = Infinity; stop.abort(); at = performance.now(); } });
    let at; await search.catch(() => {});
    const ended = performance.now() - at, other = new AbortController();
    await new Promise(done => server.look("${START}", other.signal, done).catch(() => {}));
    const next = performance.now() - at; other.abort();
    return [ended, next];`);
  show("end of a stopped search, and next search begun, ms", stop.map(Math.round).join(", "));

  // Exercises are kept in the database of the browser, and go to the program and back.
  await run(`
    const game = {start: "${START}", transcript: "${GAME}", black: "Ann", white: "Bob"};
    const {mistakes} = await server.practise(game, ${JSON.stringify(analysis)}, "black");
    const {exercises: [{position, best}]} = await server.exercises();
    const key = await last("key", position), {days} = await server.answer(position, best, false);
    if (!mistakes || !key.lines.length || days < 1) throw new Error(mistakes + " mistakes, due in " + days + " days");`);
  await visit(`${url}practice.html`);
  const left = await run(`const text = await server.exportExercises(), count = what => text.split(what).length - 1;
    return {exercises: count('"kind":"exercise"'), practised: count('"at":')};`);
  show("exercises made, and answered", `${left.exercises}, ${left.practised}`);
  assert(left.practised === 1);
  if (EMILIA) {
    const [state, file] = ["state.db", "all.jsonl"].map(name => join(temporary, name));
    const exported = await run("return server.exportExercises();");
    writeFileSync(file, exported);
    execFileSync(EMILIA, ["practice", "--state", state, "--import", file, "--export", `${file}.back`], {stdio: "pipe"});
    const back = readFileSync(`${file}.back`, "utf8");
    assert.equal(back, exported);
    const twice = back.replace(/"at":\d+/, '"at":1');
    assert.deepEqual(await run(`return server.importExercises(new Blob([${JSON.stringify(twice)}]));`), {exercises: 0, answers: 1});
  }
  await visit(url);

  // A game against h3, won at level 12.
  const discs = await run(`
    let position = rules.parse("${START}"), seed = 0;
    while (rules.turnOf(position) !== rules.EMPTY) {
      const level = rules.turnOf(position) === rules.BLACK ? "12" : "h3";
      const {move} = await last("move", {position: rules.obf(position).replace(";", ""), seed: seed++, level});
      position = rules.play(position, move);
    }
    return rules.finalScore(position);`);
  show("game at level 12 against h3, won by", discs);
  assert(discs > 0);

  // The tests of the page of the server pass on this one.
  const tests = spawn("cargo", ["test", "--test", "cli", "--", "--ignored", "gui_page::", "gui_games::", "gui_openings::"], {stdio: "inherit", env: {...process.env, EMILIA_PAGE: url}});
  assert.equal(await new Promise(done => tests.on("exit", done)), 0);

  // A tab that was closed goes on in the next one, with its games.
  await visit(url);
  const games = Array.from({length: 2000}, (_, index) => `% Black: Player ${index}\n% White: ${"name ".repeat(8)}\n${GAME.slice(0, 40 + index % 60 * 2)}\n`);
  const hasGames = `await until(() => document.querySelector("#found").textContent.startsWith("2,000 games"));`;
  await run(`(await module("games.js")).loadText(${JSON.stringify(games.join(""))}); ${hasGames} document.querySelector("#list tbody tr:nth-child(134) button").click();`);
  await visitAnew(url);
  await run(`${hasGames} await until(() => document.querySelector("#black-side .name").textContent === "Player 133");`);

  show("games of a closed tab, there in the next one", games.length);

  // A new version is offered, waits with its files, and takes all of the page at once.
  const files = `return [...new Set(performance.getEntriesByType("resource").map(({name}) => /\\/(v-\\w+)\\//.exec(name)?.[1]).filter(Boolean))];`;
  const changeTo = async wanted => {
    while (!(await script("return folder;").catch(() => "")).includes?.(wanted)) await new Promise(done => setTimeout(done, 50));
    await run(isReady);
    assert.deepEqual(await run(files), [wanted]);
  };
  version = second;
  stale = "practice.html";
  await run(`
    const registration = await navigator.serviceWorker.ready, found = new Promise(done => { registration.onupdatefound = () => done(registration.installing); });
    registration.update();
    const worker = await found;
    await until(() => worker.state !== "installing");
    if (worker.state !== "redundant") throw new Error("a page of the old version is among the files of the new one");`);
  stale = "";
  await visitAnew(url);
  await run(`await until(() => document.querySelector(".news button"));`);
  await run(`const stop = new AbortController(), search = server.look("${START}", stop.signal, () => stop.abort()); await search.catch(() => {}); return last("look", "${"X".repeat(62)}O- X");`);
  assert.deepEqual(await run(files), [first]);
  await script(`document.querySelector(".news button").click();`);
  await changeTo(second);
  // One tab that is loaded again takes the new version without a question.
  version = first;
  await visit(url);
  await run(`await until(() => document.querySelector(".news button"));`);
  await visit(url);
  await changeTo(first);
  show("new versions taken: by the button, by a reload", "2");

  server.close();
  server.closeAllConnections();
  await visitAnew(url);
  show("without a network: first move possible, ms", Math.round(await run(isReady)));
  assert.equal((await run(`return last("move", {position: "${START}", seed: 1, level: "5"});`)).kind, "move");
  const log = await post(`${session}/se/log`, {type: "browser"});
  assert.deepEqual(log, []);
} finally {
  await endBrowser().catch(() => {});
  rmSync(temporary, {recursive: true});
  driver.kill();
  server.close();
  server.closeAllConnections();
}
