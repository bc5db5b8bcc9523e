#!/usr/bin/env bash
# GNU parallel: runs the shards of each command on 4 workers and kills one shard in the middle.
# --resume-failed runs that shard again. The merged result must equal that of one run.
# Usage: parallel.sh [COMMAND...]. Default: all commands with --shard.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/jobs.sh"
command -v parallel >/dev/null && parallel --version 2>/dev/null | grep -q '^GNU parallel' ||
    { echo "skipped: GNU parallel is not installed"; exit 0; }
prepare
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$FOLDER"' EXIT
trap 'exit 1' TERM INT

# shellcheck disable=SC2086
for command in ${*:-$COMMANDS}; do
    run_whole "$command"
    log=$FOLDER/$command.joblog
    # Runs in the background, so that bash handles signals at once in `wait`.
    spread() {
        timeout 300 parallel --will-cite -j 4 --joblog "$log" "${@:2}" \
            'WORKER="slot {%}" bash '"$HERE/shard.sh $1 {}" ::: $(seq "$SHARDS") &
        job=$!
    }
    say "start: $command, $SHARDS shards on 4 workers"
    spread "$command"
    kill_one "$command"
    code=0
    wait "$job" || code=$?
    [ "$code" = 1 ] || fail "one shard was killed, and parallel ended with $code"
    say "rerun: --resume-failed, of $(awk 'NR > 1 && $7 != 0' "$log" | wc -l) shard"
    spread "$command" --resume-failed
    wait "$job" || fail "the shard failed again"
    merge_and_compare "$command"
done
cat "$FOLDER/shards.log"
