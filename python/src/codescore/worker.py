"""Processes shards, rows in and rows out, with `codescore VERB --stdio` as a child. Ray, Spark and shards.py use it; see docs/clusters.md.

Needs pyarrow, and fsspec if problems are fetched by URL.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Optional, Union

import pyarrow as pa

from .command import find_command
from .errors import CodescoreError

Paths = Union[str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]]]
"""Files or folders on this machine, or URLs of files that fsspec fetches."""

ROWS = 1024
CHARACTERS = 4_000_000
_ATTEMPTS = 2
_TEXTS = {
    "label": (
        *("task_id", "sample_id", "solution", "code", "completion", "generation", "generated_code"),
        *("made_by", "madeBy", "model", "original", "language", "lang"),
    ),
    "score": (
        *("id", "task_id", "candidate", "reference", "description", "entry_point", "language", "lang", "prompt"),
        *("generated_code", "golden_code", "source"),
    ),
    "expand": ("problem",),
}
_NUMBERS = {"label": {"position": pa.int64(), "temperature": pa.float64()}, "score": {}, "expand": {}}
FAULTS = ("error_code", "error")


@dataclass(frozen=True)
class Task:
    """What to do with rows. `options` are words of the command: `("--expand", "50")`."""

    verb: str
    options: Sequence[str] = ()
    problems: Sequence[str] = ()
    command: Optional[Sequence[str]] = None
    rows: int = ROWS
    """Rows of a shard at most."""
    characters: int = CHARACTERS
    """Characters of a shard's texts at most, its tokens times three or so."""
    together: Optional[str] = None
    """Rows of one value of this column, which stand one after another, go in one shard."""


@dataclass(frozen=True)
class Shard:
    """A finished shard."""

    given: pa.Table
    rows: pa.Table
    """A row for each of `given`, in order."""
    card: Mapping[str, Any] = field(default_factory=dict)
    """What a manifest says of it."""


class _WorkerDied(Exception):
    pass


