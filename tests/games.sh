#!/usr/bin/env bash
# Round-robin tournament of Emilia over GTP, NBoard and UCI, and gtp-rhino (Debian package grhino).
# Emilia has two threads and 0.05 s a move. There are 360 games.
# Prints the table of the tournament and one of the memory. Exit code 1: a player made a fault, or a process grew.
#
#   tests/games.sh          six minutes
#   tests/games.sh GAMES    GAMES games in each of the six pairings, instead of 60
#
# The variable EMILIA holds the path of the program, by default target/release/emilia.
# A second run resumes an interrupted one. The games are in target/games.
set -euo pipefail
cd "$(dirname "$0")/.."
exec </dev/null

games=${1:-60}
emilia=$(realpath -m "${EMILIA:-${CARGO_TARGET_DIR:-target}/release/emilia}")
out=${CARGO_TARGET_DIR:-target}/games
[ -x "$emilia" ] || { echo "there is no program $emilia: cargo build --release"; exit 2; }
rhino=$(PATH=$PATH:/usr/games type -P gtp-rhino) || { echo "skipped: gtp-rhino is not installed"; exit 0; }
mkdir -p "$out"

# Allowed memory growth of a process in KiB after its first 30 seconds.
growth=16384

# Prints a line for every session of Emilia each second: seconds, process ID, protocol, resident KiB.
watch_memory() {
    while sleep 1; do
        # pgrep fails between two pairings, when no session runs.
        pgrep -f "^$emilia (gtp|nboard|uci) " | while read -r id; do
            ps -o pid=,rss=,args= -p "$id" | awk -v at="$SECONDS" '{ print at "\t" $1 "\t" $4 "\t" $2 }' || true
        done || true
    done
}
watch_memory >>"$out/memory.tsv" &
watcher=$!
trap 'kill $watcher' EXIT

log=$out/games.jsonl
resume=()
[ ! -s "$log" ] || resume=(--resume)
# Options of each session. With keep=yes one session plays all games of a pairing.
limits="--threads 2 --time 0.05"
"$emilia" match --tournament round-robin --games "$games" --time 0.05 --openings xot --seed 1 --out "$log" "${resume[@]}" \
    --player "gtp:name=GTP,keep=yes,$emilia gtp $limits" \
    --player "nboard:name=NBoard,keep=yes,$emilia nboard $limits" \
    --player "uci:name=UCI,keep=yes,$emilia uci $limits" \
    --player "gtp:name=Rhino,keep=yes,$rhino --level=1" | tee "$out/table.txt"

verdict=0
faults=$(grep -c '"fault"' "$log" || true)
echo "faults: $faults"
[ "$faults" = 0 ] || verdict=1

# Prints, for each process of 30 seconds or more, its memory after 30 s, the maximum and the last value.
awk -F '\t' -v growth=$growth '
    !($2 in began) { began[$2] = $1; protocol[$2] = $3 }
    $1 - began[$2] >= 30 && !($2 in early) { early[$2] = $4 }
    { last[$2] = $4; if ($4 > most[$2]) most[$2] = $4; age[$2] = $1 - began[$2] }
    END {
        print "protocol\tseconds\tMiB after 30 s\tmost\tlast"
        for (id in early) {
            printf "%s\t%d\t%.1f\t%.1f\t%.1f\n", protocol[id], age[id], early[id] / 1024, most[id] / 1024, last[id] / 1024 | "sort"
            if (last[id] > early[id] + growth) code = 1
        }
        close("sort")
        exit code
    }' "$out/memory.tsv" | column -t -s $'\t' || { echo "a process has grown"; verdict=1; }
exit $verdict
