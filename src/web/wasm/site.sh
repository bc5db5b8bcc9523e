#!/bin/sh
# Writes the page as files to FOLDER, with the engine in WebAssembly. Needs the target wasm32-unknown-unknown.
set -eu
[ $# -eq 1 ] || { echo "usage: src/web/wasm/site.sh FOLDER" >&2; exit 1; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/../../.."
engine=$(src/web/wasm/engine.sh)
cargo run --locked -p emilia-web --example site -- "$engine" "$folder"
