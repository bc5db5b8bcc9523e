#!/bin/sh
# Writes the page as files to FOLDER, with the engine in WebAssembly. Needs the target wasm32-unknown-unknown.
set -eu
folder=${1:?usage: src/web/wasm/site.sh FOLDER}
cargo build --release -p emilia-wasm --target wasm32-unknown-unknown
cargo run --release -p emilia-web --example site -- \
    target/wasm32-unknown-unknown/release/emilia_wasm.wasm src/core/eval/net.packed "$folder"
