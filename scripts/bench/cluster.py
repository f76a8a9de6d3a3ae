"""Measures the cost of labelling on a cluster (docs/clusters.md): parallel workers, several shard sizes, and a worker's memory over many rows.

Prints JSON lines. On a busy machine CPU seconds are more reliable than wall time: run it in a separate cgroup, which counts the programs too.

    PYTHONPATH=python/src python scripts/bench/cluster.py --rows 20000 --workers 2 --shard 500
    PYTHONPATH=python/src python scripts/bench/cluster.py --rows 200000 --shard 1000 --memory
    PYTHONPATH=python/src python scripts/bench/cluster.py --problems P --samples S --shard 500

Without --samples it generates programs of one or two lines. Each takes a third of a millisecond in the sandbox.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, SimpleQueue

import pyarrow as pa

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python" / "tests"))
import engine_set  # noqa: E402

from codescore.shards import read_lines  # noqa: E402
from codescore.worker import Task, Worker, located  # noqa: E402


def made(rows: int, shard: int) -> Iterator[pa.Table]:
    """Generates programs that all differ and run to the end."""
    for start in range(0, rows, shard):
        numbers = range(start, min(rows, start + shard))
        tasks = [n * 7919 % engine_set.TASKS for n in numbers]
        bodies = [f"    y = {n}\n    return x + {k} + y - {n - n % 2}\n" for n, k in zip(numbers, tasks)]
        yield pa.table({"position": list(numbers), "task_id": [f"T/{k}" for k in tasks], "sample_id": [str(n) for n in numbers], "completion": bodies})


def resident_mb(pid: int) -> float:
    """Resident memory of a process and its descendants, in MB. Shared memory counts once per process."""
    children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False).stdout.split()
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return 0.0
    own = next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS")), 0.0)
    return own + sum(resident_mb(int(child)) for child in children)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", action="append")
    parser.add_argument("--samples", action="append", help="files of codescore datasets shard")
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--shard", type=int, default=500)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--memory", action="store_true", help="print the worker's memory after every tenth shard")
    asked, options = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as folder:
        problems = asked.problems or [engine_set.write_problems(Path(folder))]
        tables = (table for path in asked.samples for table in parts(read_lines(path), asked.shard)) if asked.samples else made(asked.rows, asked.shard)
        task = Task("label", ("--workers", "1", *options), located(problems), rows=asked.shard)
        waiting: SimpleQueue[pa.Table] = SimpleQueue()
        for table in tables:
            waiting.put(table)
        lock, done = threading.Lock(), {"rows": 0, "shards": 0}

        def work() -> None:
            with Worker(task) as worker:
                while True:
                    try:
                        table = waiting.get_nowait()
                    except Empty:
                        return
                    rows = sum(shard.rows.num_rows for shard in worker.run(table))
                    with lock:
                        done["rows"] += rows
                        done["shards"] += 1
                    if asked.memory and done["shards"] % 10 == 0 and worker._process is not None:
                        print(json.dumps({"rows": done["rows"], "mb": round(resident_mb(worker._process.pid))}), flush=True)

        began = time.monotonic()
        threads = [threading.Thread(target=work) for _ in range(asked.workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        wall = time.monotonic() - began
    found = {**done, "workers": asked.workers, "wall_s": round(wall, 1)}
    print(json.dumps(found))


def parts(table: pa.Table, rows: int) -> Iterator[pa.Table]:
    for start in range(0, table.num_rows, rows):
        yield table.slice(start, rows)


if __name__ == "__main__":
    main()
