// Keeps the files of the page in the cache of the browser, so that it works without a network.
//
// All files of a version are kept before the first is used, and modules are in a folder of their version, so that no
// tab has files of two versions. A new version waits until the page asks for it, or until the only tab is reloaded.

const VERSION = "emilia-version", FILES = [];
// Pages of one server share their caches.
const OWN = `emilia ${registration.scope} `, NAME = OWN + VERSION;

addEventListener("install", event => event.waitUntil(keep()));
async function keep() {
  const cache = await caches.open(NAME);
  await Promise.all(FILES.map(async name => {
    // A file with a checksum in its name may be in the cache already, fetched by the page or by another version.
    const isSame = /^v-|\.data$/.test(name), kept = isSame && await caches.match(name);
    const response = kept || await fetch(name, {cache: isSame ? "force-cache" : "no-cache"});
    if (!response.ok) throw new Error(`${name}: ${response.status}`);
    // A page that is older or newer than this file: the browser tries again later.
    const isPage = response.headers.get("Content-Type")?.startsWith("text/html");
    if (isPage && !(await response.clone().text()).includes(VERSION)) throw new Error(`${name} is of another version`);
    await cache.put(name, response);
  }));
}

addEventListener("activate", event => event.waitUntil(take()));
async function take() {
  const old = (await caches.keys()).filter(name => name.startsWith(OWN) && name !== NAME);
  await Promise.all(old.map(name => caches.delete(name)));
  await clients.claim();
}
addEventListener("message", () => skipWaiting());

addEventListener("fetch", event => { if (event.request.method === "GET") event.respondWith(answer(event.request)); });
// While a tab is reloaded, it still counts, and is visible. A hidden tab must not be reloaded because a new tab opens.
async function isOnlyTab() {
  const tabs = await clients.matchAll();
  return tabs.length < 2 && tabs.every(({visibilityState}) => visibilityState === "visible");
}
async function answer(request) {
  const {waiting} = registration;
  if (waiting && request.mode === "navigate" && await isOnlyTab()) {
    waiting.postMessage("take");
    return new Response("<link rel=icon href=data:,><meta http-equiv=refresh content=0>", {headers: {"Content-Type": "text/html"}});
  }
  const cache = await caches.open(NAME);
  return await cache.match(request, {ignoreSearch: true}) ?? fetch(request);
}
