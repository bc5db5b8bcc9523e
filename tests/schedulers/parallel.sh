#!/usr/bin/env bash
# GNU parallel: spreads jobs over 4 workers, kills one shard, has it run again, merges and compares.
# usage: parallel.sh [COMMAND…], all commands by default
set -euo pipefail
. "$(dirname "$(realpath "$0")")/jobs.sh"
command -v parallel >/dev/null && parallel --version 2>/dev/null | grep -q '^GNU parallel' ||
    { echo "skipped: GNU parallel is not installed"; exit 0; }
prepare

# shellcheck disable=SC2086
for command in ${*:-$COMMANDS}; do
    run_whole "$command"
    log=$FOLDER/$command.joblog
    spread() {
        timeout 300 parallel --will-cite -j 4 --joblog "$log" "$@" \
            'WORKER="slot {%}" bash '"$HERE/shard.sh $command {}" ::: $(seq "$SHARDS")
    }
    say "start: $command, $SHARDS shards on 4 workers"
    spread &
    job=$!
    kill_one "$command"
    code=0
    wait "$job" || code=$?
    [ "$code" = 1 ] || fail "one shard was killed, and parallel ended with $code"
    say "rerun: --resume-failed, of $(awk 'NR > 1 && $7 != 0' "$log" | wc -l) shard"
    spread --resume-failed || fail "the shard failed again"
    merge_and_compare "$command"
done
cat "$FOLDER/shards.log"
