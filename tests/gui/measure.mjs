// Measures the page of `emilia gui`, and prints a table. Run by tests/gui.sh.
import {spawn} from "child_process";
import {mkdirSync, readFileSync} from "fs";
import puppeteer from "puppeteer-core";

const {EMILIA, PICTURES} = process.env;
const GAME = "f5d6c3g5f6f4f3d3e6e3g4e7h6g6f7h3h4f8d7h5h2c8c5c4e2c6c2d2c1b3a4a2h7f1d1g3f2g2a3e1a1b4b5b6a7a5a6b7a8c7b8d8e8g8b2b1h8g7g1h1";
const AXE = readFileSync("node_modules/axe-core/axe.min.js", "utf8");
const ROUNDS = 200;
// The first opening of every 75 of 10,784: with the positions of the game they are 200.
const OPENINGS = readFileSync(process.env.OPENINGS, "utf8").trim().split("\n").filter((_, index) => index % 75 === 0).slice(0, ROUNDS - 58);
const SCREENS = [[1280, 900, "light"], [1280, 900, "dark"], [390, 844, "light"], [390, 844, "dark"]];

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
  const program = spawn(EMILIA, ["gui", "--no-browser"], {stdio: ["ignore", "pipe", "inherit"]});
  const url = await new Promise(resolve => program.stdout.once("data", line => resolve(String(line).trim())));
  return {program, url, took: performance.now() - begun};
}

// Processor time of a process in milliseconds.
function processorTime({pid}) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

const browser = await puppeteer.launch({executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]});
async function open(url, [width, height, scheme]) {
  const page = await browser.newPage();
  await page.setViewport({width, height, isMobile: width < 500, hasTouch: width < 500});
  await page.emulateMediaFeatures([{name: "prefers-color-scheme", value: scheme}]);
  await page.goto(url);
  await page.waitForSelector("#grid button.legal");
  return page;
}

const starts = [], paints = [];
for (let round = 0; round < 20; round++) {
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
// Clicks a legal move of Black, and waits for the answer of h3. A finished game is followed by a new one.
const answers = await page.evaluate(async rounds => {
  const times = [], wait = () => new Promise(resolve => setTimeout(resolve, 0));
  const isBlack = () => document.querySelector("#black-side[aria-current]") && document.querySelector("#grid button.legal");
  while (times.length < rounds) {
    if (document.getElementById("status").textContent.includes("The game is over")) document.getElementById("new").click();
    while (!isBlack()) await wait();
    const begun = performance.now(), squares = document.querySelectorAll("#grid button.legal");
    squares[Math.floor(squares.length / 2)].click();
    while (!isBlack() && !document.getElementById("status").textContent.includes("The game is over")) await wait();
    times.push(performance.now() - begun);
  }
  return times;
}, ROUNDS);
show("click to the answer of h3", percentiles(answers));

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
  $("text").value = games.join("\n");
  $("read").click();
  while ($("games").length !== games.length) await wait();
  for (let move = 1; move < 59; move++) {
    $("next").click();
    await look();
  }
  for (let game = 1; game < games.length; game++) {
    $("games").value = game;
    $("games").dispatchEvent(new Event("change"));
    await look();
  }
  return times;
}, [GAME, ...OPENINGS]);
show("click on Values to the first values", percentiles(looks));

await sleep(1000);
const before = processorTime(program);
await sleep(60_000);
show("processor time of the program in an idle minute", `${processorTime(program) - before} ms`);
for (const file of ["", "gui.js", "style.css"])
  show(`size of ${file || "the page"}`, `${(await (await fetch(url + file)).text()).length} bytes`);
await page.close();

// Accessibility, and pictures, of each state of the page on each screen.
let findings = 0, checks = 0;
if (PICTURES) mkdirSync(PICTURES, {recursive: true});
async function check(page, [width, , scheme], state) {
  await page.evaluate(AXE);
  const {violations} = await page.evaluate(() => window.axe.run(document, {resultTypes: ["violations"]}));
  for (const {id, nodes} of violations) console.log(`${state}, ${width}, ${scheme}: ${id}: ${nodes.map(node => node.target).join(", ")}`);
  findings += violations.length;
  checks += 1;
  if (PICTURES) await page.screenshot({path: `${PICTURES}/${state}-${width}-${scheme}.png`});
}
for (const screen of SCREENS) {
  page = await open(url, screen);
  const click = id => page.$eval(`#${id}`, button => button.click());
  await check(page, screen, "start");
  await page.$eval("#text", (field, game) => { field.value = game; }, GAME);
  await click("read");
  await page.waitForFunction(() => document.querySelectorAll("#moves tbody tr").length === 60);
  await page.select("#depth", "8");
  await click("analyze");
  await page.waitForFunction(() => !document.getElementById("judged").hidden, {timeout: 120_000});
  await click("next-mistake");
  await click("next-mistake");
  await check(page, screen, "review");
  await click("values");
  await page.waitForSelector("#grid button span");
  await sleep(1500);
  await check(page, screen, "values");
  await click("values");
  await click("set-up");
  await check(page, screen, "setup");
  await page.close();
}
show(`findings of axe-core in ${checks} checks`, findings);
await browser.close();
program.kill();
process.exitCode = findings > 0 ? 1 : 0;
