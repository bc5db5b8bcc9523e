// Measures the page of `emilia gui`, and prints a table. Run by tests/gui.sh.
import {spawn} from "child_process";
import {mkdirSync, readFileSync} from "fs";
import puppeteer from "puppeteer-core";

const {EMILIA, PICTURES} = process.env;
const GAME = "f5d6c3g5f6f4f3d3e6e3g4e7h6g6f7h3h4f8d7h5h2c8c5c4e2c6c2d2c1b3a4a2h7f1d1g3f2g2a3e1a1b4b5b6a7a5a6b7a8c7b8d8e8g8b2b1h8g7g1h1";
const AXE = readFileSync("node_modules/axe-core/axe.min.js", "utf8");
// Moves that are played and positions that are looked at, and the longest time of the whole in milliseconds.
const ROUNDS = 10, LONGEST = 600_000;
setTimeout(() => { throw new Error(`not done after ${LONGEST / 1000} seconds`); }, LONGEST).unref();
// One opening of every 750 of 10,784.
const OPENINGS = readFileSync(process.env.OPENINGS, "utf8").trim().split("\n").filter((_, index) => index % 750 === 0);
const SCREENS = [[1366, 650, "light"], [360, 640, "dark"]];
const LANGUAGES = ["en", "fr"];

const sleep = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));
const show = (what, figure) => console.log(`${what.padEnd(58)} ${figure}`);
function percentiles(times) {
  times.sort((a, b) => a - b);
  const at = share => times[Math.min(times.length - 1, Math.floor(share * times.length))].toFixed(1);
  return `median ${at(0.5)} ms, 95th percentile ${at(0.95)} ms of ${times.length}`;
}

// Starts the program. Returns its process, its address, and the time until it printed that.
async function start() {
  const begun = performance.now();
  const program = spawn(EMILIA, ["gui", "--no-browser", "--state", "practice.db"], {stdio: ["ignore", "pipe", "inherit"]});
  const url = await new Promise(resolve => program.stdout.once("data", line => resolve(String(line).trim())));
  return {program, url, took: performance.now() - begun};
}

// Processor time of a process in milliseconds.
function processorTime({pid}) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

const browser = await puppeteer.launch({executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]});
async function open(url, [width, height, scheme], language = "en") {
  // A context of its own has no stored game.
  const page = await (await browser.createBrowserContext()).newPage();
  const isPhone = Math.min(width, height) < 500;
  await page.setViewport({width, height, isMobile: isPhone, hasTouch: isPhone});
  await page.emulateMediaFeatures([{name: "prefers-color-scheme", value: scheme}]);
  await page.evaluateOnNewDocument(code => Object.defineProperty(navigator, "languages", {get: () => [code]}), language);
  await page.goto(url);
  await page.waitForSelector("#grid button.legal");
  return page;
}

const starts = [], paints = [];
for (let round = 0; round < 5; round++) {
  const {program, url, took} = await start();
  starts.push(took);
  const page = await open(url, SCREENS[0]);
  const painted = await page.evaluate(() => performance.getEntriesByType("paint").find(one => one.name === "first-contentful-paint")?.startTime);
  paints.push(took + painted);
  await page.close();
  program.kill();
}
show("start of the program to its address", percentiles(starts));
show("start of the program to first paint, browser open", percentiles(paints));

const {program, url} = await start();
let page = await open(url, SCREENS[0]);
// Clicks a legal move of Black, and waits for its disc and the answer of h3. A finished game is followed by a rematch.
const {discs, answers} = await page.evaluate(async rounds => {
  const discs = [], answers = [], wait = () => new Promise(resolve => setTimeout(resolve, 0));
  const isOver = () => document.getElementById("status").textContent.includes("The game is over");
  const isTurn = () => document.querySelector("#grid button.legal");
  const count = () => document.querySelectorAll("#board .place circle:last-child").length;
  while (answers.length < rounds) {
    if (isOver()) document.getElementById("rematch").click();
    while (!isTurn()) await wait();
    const squares = document.querySelectorAll("#grid button.legal"), before = count(), begun = performance.now();
    squares[Math.floor(squares.length / 2)].click();
    while (count() === before) await wait();
    discs.push(performance.now() - begun);
    while (!isTurn() && !isOver()) await wait();
    answers.push(performance.now() - begun);
  }
  return {discs, answers};
}, ROUNDS);
show("click to its disc on the board", percentiles(discs));
show("click to the answer of h3, discs turned (250 ms), 600 ms of thought", percentiles(answers));

// Looks at positions that are all different: of a game from its start to its end, and of openings.
const looks = await page.evaluate(async games => {
  const times = [], wait = () => new Promise(resolve => setTimeout(resolve, 0)), $ = id => document.getElementById(id);
  async function look() {
    const begun = performance.now();
    $("values").click();
    while (!document.querySelector("#grid button span")) await wait();
    times.push(performance.now() - begun);
    $("values").click();
  }
  $("paste").click();
  $("text").value = games.join("\n");
  $("read").click();
  // The list has the games that were played before, too. The loaded games are its first rows.
  const rows = () => document.querySelectorAll("#list tbody tr");
  while (rows().length < games.length) await wait();
  for (let move = 1; move < 59; move += 8) {
    $("next").click();
    await look();
  }
  for (let game = 1; game < games.length; game++) {
    rows()[game].querySelector("button").click();
    await wait();
    $("last").click();
    await look();
  }
  return times;
}, [GAME, ...OPENINGS]);
show("click on Values to the first values", percentiles(looks));

