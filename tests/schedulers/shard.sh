#!/usr/bin/env bash
# Runs one shard: shard.sh COMMAND K. What a scheduler starts; it ends with the exit code of the shard.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/jobs.sh"
run_shard "$1" "$2"
