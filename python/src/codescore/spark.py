"""Labels and scores for Spark data frames: `import codescore.spark`. Spark schedules, retries and stores; see docs/clusters.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Optional

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.types import DoubleType, LongType, StringType, StructField, StructType

from .shards import Store
from .worker import CHARACTERS, ROWS, Paths, Task, Worker, beside, cut, located, scoring

_LONG, _DOUBLE, _STRING = LongType(), DoubleType(), StringType()


def label(
    frame: DataFrame,
    problems: Paths,
    *,
    output: Optional[str] = None,
    options: Sequence[str] = (),
    rows: int = ROWS,
    characters: int = CHARACTERS,
    cores: int = 1,
    command: Optional[Sequence[str]] = None,
) -> DataFrame:
    """As `codescore.ray.label`. Each partition has one worker; `cores` are those of a task (`spark.task.cpus`)."""
    task = Task("label", ("--workers", str(cores), *options), located(problems), command, rows, characters)

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with Worker(task) as worker:
            store = None if output is None else Store(output)
            for table in _tables(batches, task):
                done = store.label(worker, table) if store is not None else pa.concat_tables([shard.rows for shard in worker.run(table)])
                yield from done.combine_chunks().to_batches()

    return frame.mapInArrow(work, _struct(_LABELLED if output is None else _STORED))


def score(
    frame: DataFrame,
    *,
    options: Sequence[str] = (),
    rows: int = ROWS,
    characters: int = CHARACTERS,
    cores: int = 1,
    command: Optional[Sequence[str]] = None,
) -> DataFrame:
    """As `codescore.ray.score`."""
    words = scoring(options, str(cores))
    joint = "--run" in words or "--consensus" in words
    task = Task("score", words, (), command, rows, characters, "task_id" if joint else None)

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with Worker(task) as worker:
            for table in _tables(batches, task):
                for shard in worker.run(table):
                    yield from beside(shard).combine_chunks().to_batches()

    given = frame.repartition("task_id").sortWithinPartitions("task_id") if joint else frame
    added = _struct(_SCORED)
    kept = [column for column in given.schema.fields if column.name not in added.names]
    return given.mapInArrow(work, StructType([*kept, *added.fields]))


def _tables(batches: Iterator[pa.RecordBatch], task: Task) -> Iterator[pa.Table]:
    """Shards across the batches of a partition, because Spark sizes its batches by its own rule."""
    return cut((pa.Table.from_batches([batch]) for batch in batches), task)


def _struct(columns: dict[str, Any]) -> StructType:
    return StructType([StructField(name, kind, True) for name, kind in columns.items()])


_LABELLED = {
    "position": _LONG,
    **dict.fromkeys(("task_id", "sample_id", "source", "made_by"), _STRING),
    "temperature": _DOUBLE,
    **dict.fromkeys(("candidate", "reference", "description"), _STRING),
    "pass_ratio": _DOUBLE,
    **dict.fromkeys(("executable", "n_tests", "n_passed", "n_opaque", "passes_base"), _LONG),
    **dict.fromkeys(("status", "first_error", "reason"), _STRING),
    "weight": _DOUBLE,
    **dict.fromkeys(("error_code", "error"), _STRING),
}
_STORED = {"path": _STRING, "rows": _LONG, "infra": _LONG, "faults": _LONG}
_SCORED = {
    **dict.fromkeys(("score", "exec", "low", "high"), _DOUBLE),
    **dict.fromkeys(("conclusion", "reason"), _STRING),
    **dict.fromkeys(("consensus", "pass", "agree"), _DOUBLE),
    **dict.fromkeys(("inputs", "examples_passed", "examples"), _LONG),
    "samples": _DOUBLE,
    "counterexample": _STRING,
    "abstained": _LONG,
    "format": _STRING,
    **dict.fromkeys(("cut_candidate", "cut_reference", "cut_description"), _LONG),
    **dict.fromkeys(("signature", "notes", "error", "error_code"), _STRING),
}
