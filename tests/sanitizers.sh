#!/usr/bin/env bash
# Runs selected tests under Miri, ThreadSanitizer, AddressSanitizer with LeakSanitizer, and valgrind.
# These find undefined behaviour, data races, memory errors and leaks.
# Prints a table at the end. Exit code 1: a tool found an error.
#
#   tests/sanitizers.sh                 all tools
#   tests/sanitizers.sh miri thread     only the named tools: miri, thread, address, valgrind
#
# All tools but valgrind need nightly Rust: `rustup toolchain install nightly --component miri,rust-src`.
# A missing tool is skipped with a message. tests/SANITIZERS.md lists the tests and past findings.
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

# Regular expression of the lines with which the tools report an error.
findings='Undefined Behavior|WARNING: ThreadSanitizer|ERROR: (Address|Leak)Sanitizer|ERROR SUMMARY: [1-9]'

# Usage: check TOOL WHAT COMMAND... Runs a command and adds a row with its result to the table.
check() {
    local tool=$1 what=$2 start=$SECONDS result=clean tests
    shift 2
    printf '\n== %s: %s\n%s\n' "$tool" "$what" "$*"
    if ! "$@" 2>&1 | tee "$log"; then
        result="exit code ${PIPESTATUS[0]}"
    fi
    # Searched even after exit code 0, because a child process may have reported an error.
    if grep -qE "$findings" "$log"; then
        result="findings: $(grep -cE "$findings" "$log")"
    fi
    tests=$(awk '/^test result:/ { passed += $4 } END { print passed ? passed : "-" }' "$log")
    # A filter that matches no test is a check that was not made.
    if [ "$tests" = - ] && [ "$tool" != valgrind ]; then
        result="no test was run"
    fi
    [ "$result" = clean ] || verdict=1
    rows+=$'\n'"$tool"$'\t'"$what"$'\t'"$tests"$'\t'"$result"$'\t'"$((SECONDS - start))"
}

skip() {
    echo "skipped: $1: $2"
    rows+=$'\n'"$1"$'\t-\t-\tskipped: '"$2"$'\t-'
}

has_nightly() { cargo +nightly "$@" --version >/dev/null 2>&1; }

# Miri: code with `unsafe` and structures that threads share.
# Loops of these tests are shorter under Miri (`board::testing::rounds`).
miri() {
    has_nightly miri || { skip miri "no nightly with miri"; return; }
    local run=(cargo +nightly miri test --target-dir "$target/sanitizers" --lib)
    local core=("${run[@]}" -p emilia-core --)
    export MIRIFLAGS=-Zmiri-disable-isolation RUSTFLAGS="-C target-cpu=x86-64-v3"
    check miri "AVX2 and portable twins" "${core[@]}" fast_and_portable backends_agree last_flip
    check miri "tables, queues" \
        "${core[@]}" search::table count_is_independent_of_the_table_size search::memory value_cache work::
    check miri "search by several threads" "${core[@]}" search::tests::parallel::every_window
    check miri "messages of the C library" "${run[@]}" -p emilia-capi -- long_messages
    unset MIRIFLAGS RUSTFLAGS
}

# Usage: sanitized SANITIZER ARGUMENT... Runs `cargo test` with a sanitizer.
# Tests request tables that no machine has: the sanitizers return null for them, as the system does.
sanitized() {
    local sanitizer=$1 std=()
    shift
    # ThreadSanitizer must instrument the standard library as well, because it contains the locks of the program.
    [ "$sanitizer" = thread ] && std=(-Zbuild-std)
    local options=allocator_may_return_null=1
    ASAN_OPTIONS=$options TSAN_OPTIONS=$options RUSTFLAGS="-Zsanitizer=$sanitizer -C target-cpu=x86-64-v3" \
        cargo +nightly test "${std[@]}" --target $triple --target-dir "$target/sanitizers-$sanitizer" "$@"
}

# ThreadSanitizer: all code with several threads. EMILIA_SOAK_ROUNDS sets the number of stopped searches (default 200).
thread() {
    has_nightly || { skip thread "no nightly"; return; }
    check thread "searches, queues" sanitized thread --lib -p emilia-core -- search::table search::tests::parallel perft:: work::
    check thread "protocols, players, the C library" sanitized thread --lib -p emilia-protocol -p emilia-player -p emilia-capi
    check thread "stopped searches, four engines" sanitized thread -p emilia-core --test engine -- soak::
}

# AddressSanitizer and LeakSanitizer: the crates with `unsafe` and with libraries in C, and the sessions.
address() {
    has_nightly || { skip address "no nightly"; return; }
    check address "engine, C library, files" sanitized address --lib -p emilia-core -p emilia-capi -p emilia-files
    check address "sessions" sanitized address --test cli -- gtp:: nboard:: uci:: cassio:: clients:: hostile::
}

# Valgrind's memcheck: short runs of the uninstrumented binary, with huge pages.
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
        "$(sed -n '2s,;.*,,p' tests/data/fforum-1-19.obf)"
    check valgrind "perft with two threads" "${memcheck[@]}" perft 6 --threads 2
    check valgrind "a comparison" "${memcheck[@]}" compare --game tree "[[-5, 1, -7], [3, -9, x]]"
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
