"""Ray: two raylets on this machine, one of which is killed half-way."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import engine_set
import pytest

ray = pytest.importorskip("ray")
pytest.importorskip("ray.data")
pytest.importorskip("fsspec")

from codescore import CodeScorer  # noqa: E402
from codescore.shards import join  # noqa: E402


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    store = 150 * 2**20
    found = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "object_store_memory": store})
    found.second = found.add_node(num_cpus=2, object_store_memory=store)
    ray.init(address=found.address, log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield found
    ray.shutdown()
    found.shutdown()


def test_labels_and_scores_are_one_machine_s(cluster: Any, tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    import codescore.ray

    with CodeScorer() as scorer:
        expected = [row.get("score") for row in scorer.score(rows)]
    texts = [{"place": i, **{name: row.get(name) for name in ("task_id", "candidate", "reference", "description")}} for i, row in enumerate(rows)]
    scored = codescore.ray.score(ray.data.from_items(texts), rows=20, concurrency=1)
    assert [row["score"] for row in sorted(scored.take_all(), key=lambda row: row["place"])] == expected


def test_samples_of_a_task_run_together(cluster: Any, rows: list[dict[str, Any]]) -> None:
    import codescore.ray

    texts = [{"place": i, **{name: row.get(name) for name in ("task_id", "candidate", "description")}} for i, row in enumerate(rows[:15])]
    with CodeScorer(run=True) as scorer:
        expected = [row.get("score") for row in scorer.score(texts, inputs=5)]
    scored = codescore.ray.score(ray.data.from_items(texts[::2] + texts[1::2]), options=("--run", "--inputs", "5"), concurrency=1)
    assert [row["score"] for row in sorted(scored.take_all(), key=lambda row: row["place"])] == expected


def test_workers_read_their_files_on_all_cpus(cluster: Any, tmp_path: Path) -> None:
    import codescore.ray

    made, output = engine_set.make(tmp_path), tmp_path / "labels"
    dataset = ray.data.read_json(made.files(), override_num_blocks=engine_set.SHARDS)
    labelled = codescore.ray.label(dataset, made.problems, output=str(output), concurrency=4, blocks=True)
    found = labelled.take_all()
    assert "ReadArrowJSON->MapBatches" in labelled.stats()
    assert [row["rows"] for row in found] == [engine_set.ROWS // engine_set.SHARDS] * engine_set.SHARDS
    join(str(output), str(tmp_path / "joined.arrow"), made.shards)
    made.assert_joined(tmp_path / "joined.arrow")


def test_one_of_two_raylets_killed_half_way(cluster: Any, tmp_path: Path) -> None:
    """The last test of this file, because only one raylet is left afterwards."""
    import codescore.ray

    made, output = engine_set.make(tmp_path), tmp_path / "labels"
    stored: list[int] = []  # shards at the time of the kill

    def kill() -> None:
        while (count := len(list(output.glob("*.json")))) < engine_set.SHARDS // 2:
            time.sleep(0.02)
        (raylet,) = cluster.second.all_processes["raylet"]
        os.kill(raylet.process.pid, signal.SIGKILL)
        stored.append(count)

    threading.Thread(target=kill, daemon=True).start()
    began = time.monotonic()
    dataset = ray.data.read_json(made.files(), override_num_blocks=engine_set.SHARDS)
    shard = engine_set.ROWS // engine_set.SHARDS  # larger ones would join the blocks of a small set, and then no half could be stored
    labelled = codescore.ray.label(dataset, made.problems, output=str(output), rows=shard, concurrency=2)
    found = labelled.take_all()
    print(f"{engine_set.ROWS} rows in {time.monotonic() - began:.1f} s, {len(found)} shards")
    assert stored and stored[0] < len(found), (stored, len(found))
    assert sum(row["rows"] for row in found) == engine_set.ROWS
    join(str(output), str(tmp_path / "joined.arrow"), made.shards)
    made.assert_joined(tmp_path / "joined.arrow")
