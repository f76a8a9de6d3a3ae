"""The types of rows and results, as in the JSON lines of `codescore score`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, List, TypedDict, Union

Row = Mapping[str, Any]
"""`candidate` (a Python program), and `reference`, `description` or both; `id`, `task_id`, `entry_point`, `language`, `prompt`.

CodeScore's names `generated_code`, `golden_code` and `source` are understood. Other fields are left alone.
"""


class RowError(TypedDict):
    code: str
    message: str


class Examples(TypedDict):
    passed: int
    total: int


class Counterexample(TypedDict):
    input: str
    expected: str
    got: str


class _Behaviour(TypedDict, total=False):
    reason: str


class Behaviour(_Behaviour):
    """What running the candidate showed."""

    agree: Union[float, None]
    inputs: int
    examples: Union[Examples, None]
    samples: Union[float, None]
    source: Union[str, None]
    counterexample: Union[Counterexample, None]


class Cut(TypedDict):
    candidate: int
    reference: int
    description: int


# Not in the form of a class, because `pass` is a keyword.
Result = TypedDict(
    "Result",
    {
        "id": Any,
        "score": float,
        "conclusion": str,
        "reason": str,
        "exec": float,
        "low": float,
        "high": float,
        "pass": float,
        "abstained": bool,
        "consensus": float,
        "behaviour": Behaviour,
        "format": str,
        "cut": Cut,
        "notes": List[str],
        "findings": List[Any],
        "lines": List[Any],
        "signature": str,
        "task_id": str,
        "rank": Union[int, None],
        "tied": int,
        "candidate": str,
        "error": RowError,
    },
    total=False,
)
"""What a row is answered with: a score, or an `error` in its place. Fields that do not apply are absent."""


@dataclass(frozen=True)
class Labelled:
    """The result of `label`: its counts, and the rows if no output was named."""

    summary: dict[str, Any]
    rows: list[dict[str, Any]]
