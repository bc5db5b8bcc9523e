// `worker.js` in a thread of Node.js, with the functions of a worker of the browser.
import {parentPort} from "node:worker_threads";

globalThis.postMessage = (data, {transfer = []} = {}) => parentPort.postMessage(data, transfer);
globalThis.onmessage = null;
await import("./worker.js");
parentPort.on("message", data => globalThis.onmessage({data}));
