#!/bin/sh
# Builds the engine in WebAssembly, and prints the path of the module. Needs the target wasm32-unknown-unknown.
set -eu
fail() { echo "engine.sh: $1" >&2; exit 1; }
target=wasm32-unknown-unknown
command -v cargo >/dev/null || fail "cargo is missing: install Rust from https://rustup.rs"
[ -d "$(rustc --print target-libdir --target $target)" ] || fail "Rust lacks WebAssembly: run 'rustup target add $target'"
cd "$(dirname "$0")/../../.."
# A small module: functions in few bytes, but for those of emilia-core, and no names of functions.
export CARGO_PROFILE_RELEASE_OPT_LEVEL=z CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1 CARGO_PROFILE_RELEASE_STRIP=true
cargo rustc --release --locked -p emilia-web --lib --crate-type cdylib --target $target
echo "${CARGO_TARGET_DIR:-$PWD/target}/$target/release/emilia_web.wasm"
