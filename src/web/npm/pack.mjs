// Packs the npm package: node src/web/npm/pack.mjs FOLDER writes FOLDER/emilia-othello-VERSION.tgz. Needs npm, and what
// src/web/wasm/engine.sh needs.
import {execFileSync} from "node:child_process";
import {copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {basename, join, resolve} from "node:path";
import {deflateRawSync} from "node:zlib";

if (process.argv.length !== 3) throw new Error("usage: node src/web/npm/pack.mjs FOLDER");
const folder = resolve(process.argv[2]), root = resolve(import.meta.dirname, "../../.."), at = name => join(root, name);
const build = mkdtempSync(join(tmpdir(), "emilia-")), write = (name, content) => writeFileSync(join(build, name), content);
process.on("exit", () => rmSync(build, {recursive: true}));
mkdirSync(folder, {recursive: true});

const own = ["index.js", "index.d.ts", "node.js", "node-worker.js", "README.md"].map(name => `src/web/npm/${name}`);
for (const path of [...own, "src/web/wasm/worker.js", "src/review/report/web/rules.js", "LICENSE"]) copyFileSync(at(path), join(build, basename(path)));
// The words of the rules are English.
write("words.js", "export const t = text => text;\n");
const [, version] = /^version = "(.*)"$/m.exec(readFileSync(at("Cargo.toml"), "utf8"));
write("package.json", JSON.stringify({...JSON.parse(readFileSync(at("src/web/npm/package.json"), "utf8")), version}, null, 2));
const module = execFileSync(at("src/web/wasm/engine.sh"), {encoding: "utf8", stdio: ["ignore", "pipe", "inherit"]}).trim();
write("engine.bin", deflateRawSync(readFileSync(module), {level: 9}));
copyFileSync(at("src/book/default.packed"), join(build, "book.data"));
// As src/web/wasm/mod.rs reads them: the size of the first weights, then both.
const [light, net] = ["light", "net"].map(name => readFileSync(at(`src/core/eval/${name}.lzma`))), size = Buffer.alloc(4);
size.writeUInt32LE(light.length);
write("weights.data", Buffer.concat([size, light, net]));
execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], {cwd: build, stdio: "inherit"});
