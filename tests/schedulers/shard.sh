#!/usr/bin/env bash
# Runs one shard for a scheduler and exits with its exit code. Usage: shard.sh COMMAND K.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/jobs.sh"
run_shard "$1" "$2"
