"""DataFrames and Arrow tables: makes rows from them, and makes them from results. Neither library is needed if rows are dicts."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from .types import Counterexample, Result

if TYPE_CHECKING:
    import pandas
    import pyarrow

COLUMNS = (
    *("score", "exec", "low", "high", "conclusion", "reason", "consensus", "pass", "agree", "inputs", "examples_passed", "examples", "samples"),
    *("counterexample", "abstained", "format", "cut_candidate", "cut_reference", "cut_description", "signature", "notes", "error"),
)
"""Those of `codescore score --as csv`, whatever there is to say; what does not apply is missing."""

class Columns(Protocol):
    """What DataFrames and Arrow tables have in common."""

    @property
    def columns(self) -> Any: ...


RANKED = ("task_id", "rank", "tied")


def is_frame(value: Any) -> bool:
    """Whether it is a pandas DataFrame. Does not import pandas."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(value, pandas.DataFrame)


def is_arrow(value: Any) -> bool:
    pyarrow = sys.modules.get("pyarrow")
    return pyarrow is not None and isinstance(value, (pyarrow.Table, pyarrow.RecordBatch))


def frame_rows(frame: pandas.DataFrame) -> Iterator[dict[str, Any]]:
    """One dict per row, whose `id` is its index; missing values are None."""
    for place, row in enumerate(frame_records(frame)):
        yield {**row, "id": place}


def frame_records(frame: pandas.DataFrame) -> list[dict[str, Any]]:
    """One dict per row; missing values are None."""
    found: list[Any] = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return found


def arrow_rows(table: pyarrow.Table) -> Iterator[dict[str, Any]]:
    place = 0
    batches: Iterable[Any] = table.to_batches(max_chunksize=1024) if hasattr(table, "to_batches") else [table]
    for batch in batches:
        for row in batch.to_pylist():
            yield {**row, "id": place}
            place += 1


def to_frame(results: Sequence[Result], index: Any) -> pandas.DataFrame:
    """Results as columns, each with the index label of its row."""
    import pandas

    names, columns = _columns(results)
    return pandas.DataFrame(dict(zip(names, columns)), index=index.take([result.get("id") for result in results]), columns=list(names))


def to_arrow(results: Sequence[Result], given: Any) -> pyarrow.Table:
    """Results as columns. Ranked ones are in another order than the rows, so they also have an `id`, as in the command's CSV."""
    import pyarrow

    names, columns = _columns(results)
    types = {
        **dict.fromkeys(("score", "exec", "low", "high", "consensus", "pass", "agree", "samples"), pyarrow.float64()),
        **dict.fromkeys(("format", "signature", "notes", "error", "counterexample", "task_id", "conclusion", "reason", "candidate"), pyarrow.string()),
        "abstained": pyarrow.bool_(),
    }
    found = pyarrow.table({name: pyarrow.array(column, types.get(name, pyarrow.int64())) for name, column in zip(names, columns)})
    if "task_id" not in names:
        return found
    places = pyarrow.array([result.get("id") for result in results], pyarrow.int64())
    return found.add_column(0, "id", given.column("id").take(places) if "id" in given.schema.names else places)


def _columns(results: Sequence[Result]) -> tuple[Sequence[str], list[list[Any]]]:
    names = (*RANKED, *COLUMNS) if any("task_id" in result for result in results) else COLUMNS
    if any("candidate" in result for result in results):
        names = (*names, "candidate")
    cells = [_cells(result) for result in results]
    return names, [[row.get(name) for row in cells] for name in names]


def _shown(found: Counterexample) -> str:
    """A counterexample as in the command's CSV."""
    call = found["input"]
    return f"{json.dumps(call, ensure_ascii=False) if chr(10) in call else call}: expected {found['expected']}, got {found['got']}"


def _cells(result: Result) -> dict[str, Any]:
    error = result.get("error")
    ranked = {name: result.get(name) for name in RANKED}
    if error is not None:
        return {**ranked, "error": error["message"]}
    behaviour: Any = result.get("behaviour") or {}
    examples = behaviour.get("examples") or {}
    shown = behaviour.get("counterexample")
    notes, cut = result.get("notes"), result.get("cut")
    return {
        **result,
        **ranked,
        "agree": behaviour.get("agree"),
        "inputs": behaviour.get("inputs"),
        "examples_passed": examples.get("passed"),
        "examples": examples.get("total"),
        "samples": behaviour.get("samples"),
        "counterexample": None if shown is None else _shown(shown),
        "abstained": result.get("abstained", False),
        **{f"cut_{part}": 0 if cut is None else cut[part] for part in ("candidate", "reference", "description")},
        "notes": None if notes is None else "; ".join(notes),
    }
