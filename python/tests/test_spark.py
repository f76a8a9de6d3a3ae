"""Spark: a standalone cluster of two workers on this machine, one of which is killed half-way."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import engine_set
import pytest

pyspark = pytest.importorskip("pyspark")
pytest.importorskip("fsspec")
if shutil.which("java") is None:
    pytest.skip("Spark needs Java", allow_module_level=True)

import codescore  # noqa: E402
from codescore import CodeScorer  # noqa: E402
from codescore.shards import join  # noqa: E402

SPARK = Path(pyspark.__file__).parent


class Standalone:
    """A master and two workers of one core each."""

    def __init__(self, folder: Path) -> None:
        self.env = {**os.environ, "SPARK_HOME": str(SPARK), "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
        self.log = open(folder / "log", "w+", encoding="utf-8")
        self.folder = folder
        self.master = self._start("master.Master", "--host", "127.0.0.1", "--port", "0", "--webui-port", "0")
        self.url = self._said("Starting Spark master at ")
        self.workers = [
            self._start("worker.Worker", "--cores", "1", "--memory", "1g", "--webui-port", "0", "--work-dir", str(folder / f"w{i}"), self.url) for i in range(2)
        ]

    def _start(self, name: str, *words: str) -> subprocess.Popen[bytes]:
        command = [str(SPARK / "bin" / "spark-class"), f"org.apache.spark.deploy.{name}", *words]
        return subprocess.Popen(command, env=self.env, stdout=self.log, stderr=self.log, start_new_session=True)

    def _said(self, text: str) -> str:
        until = time.monotonic() + 120
        while time.monotonic() < until:
            for line in (self.folder / "log").read_text().splitlines():
                if text in line:
                    return line.split(text)[1].strip()
            time.sleep(0.1)
        raise AssertionError((self.folder / "log").read_text())

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """Kills the worker, its executor, and everything that they started."""
        for pid in tree(process.pid):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        process.wait()

    def close(self) -> None:
        for process in (*self.workers, self.master):
            self.kill(process)


def tree(pid: int) -> list[int]:
    children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False).stdout.split()
    return [pid, *(below for child in children for below in tree(int(child)))]


@pytest.fixture(scope="module")
def standalone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Standalone]:
    found = Standalone(tmp_path_factory.mktemp("spark"))
    yield found
    found.close()


@pytest.fixture(scope="module")
def spark(standalone: Standalone) -> Iterator[Any]:
    from pyspark.sql import SparkSession

    os.environ.update(standalone.env)
    builder = SparkSession.builder.master(standalone.url).config("spark.driver.host", "127.0.0.1").config("spark.ui.enabled", "false")
    paths = str(Path(codescore.__file__).parents[1])
    builder = builder.config("spark.executor.memory", "600m").config("spark.executorEnv.PYTHONPATH", paths)
    if "CODESCORE_COMMAND" in os.environ:
        builder = builder.config("spark.executorEnv.CODESCORE_COMMAND", os.environ["CODESCORE_COMMAND"])
    session = builder.getOrCreate()
    yield session
    session.stop()


def test_scores_are_those_of_the_scorer(spark: Any, rows: list[dict[str, Any]]) -> None:
    import codescore.spark

    texts = [{"place": i, **{name: row.get(name) for name in ("task_id", "candidate", "reference", "description")}} for i, row in enumerate(rows)]
    schema = "place long, task_id string, candidate string, reference string, description string"
    with CodeScorer() as scorer:
        expected = [row.get("score") for row in scorer.score(rows)]
    found = codescore.spark.score(spark.createDataFrame(texts, schema).repartition(2), rows=20).collect()
    assert [row["score"] for row in sorted(found, key=lambda row: row["place"])] == expected


def test_samples_of_a_task_run_together(spark: Any, rows: list[dict[str, Any]]) -> None:
    import codescore.spark

    texts = [{"place": i, **{name: row.get(name) for name in ("task_id", "candidate", "description")}} for i, row in enumerate(rows[:15])]
    with CodeScorer(run=True) as scorer:
        expected = [row.get("score") for row in scorer.score(texts, inputs=5)]
    frame = spark.createDataFrame(texts[::2] + texts[1::2], "place long, task_id string, candidate string, description string")
    found = codescore.spark.score(frame, options=("--run", "--inputs", "5"), rows=4).collect()
    assert [row["score"] for row in sorted(found, key=lambda row: row["place"])] == expected


def test_one_of_two_workers_killed_half_way(standalone: Standalone, spark: Any, tmp_path: Path) -> None:
    """The last test of this file, because only one worker is left afterwards."""
    import codescore.spark

    made, output = engine_set.make(tmp_path), tmp_path / "labels"
    stored: list[int] = []  # shards at the time of the kill

    def kill() -> None:
        while (count := len(list(output.glob("*.json")))) < engine_set.SHARDS // 2:
            time.sleep(0.02)
        standalone.kill(standalone.workers[1])
        stored.append(count)

    threading.Thread(target=kill, daemon=True).start()
    began = time.monotonic()
    samples = spark.read.json(made.files()).repartition(engine_set.SHARDS, "position").sortWithinPartitions("position")
    found = codescore.spark.label(samples, made.problems, output=str(output), rows=500).collect()
    print(f"{engine_set.ROWS} rows in {time.monotonic() - began:.1f} s, {len(found)} shards")
    assert stored and stored[0] < len(found), (stored, len(found))
    assert sum(row["rows"] for row in found) == engine_set.ROWS
    join(str(output), str(tmp_path / "joined.arrow"), made.shards)
    made.assert_joined(tmp_path / "joined.arrow")
