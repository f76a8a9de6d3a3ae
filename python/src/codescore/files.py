"""Files for the methods that read and write them: given files, or temporary files for given rows."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Union

from .child import plain
from .errors import CodescoreError
from .tables import Columns, frame_records, is_arrow, is_frame

Rows = Union[str, "os.PathLike[str]", Iterable[Any], Columns]
"""A path, several, or rows as dicts, a DataFrame or an Arrow table."""


@contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="codescore-") as path:
        yield Path(path)


def paths_of(given: Rows, place: Path) -> list[str]:
    """Absolute paths. Rows are written to `place` first. Raises CodescoreError("input") for anything else."""
    if isinstance(given, (str, os.PathLike)):
        return [os.path.abspath(given)]
    table: Any = given
    rows: Any
    if is_frame(given):
        rows = frame_records(table)
    elif is_arrow(given):
        rows = table.to_pylist()
    else:
        rows = list(table)
        if rows and all(isinstance(path, (str, os.PathLike)) for path in rows):
            return [os.path.abspath(path) for path in rows]
    with open(place, "w", encoding="utf-8") as file:
        for row in rows:
            if not isinstance(row, Mapping):
                raise CodescoreError("input", f"expected a path, paths or rows as dicts, got a {type(row).__name__} among them")
            file.write(json.dumps(dict(row), default=plain) + "\n")
    return [str(place)]


def named_paths(given: Union[Rows, Mapping[str, Rows]], inside: Path) -> list[str]:
    """As `paths_of`. A mapping from names to rows or paths gives `NAME=PATH`, which the command understands. Rows are written into `inside`."""
    if not isinstance(given, Mapping):
        return paths_of(given, inside / "scores.jsonl")
    odd = [name for name in given if not re.fullmatch(r"[^=/\\]+", name)]
    if odd:
        raise CodescoreError("usage", f"expected names without =, / and \\, got {odd[0]!r}")
    return [f"{name}={path}" for name, rows in given.items() for path in paths_of(rows, inside / f"scores-{name}.jsonl")]


def read_rows(path: Path) -> list[dict[str, Any]]:
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]
