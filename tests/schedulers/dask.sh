#!/usr/bin/env bash
# Dask: runs the shards of each command on 4 workers of a local scheduler and kills one worker in the middle.
# Dask runs the shard of that worker again on another one. The merged result must equal that of one run.
# Usage: dask.sh [COMMAND...]. Default: all commands with --shard.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/jobs.sh"
python3 -c 'import distributed' 2>/dev/null || { echo "skipped: Dask is not installed (pip install distributed)"; exit 0; }
prepare
export HERE

GROUPS_STARTED=()
stop() {
    kill "${job:-}" 2>/dev/null || true
    for group in "${GROUPS_STARTED[@]}"; do kill -9 -- "-$group" 2>/dev/null || true; done
    sleep 0.5
    rm -rf "$FOLDER"
}
trap stop EXIT
trap 'exit 1' TERM INT

# Usage: start NAME MODULE ARGUMENT... Starts a Dask process in a new process group.
# Killing the group simulates a machine that fails.
start() {
    local name=$1
    shift
    setsid timeout 1200 python3 -m distributed.cli."$@" >"$FOLDER/$name.out" 2>&1 &
    GROUPS_STARTED+=($!)
    disown
    say "start: $name, process group $!"
}

start scheduler dask_scheduler --host 127.0.0.1 --port 0 --no-dashboard --scheduler-file "$FOLDER/scheduler.json"
worker() {
    start "$1" dask_worker --scheduler-file "$FOLDER/scheduler.json" --name "$1" --nthreads 1 --no-nanny --no-dashboard \
        --local-directory "$FOLDER"
}
for ((tries = 0; tries < 600; tries++)); do [ -s "$FOLDER/scheduler.json" ] && break; sleep 0.1; done
address=$(sed -nE 's/.*"address": "(tcp:[^"]*)".*/\1/p' "$FOLDER/scheduler.json" | head -n 1)
for number in 1 2 3 4; do worker "worker-$number"; done

number=4
# shellcheck disable=SC2086
for command in ${*:-$COMMANDS}; do
    run_whole "$command"
    say "start: $command, $SHARDS shards on 4 workers"
    timeout 300 python3 "$HERE/dask_client.py" "$address" "$command" "$SHARDS" &
    job=$!
    stop_one "$command"
    group=$(ps -o pgid= "$RUNNING" | tr -d ' ')
    kill -9 -- "-$group"
    say "kill: process group $group, the worker of $VICTIM"
    rm -f "$FOLDER/$VICTIM.part.pid"
    wait "$job" || fail "the job ended with $?"
    [ -e "$FOLDER/$VICTIM.part.done" ] || fail "$VICTIM was not run again"
    say "rerun: $(grep "shard ${VICTIM##*-}/$SHARDS of $command:" "$FOLDER/shards.log")"
    merge_and_compare "$command"
    number=$((number + 1))
    worker "worker-$number"
done
cat "$FOLDER/shards.log"
