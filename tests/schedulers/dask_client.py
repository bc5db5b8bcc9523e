"""Runs all shards of a command on a Dask scheduler. Usage: dask_client.py ADDRESS COMMAND SHARDS."""

import os
import subprocess
import sys

from distributed import Client, as_completed, get_worker


def run_shard(command: str, shard: int) -> str:
    """Runs a shard on a worker and returns its name. Raises if the shard fails; Dask then runs it again."""
    name = str(get_worker().name)
    script = os.path.join(os.environ["HERE"], "shard.sh")
    environment = dict(os.environ, WORKER=f"Dask worker {name}")
    subprocess.run(["bash", script, command, str(shard)], check=True, env=environment)
    return name


def main() -> None:
    address, command, shards = sys.argv[1:]
    with Client(address, timeout=60) as client:
        client.wait_for_workers(4, timeout=120)
        # Dask moves the shard of a dead worker to another one. `retries` repeats a shard that raised.
        shards = [
            client.submit(run_shard, command, shard, retries=3, pure=False)
            for shard in range(1, int(shards) + 1)
        ]
        names = {shard.result() for shard in as_completed(shards)}
        print(f"workers that finished shards: {', '.join(sorted(names))}")


if __name__ == "__main__":
    main()
