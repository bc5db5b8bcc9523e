#!/usr/bin/env bash
# Runs the fuzz targets one after the other. Needs nightly Rust and cargo-fuzz.
# Usage: run.sh [SECONDS [TARGET...]]. Default: ten minutes, divided among all targets.
# Skips a target whose last run took at least SECONDS, so that an interrupted run can be resumed.
# Logs, corpus and findings are in target/fuzz. The last lines are the rows of the table in README.md.
set -euo pipefail
cd "$(dirname "$0")/../.."
mapfile -t targets < <(sed -n 's/^    ("\([a-z]*\)", .*/\1/p' tests/fuzz/src/laws/mod.rs)
seconds=${1:-$((600 / ${#targets[@]}))}
[ $# -lt 2 ] || targets=("${@:2}")
out=${CARGO_TARGET_DIR:-target}/fuzz
programs=$out/$(rustc -vV | sed -n 's/^host: //p')/release
mkdir -p "$out/logs" "$out/found"

# A small quarantine of freed memory: a large one takes most of the time of targets that allocate tables.
# tests/sanitizers.sh looks for leaks.
export ASAN_OPTIONS=${ASAN_OPTIONS:-quarantine_size_mb=8:thread_local_quarantine_size_kb=64:malloc_context_size=4:detect_leaks=0}
cargo +nightly fuzz build --fuzz-dir tests/fuzz --target-dir "$out"
verdict=0
for target in "${targets[@]}"; do
    log=$out/logs/$target
    had=$(sed -n 's/^Done [0-9]* runs in \([0-9]*\) second.*/\1/p' "$log" 2>/dev/null || true)
    if [ "${had:-0}" -lt "$seconds" ]; then
        mkdir -p "$out/corpus/$target" "tests/fuzz/findings/$target"
        # A finding ends the run of its target.
        # -entropic_scale_per_exec_time=1 mutates slow inputs less often. Without it `weights` mutates whole files only.
        EMILIA_TARGET=$target nice -n 19 "$programs/emilia-fuzz" "$out/corpus/$target" "tests/fuzz/seeds/$target" "tests/fuzz/findings/$target" \
            -max_total_time="$seconds" -timeout=60 -report_slow_units=60 -rss_limit_mb=2048 \
            -max_len=8192 -entropic_scale_per_exec_time=1 -dict=tests/fuzz/words.dict \
            -artifact_prefix="$out/found/$target-" >"$log" 2>&1 || { verdict=1; tail -n 40 "$log"; }
    fi
done

for target in "${targets[@]}"; do
    log=$out/logs/$target
    [ -e "$log" ] || continue
    runs=$(sed -n 's/^Done \([0-9]*\) runs in \([0-9]*\) second.*/\1 | \2/p' "$log")
    edges=$(sed -n 's/^#.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -1)
    echo "| \`$target\` | ${runs:-ended by a finding | } | ${edges:-} | $(find "$out/found" -name "$target-*" | wc -l) |"
done
exit $verdict
