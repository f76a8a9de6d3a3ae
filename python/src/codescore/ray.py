"""Labels and scores for Ray data sets: `import codescore.ray`. Ray schedules, retries and stores; see docs/clusters.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional, Union

import pyarrow as pa
import ray.data

from .shards import Store
from .worker import CHARACTERS, ROWS, Paths, Task, Worker, beside, located, scoring

Concurrency = Union[int, tuple[int, Optional[int]], None]


class _Actor:
    """Holds a worker, for as long as Ray keeps the actor."""

    def __init__(self, task: Task, output: Optional[str], keep: bool) -> None:
        self._worker = Worker(task)
        self._store = None if output is None else Store(output)
        self._keep = keep

    def __call__(self, table: pa.Table) -> pa.Table:
        if self._store is not None:
            return self._store.label(self._worker, table)
        return pa.concat_tables([beside(shard) if self._keep else shard.rows for shard in self._worker.run(table)])


def _pool(concurrency: Concurrency) -> ray.data.ActorPoolStrategy:
    """Ray adds workers while rows wait, and removes them again."""
    if isinstance(concurrency, int):
        return ray.data.ActorPoolStrategy(size=concurrency)
    least, most = concurrency or (1, None)
    return ray.data.ActorPoolStrategy(min_size=least, max_size=most)


def label(
    dataset: ray.data.Dataset,
    problems: Paths,
    *,
    output: Optional[str] = None,
    options: Sequence[str] = (),
    rows: int = ROWS,
    characters: int = CHARACTERS,
    concurrency: Concurrency = None,
    num_cpus: float = 1,
    blocks: bool = False,
    command: Optional[Sequence[str]] = None,
    **ray_options: Any,
) -> ray.data.Dataset:
    """Labelled rows, one per sample (`task_id` and a program, docs/formats.md), as `codescore label` writes them.

    problems: paths that every node can read, or URLs.
    output: a folder, by path or URL. Shards are stored there with manifests, for `codescore.shards.join`, and the data set has one row per
    shard; samples then need their `position`. A shard that is already there is not labelled again.
    options: options of the command, e.g. ("--expand", "50", "--sandbox", "landlock").
    rows, characters: maximum of a shard. concurrency: number of workers, or (minimum, maximum). Other options go to `map_batches`.
    blocks: every block of the data set is a shard, or several if it is larger. Workers then read files themselves: no other process reads
    them, and their rows do not pass through the object store. Use it for files of about `rows` rows, as `codescore datasets shard` writes them.
    """
    words = ("--workers", str(max(1, int(num_cpus))), *options)
    task = Task("label", words, located(problems), command, rows, characters)
    return _mapped(dataset, task, output, False, concurrency, num_cpus, blocks, ray_options)


def score(
    dataset: ray.data.Dataset,
    *,
    options: Sequence[str] = (),
    rows: int = ROWS,
    characters: int = CHARACTERS,
    concurrency: Concurrency = None,
    num_cpus: float = 1,
    blocks: bool = False,
    command: Optional[Sequence[str]] = None,
    **ray_options: Any,
) -> ray.data.Dataset:
    """The rows with the columns of `codescore score --as csv`. With `--run` or `--consensus` in the options, rows need a `task_id` to group by.

    blocks: as for `label`; no effect on rows that are grouped.
    """
    words = scoring(options, str(max(1, int(num_cpus))))
    joint = "--run" in words or "--consensus" in words
    task = Task("score", words, (), command, rows, characters, "task_id" if joint else None)
    if joint:
        groups = dataset.groupby("task_id")
        actor: dict[str, Any] = {"task": task, "output": None, "keep": True}
        return groups.map_groups(_Actor, fn_constructor_kwargs=actor, batch_format="pyarrow", compute=_pool(concurrency), num_cpus=num_cpus, **ray_options)
    return _mapped(dataset, task, None, True, concurrency, num_cpus, blocks, ray_options)


def _mapped(
    dataset: ray.data.Dataset,
    task: Task,
    output: Optional[str],
    keep: bool,
    concurrency: Concurrency,
    num_cpus: float,
    blocks: bool,
    options: dict[str, Any],
) -> ray.data.Dataset:
    return dataset.map_batches(
        _Actor,
        fn_constructor_kwargs={"task": task, "output": output, "keep": keep},
        batch_size=None if blocks else task.rows,  # Ray joins reading and labelling in one step only without a batch size
        batch_format="pyarrow",
        compute=_pool(concurrency),
        num_cpus=num_cpus,
        **options,
    )
