"""Measures where the CPU time of labelling on Ray goes (docs/clusters.md): two raylets on this machine, and one process for comparison.

Prints JSON lines: CPU seconds by kind of process, while Ray is idle, while it labels, and of a single worker without Ray. Needs root, and a
cgroup (version 1 or 2) that can be created, which counts the programs too.

    PYTHONPATH=python/src python scripts/bench/ray_cpu.py --problems P --samples shards/*.jsonl --rows 200
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

ROOT = Path("/sys/fs/cgroup")
TICKS = os.sysconf("SC_CLK_TCK")
KINDS = (
    ("gcs_server", "gcs"),
    ("raylet/raylet", "raylet"),
    ("dashboard/agent", "agent"),
    ("dashboard/dashboard", "dashboard"),
    ("dashboard.", "dashboard"),
    ("runtime_env/agent", "runtime env agent"),
    ("log_monitor", "log monitor"),
    ("monitor.py", "autoscaler"),
    ("ray::", "ray workers"),
    ("--stdio", "codescore"),
)

REST = "programs and ended"


class Group:
    """A cgroup with this process and its descendants, also those that have left its process tree."""

    def __init__(self) -> None:
        self._old = (ROOT / "cpuacct").is_dir()
        self._folder = (ROOT / "cpuacct" if self._old else ROOT) / f"codescore-{os.getpid()}"
        self._folder.mkdir()
        (self._folder / "cgroup.procs").write_text(str(os.getpid()))

    def close(self) -> None:
        """Removes the cgroup, unless something is still in it."""
        (self._folder.parent / "cgroup.procs").write_text(str(os.getpid()))
        with suppress(OSError):
            self._folder.rmdir()

    def total(self) -> float:
        if self._old:
            return int((self._folder / "cpuacct.usage").read_text()) / 1e9
        return next(int(line.split()[1]) for line in (self._folder / "cpu.stat").read_text().splitlines() if line.startswith("usage_usec")) / 1e6

    def processes(self) -> dict[str, tuple[str, float]]:
        """Kind and CPU seconds of each live process, by id."""
        found = {}
        for pid in (self._folder / "cgroup.procs").read_text().split():
            try:
                words = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
                fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            kind = "this script" if int(pid) == os.getpid() else next((name for text, name in KINDS if text in words), REST)
            found[pid] = (kind, (int(fields[11]) + int(fields[12])) / TICKS)
        return found


@contextmanager
def measured(group: Group, what: str) -> Iterator[dict[str, Any]]:
    """Prints CPU seconds by kind of process. What ended in between is in the rest."""
    before, total, began = group.processes(), group.total(), time.monotonic()
    more: dict[str, Any] = {}
    yield more
    wall = time.monotonic() - began
    spent: dict[str, float] = defaultdict(float)
    for pid, (kind, seconds) in group.processes().items():
        spent[kind] += seconds - before.get(pid, ("", 0.0))[1]
    whole = group.total() - total
    spent[REST] = whole - sum(seconds for kind, seconds in spent.items() if kind != REST)
    rounded = {kind: round(seconds, 2) for kind, seconds in sorted(spent.items(), key=lambda item: -item[1])}
    print(json.dumps({"what": what, "wall_s": round(wall, 1), **more, "cpu_s": round(whole, 2), "by_kind": rounded}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", action="append", required=True)
    parser.add_argument("--samples", nargs="+", required=True, help="files of codescore datasets shard")
    parser.add_argument("--rows", type=int, default=200, help="of a shard")
    parser.add_argument("--idle", type=float, default=20.0, help="seconds for which Ray is watched before it works")
    parser.add_argument("--runs", type=int, default=2)
    asked, options = parser.parse_known_args()
    group = Group()

    import pyarrow as pa
    from codescore.shards import read_lines
    from codescore.worker import Task, Worker, located

    task = Task("label", ("--workers", "1", *options), located(asked.problems), rows=asked.rows)
    def work(paths: list[str]) -> int:
        with Worker(task) as worker:
            return sum(shard.rows.num_rows for shard in worker.run(pa.concat_tables([read_lines(path) for path in paths])))

    with measured(group, "one process") as more:
        more["rows"] = work(asked.samples)
    with measured(group, "two processes, without Ray") as more, ThreadPoolExecutor(2) as pool:
        more["rows"] = sum(pool.map(work, (asked.samples[::2], asked.samples[1::2])))

    with measured(group, "start of Ray"):
        import codescore.ray
        import ray
        from ray.cluster_utils import Cluster

        store = 150 * 2**20
        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "object_store_memory": store})
        cluster.add_node(num_cpus=2, object_store_memory=store)
        ray.init(address=cluster.address, log_to_driver=False)
        ray.data.DataContext.get_current().enable_progress_bars = False
    with measured(group, "Ray, idle"):
        time.sleep(asked.idle)
    for _ in range(asked.runs):
        for blocks in (False, True):
            with tempfile.TemporaryDirectory() as folder, measured(group, f"two workers on Ray, blocks={blocks}") as more:
                dataset = ray.data.read_json(asked.samples, override_num_blocks=len(asked.samples))
                shards = codescore.ray.label(dataset, asked.problems, output=folder, options=options, rows=asked.rows, concurrency=2, blocks=blocks)
                done = shards.take_all()
                more.update(rows=sum(row["rows"] for row in done), shards=len(done))
    ray.shutdown()
    cluster.shutdown()
    group.close()


if __name__ == "__main__":
    sys.exit(main())
