#!/usr/bin/env bash
# The Windows build, run by Wine: cross-compiles emilia.exe, then runs each command that a player or a script uses and checks its
# answer. Prints one line a check; exit code 1 if one fails. Skipped with a sentence where Wine or the compiler is missing.
#
#   tests/windows.sh                         the release build: minutes to compile, then one more
#   EMILIA_PROFILE=dev tests/windows.sh      with overflow checks and debug assertions
#
# Needs, of Debian, wine64 and gcc-mingw-w64-x86-64, and `rustup target add x86_64-pc-windows-gnu`.
set -euo pipefail
cd "$(dirname "$0")/.."
exec </dev/null

profile=${EMILIA_PROFILE:-release}
triple=x86_64-pc-windows-gnu
target=${CARGO_TARGET_DIR:-target}

skip() { echo "skipped: $*"; exit 0; }
# Debian's wine64 is outside the PATH.
wine=$(PATH=$PATH:/usr/lib/wine type -P wine64 || type -P wine) || skip "there is no wine64"
server=$(PATH=$PATH:/usr/lib/wine type -P wineserver) || skip "there is no wineserver"
compiler=$(type -P x86_64-w64-mingw32-gcc) || skip "there is no x86_64-w64-mingw32-gcc"
rustc --target $triple --print target-libdir 2>/dev/null | xargs -r test -d ||
    skip "no standard library for $triple (rustup target add $triple)"

cargo build --profile "$profile" --bin emilia --target $triple

# One folder for the program, its stub and all files that it writes: relative paths are the same on both systems.
here=$(mktemp -d)
export WINEPREFIX=$here/wine WINEDEBUG=-all WINESERVER=$server
trap '"$server" -k || true; rm -rf "$here"' EXIT
cp "$target/$triple/${profile/%dev/debug}/emilia.exe" "$here"
fforum=$PWD/tests/data/fforum-1-19.obf
suite=$PWD/perft/convention-a.perft
cd "$here"

# Wine 8 lacks bcryptprimitives.dll, from which Rust's standard library takes its random numbers.
cat >stub.c <<'C'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID data, ULONG size);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) { return SystemFunction036(data, (ULONG)size); }
C
"$compiler" -shared -o bcryptprimitives.dll stub.c -ladvapi32
"$wine" wineboot --init >wineboot.log 2>&1 || skip "Wine does not start: $(tail -n 1 wineboot.log)"

# Wine starts programs by their names on its own drives; lines end in CR LF where Windows has them.
emilia() { timeout 120 "$wine" ./emilia.exe "$@" 2>>stderr.log | tr -d '\r'; }

checks=0 failures=0
# Runs the function NAME and looks for the line PATTERN (of grep -E) in its output.
check() {
    local name=$1 pattern=$2
    local output
    checks=$((checks + 1))
    output=$("$name" 2>&1) || true
    if grep -qE -- "$pattern" <<<"$output"; then
        echo "ok      $name: $(grep -m 1 -E -- "$pattern" <<<"$output" | cut -c 1-90)"
    else
        failures=$((failures + 1))
        printf 'FAILED  %s: expected a line like %s in\n%s\n' "$name" "$pattern" "$output"
    fi
}

version() { emilia --version; }
check version '^emilia [0-9.]+ \(x86-64'

perft() { emilia perft 9; }
check perft '^perft 9 3005288 '

cp "$suite" suite.perft
perft_suite() { emilia perft --suite suite.perft --max-nodes 100000; }
check perft_suite '^perft suite: [1-9][0-9]* passed, 0 failed$'

cp "$fforum" problems.obf
solve() { emilia solve problems.obf --threads 2; }
check solve '^solve: 19 positions, 0 wrong, '

gtp() { printf 'boardsize 8\nplay black f5\ngenmove white\nquit\n' | emilia gtp --level 6; }
check gtp '^= (D6|F6|F4)$'

nboard() { printf 'nboard 2\nset depth 6\nmove F5\nping 1\ngo\n' | emilia nboard; }
check nboard '^=== (D6|F6|F4)'

# No limit of its own: only stop ends it.
uci_stop() { { printf 'uci\nposition startpos\ngo infinite\n'; sleep 1; printf 'stop\n'; sleep 1; printf 'quit\n'; } | emilia uci; }
check uci_stop '^bestmove P@'

play() { printf 'f5\nhint 2\nsave game.sgf\nquit\n' | emilia play --level h3; }
check play 'Saved as game\.sgf'

analyze_html() { emilia analyze f5d6c3d3c4f4f6f3e6e7d7g6f8f7g5h6h4g4h3g3 --depth 6 --html game.html && head -n 1 game.html; }
check analyze_html '^<!(doctype|DOCTYPE) html>'

# The first process is killed with its player after a few games; the second plays the rest.
match=(match --first builtin:level=3 --second 'gtp:emilia.exe gtp --level 1' --games 40 --openings random:6 --out games.jsonl)
match_resumed() {
    emilia "${match[@]}" >/dev/null &
    for _ in {1..200}; do
        [ "$(wc -l 2>/dev/null <games.jsonl || echo 0)" -lt 3 ] || break
        sleep 0.1
    done
    "$server" -k || true
    wait
    emilia "${match[@]}" --resume
}
check match_resumed '^games +40, .* [1-9][0-9]* of them in the log$'
match_finished() { emilia "${match[@]}" --resume; }
check match_finished '^match: W-D-L [0-9]+-[0-9]+-[0-9]+, discs '

# An output is never an input.
refused() {
    local bytes
    bytes=$(wc -c <game.sgf)
    emilia convert --force game.sgf game.sgf || true
    [ "$(wc -c <game.sgf)" = "$bytes" ] && echo kept
}
check refused '^kept$'

echo "windows: $((checks - failures)) of $checks passed"
[ "$failures" = 0 ]
