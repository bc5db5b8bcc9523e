// The package in Node.js: files are read from the disk, and workers are those of `node:worker_threads`.
import {readFile} from "node:fs/promises";
import {Worker} from "node:worker_threads";
import {platform} from "./index.js";

platform.read = async url => new Blob([await readFile(url)]);
platform.start = () => {
  const worker = new Worker(new URL("./node-worker.js", import.meta.url));
  worker.on("message", data => worker.onmessage({data}));
  worker.on("error", error => worker.onerror(error));
  return worker;
};

export * from "./index.js";
