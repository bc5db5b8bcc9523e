# Functions of the scheduler scripts: a job for each command, its shards, and the comparison of the merged result.
# Variables: EMILIA is the program, FOLDER an empty folder for all files, SHARDS the number of shards.
# shellcheck shell=bash

# All commands that have --shard.
COMMANDS="solve eval-test perft analyze match selfplay"

# Root of the repository.
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
HERE=$ROOT/tests/schedulers

# Prints a line of the log, with the time.
say() { printf '%(%T)T %s\n' -1 "$*"; }
# Logs a failure and exits with code 1.
fail() { say "FAILED: $*"; exit 1; }

# Prints the arguments of the job for command $1. Each job takes some seconds on one core.
arguments() {
    case $1 in
        solve) echo "solve $ROOT/tests/data/fforum-20-39.obf --threads 1" ;;
        eval-test) echo "eval-test $ROOT/tests/data/cassandra-20.tsv --depth 12 --threads 1" ;;
        perft) echo "perft 12 --divide" ;;
        analyze) echo "analyze $FOLDER/games.txt --depth 10 --threads 1" ;;
        match) echo "match --first builtin:depth=7 --second builtin:depth=6 --openings random:8 --games 48" ;;
        selfplay) echo "selfplay --games 4096 --depth 2 --threads 1" ;;
        *) fail "no job for '$1'" ;;
    esac
}

# Succeeds for commands that print their results. The others write a log with --out, which a second run resumes.
prints() { [[ $1 == solve || $1 == eval-test || $1 == perft ]]; }

# Usage: run_shard COMMAND K. Runs shard K and writes its process ID to a .pid file, so that stop_one finds it.
run_shard() {
    local command=$1 k=$2 code=0 words pid
    local part=$FOLDER/$command-$k.part new=$FOLDER/$command-$k.new.$$
    read -ra words <<<"$(arguments "$command") --shard $k/$SHARDS"
    if prints "$command"; then
        # Written under a name with this process ID and renamed at the end, so a .part file is always complete.
        "$EMILIA" "${words[@]}" --json >"$new" 2>"$part.err" &
    elif [ "$command" = selfplay ]; then
        "$EMILIA" "${words[@]}" --out "$part" >"$part.err" &
    else
        "$EMILIA" "${words[@]}" --out "$part" --resume >"$part.err" &
    fi
    pid=$!
    echo "$pid" >"$part.pid"
    wait "$pid" || code=$?
    rm -f "$part.pid"
    if prints "$command"; then
        if [ "$code" = 0 ]; then mv "$new" "$part"; else rm -f "$new"; fi
    fi
    [ "$code" = 0 ] && touch "$part.done"
    say "shard $k/$SHARDS of $command: process $pid on ${WORKER:-a worker}, exit code $code" >>"$FOLDER/shards.log"
    return "$code"
}

# Stops a running shard of command $1 by SIGSTOP when at least one other shard is done.
# Sets RUNNING to its process ID and VICTIM to its name.
stop_one() {
    local command=$1 file finished
    for ((tries = 0; tries < 6000; tries++)); do
        finished=("$FOLDER/$command"-*.part.done)
        if [ -e "${finished[0]}" ]; then
            [ ${#finished[@]} -lt "$SHARDS" ] || fail "all shards were done before one could be killed"
            for file in "$FOLDER/$command"-*.part.pid; do
                read -r RUNNING 2>/dev/null <"$file" && kill -STOP "$RUNNING" 2>/dev/null || continue
                # A zombie accepts signals as well, so the state is checked: T means stopped.
                sleep 0.05
                [[ $(ps -o stat= -p "$RUNNING") == T* ]] || { kill -CONT "$RUNNING" 2>/dev/null || true; continue; }
                VICTIM=$(basename "$file" .part.pid)
                say "middle: ${#finished[@]} of $SHARDS shards are done, $VICTIM runs"
                return
            done
        fi
        sleep 0.02
    done
    fail "no running shard was found to kill"
}

# Kills a running shard of command $1 by SIGKILL.
kill_one() {
    stop_one "$1"
    kill -9 "$RUNNING"
    say "kill: process $RUNNING of $VICTIM"
}

# Runs the job of command $1 without shards; the result goes to COMMAND.whole.
run_whole() {
    local command=$1 words
    read -ra words <<<"$(arguments "$command")"
    if prints "$command"; then
        "$EMILIA" "${words[@]}" >"$FOLDER/$command.whole"
    else
        "$EMILIA" "${words[@]}" --out "$FOLDER/$command.whole" >/dev/null
    fi
}

# Usage: without_times COMMAND FILE. Prints a result without times, which differ from run to run.
# Removed: seconds and nodes per second of solve (fields 5 and 7), eval-test and perft, and the move times of match.
without_times() {
    case $1 in
        solve) cut -f1-4,6,8- "$2" | sed -E 's/^(solve: .*), [0-9.]+ s, ([0-9]+ nodes), .*/\1, \2/' ;;
        eval-test) sed -E 's/^(eval-test: .*), [0-9.]+ s,/\1,/' "$2" ;;
        perft) sed -E 's/^(perft [0-9]+ [0-9]+) .*/\1/' "$2" ;;
        match) sed -E 's/"time":[^,}]*//g' "$2" ;;
        *) cat "$2" ;;
    esac
}

# Merges the shards of command $1 and compares the result with that of one run, byte for byte without times.
merge_and_compare() {
    local command=$1
    "$EMILIA" merge "$FOLDER/$command"-*.part >"$FOLDER/$command.merged" || fail "merge of $command"
    say "merge: $(cat "$FOLDER/$command"-*.part | wc -c) bytes in $SHARDS files, $(wc -c <"$FOLDER/$command.merged") bytes merged"
    cmp <(without_times "$command" "$FOLDER/$command.whole") <(without_times "$command" "$FOLDER/$command.merged") ||
        fail "the merged result of $command differs from that of one run"
    say "comparison: equal to the result of one run: $(without_times "$command" "$FOLDER/$command.merged" | cksum)"
}

# Writes the games that the job of analyze reads.
make_games() {
    "$EMILIA" match --first builtin:depth=2 --second builtin:depth=1 --openings random:6 --games 24 \
        --transcripts "$FOLDER/games.txt" >/dev/null
}

# Finds the program and creates the folder, which is removed at exit.
prepare() {
    EMILIA=$(realpath "${EMILIA:-$ROOT/target/release/emilia}")
    [ -x "$EMILIA" ] || { echo "skipped: no program '$EMILIA' (cargo build --release, or set EMILIA)"; exit 0; }
    FOLDER=$(mktemp -d "${TMPDIR:-/tmp}/emilia-schedulers-XXXXXX")
    SHARDS=${SHARDS:-8}
    export EMILIA FOLDER SHARDS
    trap 'rm -rf "$FOLDER"' EXIT
    make_games
}
