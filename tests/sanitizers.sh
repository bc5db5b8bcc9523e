#!/usr/bin/env bash
# Undefined behaviour, data races, memory errors and leaks: chosen tests under Miri, ThreadSanitizer, AddressSanitizer (which
# looks for leaks too) and valgrind. Ends with a table of what ran; exit code 1 if anything was found.
#
#   tests/sanitizers.sh                 all of it
#   tests/sanitizers.sh miri thread     some: miri, thread, address, valgrind
#
# Needs a nightly Rust (`rustup toolchain install nightly --component miri,rust-src`) for all but the last, and for that
# Debian's valgrind. What is not there is skipped with a sentence. What the tests are and what was found: tests/SANITIZERS.md.
set -uo pipefail
cd "$(dirname "$0")/.."
exec </dev/null

[ $# -gt 0 ] || set -- miri thread address valgrind
target=${CARGO_TARGET_DIR:-target}
triple=x86_64-unknown-linux-gnu
log=$(mktemp)
trap 'rm -f "$log"' EXIT
rows=$'tool\twhat\ttests\tresult\tseconds'
verdict=0

# What a run found, in the words of the tools.
findings='Undefined Behavior|WARNING: ThreadSanitizer|ERROR: (Address|Leak)Sanitizer|ERROR SUMMARY: [1-9]'

# Runs a command under TOOL and takes down what came of it.
check() {
    local tool=$1 what=$2 start=$SECONDS result=clean tests
    shift 2
    printf '\n== %s: %s\n%s\n' "$tool" "$what" "$*"
    if ! "$@" 2>&1 | tee "$log"; then
        result="exit code ${PIPESTATUS[0]}"
    fi
    # Those of children whose exit code nobody asks for, too.
    if grep -qE "$findings" "$log"; then
        result="findings: $(grep -cE "$findings" "$log")"
    fi
    [ "$result" = clean ] || verdict=1
    tests=$(awk '/^test result:/ { passed += $4 } END { print passed ? passed : "-" }' "$log")
    rows+=$'\n'"$tool"$'\t'"$what"$'\t'"$tests"$'\t'"$result"$'\t'"$((SECONDS - start))"
}

skip() {
    echo "skipped: $1: $2"
    rows+=$'\n'"$1"$'\t-\t-\tskipped: '"$2"$'\t-'
}

has_nightly() { cargo +nightly "$@" --version >/dev/null 2>&1; }

# Miri: everything with `unsafe`, and every structure that threads share. Loops in these tests are shorter under Miri
# (`board::testing::rounds`). Not the features `cli` and `huge-pages`: Miri knows no madvise.
miri() {
    has_nightly miri || { skip miri "no nightly with miri"; return; }
    local flags="-C target-cpu=x86-64-v3"
    local run=(cargo +nightly miri test --target-dir "$target/sanitizers" --no-default-features --features "arena,train" --lib --)
    export MIRIFLAGS=-Zmiri-disable-isolation
    RUSTFLAGS=$flags check miri "AVX2 and portable twins" "${run[@]}" fast_and_portable backends_agree last_flip
    RUSTFLAGS="-C target-cpu=x86-64" check miri "portable twins alone" "${run[@]}" fast_and_portable last_flip
    RUSTFLAGS=$flags check miri "tables, queues" \
        "${run[@]}" search::table a_table_far_too_small search::memory value_cache work::
    RUSTFLAGS=$flags check miri "search by several threads" "${run[@]}" search::tests::parallel::every_window
    RUSTFLAGS=$flags check miri "endgame, statistics, files" \
        "${run[@]}" endgame::tests::scores_are_those_of_negamax_in_every statistics files:: --skip error_rates --skip hold_the_truth --skip all_small
    RUSTFLAGS=$flags check miri "structs of the C library" "${run[@]/arena,train/capi}" capi::border
    unset MIRIFLAGS
}

# A test run with a sanitizer.
sanitized() {
    local sanitizer=$1 std=()
    shift
    # A race may be between the program and the standard library, which synchronises it: both are watched.
    [ "$sanitizer" = thread ] && std=(-Zbuild-std)
    RUSTFLAGS="-Zsanitizer=$sanitizer -C target-cpu=x86-64-v3" \
        cargo +nightly test "${std[@]}" --target $triple --target-dir "$target/sanitizers-$sanitizer" "$@"
}

# ThreadSanitizer: what has several threads. EMILIA_SOAK_SECONDS lengthens the last run.
thread() {
    has_nightly || { skip thread "no nightly"; return; }
    check thread "searches, players, queues, training" sanitized thread --lib -- \
        search::table search::tests::parallel perft:: work:: protocol:: player:: arena::game_queue train::
    check thread "the C library" sanitized thread --features capi --lib -- capi::
    check thread "sessions" sanitized thread --test gtp --test nboard --test uci --test ponder
    check thread "400 stopped searches, four engines" sanitized thread --test soak
    EMILIA_SOAK_SECONDS=${EMILIA_SOAK_SECONDS:-60} check thread "the soak, for a while" \
        sanitized thread --test soak -- --ignored
}

# AddressSanitizer and LeakSanitizer: the library, the perft suites, the sessions.
address() {
    has_nightly || { skip address "no nightly"; return; }
    check address "the library" sanitized address --lib
    check address "the C library" sanitized address --features capi --lib -- capi::
    check address "perft suites" sanitized address --test perft
    check address "sessions" sanitized address --test gtp --test nboard --test uci --test ponder
    # Without the test that looks at the memory: the sanitizer keeps what was freed.
    check address "hostile input" sanitized address --test hostile --test attack -- --skip a_flood
}

# Valgrind's memcheck: short jobs of the binary as it is built, huge pages included.
valgrind_binary() {
    command -v valgrind >/dev/null || { skip valgrind "not installed"; return; }
    cargo build || { verdict=1; return; }
    local memcheck=(valgrind --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,indirect
        --suppressions=tests/valgrind.supp "$target/debug/emilia")
    check valgrind "a GTP session, two threads" \
        "${memcheck[@]}" gtp --threads 2 --hash 2 --depth 6 < <(
            printf '%s\n' name "boardsize 8" "clear_board" "genmove b" "genmove w" undo showboard quit
        )
    check valgrind "an ending solved" "${memcheck[@]}" solve --threads 2 --hash 2 \
        "--XXXXX--OOOXX-O-OOOXXOX-OXOXXOXOXXOXOXX-XXXOOX---OOXX--OOOOO-- X"
    check valgrind "perft with a table" "${memcheck[@]}" perft 6 --hash 1 --threads 2
    check valgrind "a picture" "${memcheck[@]}" show f5d6c3d3c4 --png "$log.png"
    rm -f "$log.png"
}

for tool; do
    case $tool in
    miri | thread | address | valgrind) ;;
    *) echo "no such tool: $tool (expected miri, thread, address or valgrind)"; exit 2 ;;
    esac
done
for tool; do
    case $tool in
    valgrind) valgrind_binary ;;
    *) $tool ;;
    esac
done

printf '\n'
column -t -s $'\t' <<<"$rows"
exit $verdict
