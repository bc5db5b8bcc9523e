#!/usr/bin/env bash
# Measures the page of `emilia gui` in Chromium, and checks its accessibility with axe-core.
# Needs node, npm and chromium. usage: tests/gui.sh [EMILIA [PICTURES]]: PICTURES is a folder for screenshots.
set -euo pipefail
cd "$(dirname "$0")/.."
emilia=$(realpath "${1:-target/release/emilia}")
openings=$PWD/src/games/xot.txt
pictures=${2:+$(realpath -m "$2")}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp tests/gui/measure.mjs "$folder"
cd "$folder"
npm install --silent --no-audit --no-fund puppeteer-core axe-core
EMILIA=$emilia OPENINGS=$openings PICTURES=$pictures node measure.mjs
