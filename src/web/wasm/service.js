// Keeps the files of the page in the cache of the browser, so that it works without a network. A new version of the
// page has other bytes here: the browser installs it beside the old one, and takes it for the next visit.

const VERSION = "emilia-version", FILES = [];

addEventListener("install", event => {
  event.waitUntil(caches.open(VERSION).then(cache => cache.addAll(FILES.map(name => new Request(name, {cache: "no-cache"})))).then(() => skipWaiting()));
});
addEventListener("activate", event => {
  const old = name => name.startsWith("emilia-") && ![VERSION, "emilia-weights"].includes(name);
  event.waitUntil(caches.keys().then(names => Promise.all(names.filter(old).map(name => caches.delete(name)))).then(() => clients.claim()));
});
addEventListener("fetch", event => {
  if (event.request.method !== "GET") return;
  event.respondWith(caches.open(VERSION).then(cache => cache.match(event.request, {ignoreSearch: true})).then(kept => kept ?? fetch(event.request)));
});
