#!/usr/bin/env bash
# Slurm: runs the shards of each command as a job array, 4 at a time, and kills one shard in the middle.
# Slurm runs that shard again. The merged result must equal that of one run.
# Starts a private cluster of one node (munged, slurmctld, slurmd) in a temporary folder. Needs root for slurmd.
# Usage: slurm.sh [COMMAND...]. Default: all commands with --shard.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/jobs.sh"
for program in munged slurmctld slurmd sbatch; do
    PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || { echo "skipped: $program is not installed (Debian: slurm-wlm)"; exit 0; }
done
[ "$(id -u)" = 0 ] || { echo "skipped: slurmd needs root"; exit 0; }
export PATH=$PATH:/usr/sbin
prepare

DAEMONS=()
stop() {
    scancel --user=root 2>/dev/null || true
    for pid in "${DAEMONS[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait
    rm -rf "$FOLDER"
}
trap stop EXIT
trap 'exit 1' TERM INT

# Starts a daemon in its foreground mode as a child process and registers it for the cleanup.
daemon() {
    timeout 1200 "$@" >"$FOLDER/$1.out" 2>&1 &
    DAEMONS+=($!)
    say "start: $1, process $!"
}

chmod 755 "$FOLDER"
mkdir "$FOLDER/state" "$FOLDER/spool"
dd if=/dev/urandom of="$FOLDER/munge.key" bs=128 count=1 status=none
chmod 400 "$FOLDER/munge.key"
PORT=$((20000 + $$ % 20000))
# A requeued shard waits for cred_expire seconds. The default is 120.
cat >"$FOLDER/slurm.conf" <<END
ClusterName=emilia
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$FOLDER/munge.socket,cred_expire=5
CredType=cred/munge
SlurmctldPort=$PORT
SlurmdPort=$((PORT + 1))
StateSaveLocation=$FOLDER/state
SlurmdSpoolDir=$FOLDER/spool
SlurmctldPidFile=$FOLDER/slurmctld.pid
SlurmdPidFile=$FOLDER/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
SlurmdParameters=config_overrides
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF=$FOLDER/slurm.conf

daemon munged --foreground --force --key-file="$FOLDER/munge.key" --socket="$FOLDER/munge.socket" \
    --pid-file="$FOLDER/munged.pid" --log-file="$FOLDER/munged.log" --seed-file="$FOLDER/munged.seed"
for ((tries = 0; tries < 100; tries++)); do [ -S "$FOLDER/munge.socket" ] && break; sleep 0.1; done
daemon slurmctld -D -f "$SLURM_CONF"
daemon slurmd -D -f "$SLURM_CONF" -N "$(hostname -s)"
for ((tries = 0; tries < 300; tries++)); do
    [[ $(timeout 10 sinfo -h -o %T 2>/dev/null) == idle ]] && break
    sleep 0.2
done
sinfo -h -o '%n %T, %c CPUs' || { tail -n 20 "$FOLDER"/*.out; fail "the cluster did not start"; }

# Script of an array task, which runs one shard. A failed task requeues itself, which needs no administrator rights.
cat >"$FOLDER/task.sh" <<END
#!/bin/bash
export WORKER="Slurm job \$SLURM_JOB_ID on \$(hostname -s), restarts \${SLURM_RESTART_COUNT:-0}"
bash $HERE/shard.sh \$1 \$SLURM_ARRAY_TASK_ID ||
    scontrol requeue \${SLURM_ARRAY_JOB_ID}_\$SLURM_ARRAY_TASK_ID
END

# shellcheck disable=SC2086
for command in ${*:-$COMMANDS}; do
    run_whole "$command"
    job=$(timeout 30 sbatch --parsable --requeue --open-mode=append --array="1-$SHARDS%4" --cpus-per-task=1 \
        --chdir="$FOLDER" --output="$FOLDER/$command.slurm" "$FOLDER/task.sh" "$command")
    say "start: $command, job array $job with $SHARDS tasks, 4 at a time"
    kill_one "$command"
    for ((tries = 0; tries < 300; tries++)); do
        sleep 1
        [ -n "$(timeout 30 squeue -h -j "$job")" ] || break
    done
    requeued=$(timeout 30 scontrol -o show job "$job" | grep -cE 'Restarts=[1-9]' || true)
    say "rerun: $requeued of $SHARDS tasks were started again by Slurm"
    [ "$requeued" = 1 ] || { cat "$FOLDER/$command.slurm"; fail "one task was killed, and $requeued were started again"; }
    merge_and_compare "$command"
done
cat "$FOLDER/shards.log"