await sleep(1000);
const before = processorTime(program);
await sleep(10_000);
show("processor time of the program in ten idle seconds", `${processorTime(program) - before} ms`);
await page.close();

// Sizes of the page, its style sheet, its modules with those that they import, and the dictionaries.
const modules = new Map();
const read = async file => (await fetch(url + file)).text();
async function load(file) {
  if (modules.has(file)) return;
  const text = await read(file);
  modules.set(file, Buffer.byteLength(text));
  for (const [, name] of text.matchAll(/^import .* from "\.\/(.*)";$/gm)) await load(name);
}
await load("main.js");
show("size of the page and its style sheet", `${(await read("")).length}, ${(await read("style.css")).length} bytes`);
show(`size of ${modules.size} modules`, `${[...modules.values()].reduce((sum, size) => sum + size)} bytes`);
for (const file of ["fr.js", "ja.js", "zh.js", "help.js", "sentences.js", "learn-fr.js"]) show(`size of ${file}`, `${Buffer.byteLength(await read(file))} bytes`);

// Accessibility, size of the board, and pictures, of each state of the page on each screen.
let findings = 0, checks = 0;
if (PICTURES) mkdirSync(PICTURES, {recursive: true});
async function check(page, [width, height, scheme], language, state) {
  await page.evaluate(AXE);
  const {violations} = await page.evaluate(() => window.axe.run(document, {resultTypes: ["violations"]}));
  for (const {id, nodes} of violations) console.log(`${state}, ${width}, ${scheme}, ${language}: ${id}: ${nodes.map(node => node.target).join(", ")}`);
  findings += violations.length;
  checks += 1;
  if (PICTURES) await page.screenshot({path: `${PICTURES}/${state}-${width}x${height}-${scheme}-${language}.png`});
}
for (const [index, screen] of SCREENS.entries()) {
  const language = LANGUAGES[index % LANGUAGES.length];
  page = await open(url, screen, language);
  const click = id => page.$eval(`#${id}`, button => { button.click(); document.activeElement.blur(); });
  const look = state => check(page, screen, language, state);
  const paste = async (text, ready) => {
    await click("paste");
    await page.$eval("#text", (field, value) => { field.value = value; }, text);
    await click("read");
    await page.waitForSelector(ready);
  };
  await look("start");
  show(`board at ${screen[0]} x ${screen[1]}`, `${await page.$eval("#frame", frame => frame.getBoundingClientRect().width)} pixels`);
  await click("new");
  await page.waitForSelector("#new-dialog[open]");
  await look("dialog");
  await click("cancel-game");
  for (let move = 0; move < 6; move++) {
    await page.waitForSelector("#grid button.legal");
    await page.$eval("#grid button.legal", button => button.click());
    await sleep(400);
  }
  await look("middle");
  await paste(GAME, ".pair:nth-child(30)");
  await page.select("#depth", "8");
  await click("analyze");
  await page.waitForFunction(() => !document.getElementById("judged").hidden, {timeout: 120_000});
  await click("next-mistake");
  await click("next-mistake");
  await look("review");
  for (let move = 0; move < 3; move++) {
    await page.$eval("#grid button.legal", button => button.click());
    await sleep(300);
  }
  await look("variation");
  await click("main-line");
  await click("values");
  await page.waitForSelector("#grid button span");
  await sleep(1500);
  await look("values");
  await click("values");
  for (const [button, state] of [["share", "share"], ["help", "help"], ["look", "look"], ["judged", "summary"], ["play-on", "play-on"]]) {
    await click(button);
    await page.waitForSelector("dialog[open]");
    await look(state);
    await page.keyboard.press("Escape");
  }
  await paste([GAME, ...OPENINGS].join("\n"), "#list tbody tr:nth-child(10)");
  await look("games");
  await click("tab-explorer");
  await sleep(300);
  await look("explorer");
  await click("tab-menu");
  await click("set-up");
  await look("setup");
  await page.goto(`${url}practice.html`);
  await page.waitForSelector("#board svg");
  await sleep(300);
  await look("practice");
  await page.goto(`${url}openings.html`);
  await page.waitForSelector("html.ready");
  await look("openings");
  for (const hash of ["", "#1.1", "#8.1"]) {
    await page.goto(`${url}lessons.html${hash}`);
    await page.waitForSelector("html.ready");
    await look(`lessons${hash}`);
  }
  await page.goto(`${url}learn.html`);
  await page.waitForSelector("#picture svg");
  await look("learn");
  await page.close();
}
show(`findings of axe-core in ${checks} checks`, findings);
await browser.close();
program.kill();
process.exitCode = findings > 0 ? 1 : 0;
