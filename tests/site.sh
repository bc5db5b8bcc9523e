#!/usr/bin/env bash
# Builds the page of files and checks it in Chromium: signature, values, times, visits without a network, and the tests
# of the page of `emilia gui`. Needs node, chromedriver and the target wasm32-unknown-unknown.
# usage: tests/site.sh [EMILIA]: EMILIA is a binary to compare with.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
src/web/wasm/site.sh "$folder"
EMILIA=$(realpath "${1:-target/release/emilia}") SITE=$folder node tests/gui/site.mjs