class Worker:
    """A child that answers shard after shard. A child that dies is restarted; a row with which it dies twice gets an error."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self._process: Optional[subprocess.Popen[bytes]] = None
        self._reader: Any = None
        self._writer: Any = None
        self._schema: Optional[pa.Schema] = None
        self._answers: Optional[pa.Schema] = None
        self._folder: Optional[tempfile.TemporaryDirectory[str]] = None
        self.settings: Mapping[str, Any] = {}
        """How rows are made: what all manifests of this worker say alike. Known once a shard is done."""

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, table: pa.Table) -> Iterator[Shard]:
        """Processes the rows as shards, one after another. A table without rows gives one empty shard, which has the columns."""
        for part in cut([table], self.task) if table.num_rows > 0 else [table]:
            yield from self.answered(part)

    def answered(self, part: pa.Table) -> Iterator[Shard]:
        """Processes the rows as one shard, or in parts if one of the rows ends the child."""
        died: Optional[_WorkerDied] = None
        for _ in range(_ATTEMPTS):
            try:
                yield self._ask(part)
                return
            except _WorkerDied as error:
                died = error
        if part.num_rows > 1:
            middle = part.num_rows // 2
            yield from self.answered(part.slice(0, middle))
            yield from self.answered(part.slice(middle))
            return
        yield self._given_up(part, f"the worker died {_ATTEMPTS} times with this row: {died}")

    def _ask(self, part: pa.Table) -> Shard:
        rows = columns(part, self.task.verb)
        if self._process is None or rows.schema != self._schema:
            self._start(rows.schema)
        try:
            (batch,) = rows.combine_chunks().to_batches() or [pa.RecordBatch.from_pylist([], schema=rows.schema)]
            self._writer.write_batch(batch)
            self._pipe("stdin").flush()
            if self._reader is None:
                self._reader = pa.ipc.open_stream(self._pipe("stdout"))
                self.settings = _card(self._reader.schema.metadata)
                self._answers = self._reader.schema.remove_metadata()
            answer, metadata = self._reader.read_next_batch_with_custom_metadata()
        except (OSError, pa.ArrowException, StopIteration) as error:
            raise self._died(error) from None
        return Shard(part, pa.Table.from_batches([answer.replace_schema_metadata(None)]), _card(metadata))

    def _start(self, schema: pa.Schema) -> None:
        self.close()
        words = [*find_command(self.task.command), self.task.verb, "--stdio", *self.task.options]
        for path in self._fetched():
            words += ["--problems", path]
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._schema = schema
        try:
            self._writer = pa.ipc.new_stream(self._pipe("stdin"), schema)
        except (OSError, pa.ArrowException) as error:
            raise self._died(error) from None

    def _fetched(self) -> list[str]:
        """Local paths of the problems. Problems at URLs are fetched once."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="codescore-")
        return [fetch(path, Path(self._folder.name)) for path in self.task.problems]

    def _died(self, error: BaseException) -> Exception:
        """If the child ended by itself with a reason, that reason, because it would be the same again; otherwise _WorkerDied."""
        process = self._process
        assert process is not None
        try:
            code = process.wait(5.0)
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
        self.close()
        if code in (1, 2):
            return CodescoreError("usage" if code == 2 else "infra", f"`codescore {self.task.verb} --stdio` ended with code {code}: its log says why")
        return _WorkerDied(f"it was ended by signal {-code}" if code < 0 else f"{error} (code {code})")

    def _given_up(self, part: pa.Table, why: str) -> Shard:
        if self._answers is None:
            raise CodescoreError("infra", why)
        (given,) = columns(part, self.task.verb).to_pylist()
        row = {name: given.get(name) for name in self._answers.names}
        place = "" if row.get("position") is None else f"{row['position']}+1"
        row.update({"error_code": "infra", "error": why})
        shard = {"positions": "", "seen": place, "notes": {}, "faults": 1, "first_fault": why, "faulty": place}
        kept = {name: row[name] for name in ("position", "id", "task_id", "sample_id", *FAULTS) if name in row}
        return Shard(part, pa.Table.from_pylist([kept], schema=self._answers), {"shard": shard})

    def _pipe(self, name: str) -> IO[bytes]:
        pipe = getattr(self._process, name)
        assert pipe is not None
        return pipe  # type: ignore[no-any-return]

    def close(self) -> None:
        """Ends the child. The worker may be used again."""
        process, self._process = self._process, None
        if process is None:
            return
        self._reader = self._writer = None
        for pipe in (process.stdin, process.stdout):
            try:
                if pipe is not None:
                    pipe.close()
            except OSError:
                pass
        try:
            process.wait(5.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def beside(shard: Shard) -> pa.Table:
    """The given rows with the columns of their answers. If two columns have the same name, the answer's is kept."""
    names = [name for name in shard.rows.column_names if name != "id"]
    kept = [name for name in shard.given.column_names if name not in names]
    columns = {**{name: shard.given[name] for name in kept}, **{name: shard.rows[name] for name in names}}
    return pa.table(columns)


def _card(metadata: Any) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads((metadata or {}).get(b"codescore") or b"{}")
    return found


def columns(table: pa.Table, verb: str) -> pa.Table:
    """The columns that the verb reads, as plain texts and numbers, in the order of the rows. Raises CodescoreError("input") if there is none."""
    types = {**dict.fromkeys(_TEXTS[verb], pa.string()), **_NUMBERS[verb]}
    names = [name for name in table.column_names if name in types]
    if not names:
        raise CodescoreError("input", f"expected columns of {verb}, such as {', '.join(list(types)[:4])}; got {', '.join(table.column_names)}")
    try:
        rows = pa.table({name: table[name].cast(types[name]) for name in names})
    except pa.ArrowException as error:
        raise CodescoreError("input", f"expected texts in the columns of {verb}: {error}") from None
    # A copy, because a slice is sent with some of the bytes after its end, and shards are named by their bytes.
    return rows.take(pa.array(range(rows.num_rows), pa.int64()))


def cut(tables: Iterable[pa.Table], task: Task) -> Iterator[pa.Table]:
    """Splits rows into shards within the task's limits. Rows that belong together stay in one shard, which may make it larger."""
    held: Optional[pa.Table] = None
    for table in tables:
        left = table if held is None else pa.concat_tables([held, table])
        held = None
        while left.num_rows > 0:
            end = _end(left, task)
            if end == left.num_rows and (task.together is not None or end < task.rows):
                break  # there is room for more rows, or more rows of the last group may follow
            yield left.slice(0, end)
            left = left.slice(end)
        if left.num_rows > 0:
            held = left
    if held is not None and held.num_rows > 0:
        yield held


def _end(table: pa.Table, task: Task) -> int:
    """The number of rows at the beginning that make a shard."""
    import pyarrow.compute as pc

    texts = [table[name].cast(pa.string()) for name in table.column_names if name in _TEXTS[task.verb]]
    end, characters = 0, 0
    lengths = [pc.fill_null(pc.utf8_length(text), 0).slice(0, task.rows).to_pylist() for text in texts]
    for row in zip(*lengths):
        characters += sum(row)
        if end > 0 and characters > task.characters:
            break
        end += 1
    if task.together is None:
        return end
    names = table[task.together].to_pylist()
    while end < len(names) and names[end] == names[end - 1]:
        end += 1
    return end


def fetch(path: str, folder: Path) -> str:
    """A path on this machine. A URL is copied into the folder, with the file name of the URL."""
    if "://" not in path:
        return os.path.abspath(path)
    import fsspec

    copy = folder / hashlib.sha256(path.encode()).hexdigest()[:16] / path.rstrip("/").rsplit("/", 1)[-1]
    if not copy.exists():
        copy.parent.mkdir(parents=True, exist_ok=True)
        filesystem, place = fsspec.core.url_to_fs(path)
        filesystem.get(place, str(copy) + ".part")
        os.replace(str(copy) + ".part", copy)
    return str(copy)


def located(paths: Paths) -> tuple[str, ...]:
    """Paths that mean the same in any working folder."""
    several = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    texts = [os.fspath(path) for path in several]
    return tuple(text if "://" in text else os.path.abspath(text) for text in texts)


def scoring(options: Sequence[str], cores: str) -> tuple[str, ...]:
    """Words of `codescore score` that limit it to its cores."""
    return ("--threads", cores, *(("--workers", cores) if "--run" in options else ()), *options)
