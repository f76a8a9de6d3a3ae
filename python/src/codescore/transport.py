"""Sends rows over a child's pipes and yields results: lazily, with bounded look-ahead."""

from __future__ import annotations

import itertools
import queue
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, Optional, Protocol

from .child import Call, Child
from .errors import CodescoreError, CodescoreTimeout
from .types import Result

AHEAD = 1024
"""If fewer rows than this are out, one more part is read: at most 1,087 rows. The command scores up to 512 together."""

_PART = 64
_PART_S = 0.05


class GivenUp(CodescoreError):
    """Nobody waits for the call any more."""


class GiveUp:
    """Cancels a call that another thread makes: asyncio's tasks may be cancelled at any time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._call: Optional[Call] = None
        self._wanted = False

    def watch(self, call: Call) -> None:
        with self._lock:
            self._call = call
            if self._wanted:
                call.answers.put(_GIVEN_UP)

    def __call__(self) -> None:
        with self._lock:
            self._wanted = True
            if self._call is not None:
                self._call.answers.put(_GIVEN_UP)


_GIVEN_UP = GivenUp("infra", "the call was cancelled")

give_up: ContextVar[Optional[GiveUp]] = ContextVar("codescore_give_up", default=None)
"""What may end the calls that this context makes."""


class Transport(Protocol):
    """The interface through which a scorer reaches a child or a server."""

    def score(self, rows: Iterable[Any], params: Mapping[str, Any], timeout: Optional[float]) -> Iterator[Result]: ...

    def ask(self, method: str, params: Mapping[str, Any], timeout: Optional[float]) -> dict[str, Any]: ...

    def hello(self) -> dict[str, Any]: ...

    def close(self) -> None: ...


class Pipes:
    """A child that any number of threads may ask."""

    def __init__(self, child: Child) -> None:
        self.child = child

    def hello(self) -> dict[str, Any]:
        return self.child.hello

    def score(self, rows: Iterable[Any], params: Mapping[str, Any], timeout: Optional[float]) -> Iterator[Result]:
        """Results in the order of the rows. Reads rows only as results are taken, unless all are needed together (runs, ranks, consensus)."""
        deadline = deadline_of(timeout)
        together = any(params.get(name) for name in ("run", "order", "consensus"))
        source = iter(rows)
        part = _take(source, _PART)
        call = self._open("score", params, part or [], more=part is not None)
        out = len(part or [])
        done = False
        try:
            while True:
                while part is not None and (together or out < AHEAD) and call.answers.empty():
                    part = _take(source, _PART)
                    self.child.more(call, part or [], more=part is not None)
                    out += len(part or [])
                answer = _next(call, deadline)
                if isinstance(answer, CodescoreError):
                    done = not isinstance(answer, GivenUp)
                    raise answer
                if "result" in answer:
                    done = True
                    return
                for result in answer["rows"]:
                    out -= 1
                    yield result
        finally:
            if not done:
                self.child.cancel(call)

    def ask(self, method: str, params: Mapping[str, Any], timeout: Optional[float]) -> dict[str, Any]:
        call = self._open(method, params)
        try:
            answer = _next(call, deadline_of(timeout))
            if isinstance(answer, GivenUp):
                raise answer
        except BaseException:
            self.child.cancel(call)
            raise
        if isinstance(answer, CodescoreError):
            raise answer
        result: dict[str, Any] = answer["result"]
        return result

    def _open(self, method: str, params: Mapping[str, Any], rows: Sequence[Any] = (), more: bool = False) -> Call:
        call = self.child.open(method, params, rows, more)
        watcher = give_up.get()
        if watcher is not None:
            watcher.watch(call)
        return call

    def close(self) -> None:
        self.child.close()


def _take(source: Iterator[Any], most: int) -> Optional[list[Any]]:
    """The next rows: fewer than `most` if they come slowly, None at the end."""
    rows: list[Any] = []
    began = time.monotonic()
    for row in itertools.islice(source, most):
        rows.append(sent_row(row))
        if time.monotonic() - began > _PART_S:
            break
    return rows or None


_FIELDS = frozenset(
    "id candidate generated_code reference golden_code description source prompt language lang task_id entry_point".split()
)


def sent_row(row: Any) -> Any:
    """The fields that the command reads; others may hold what JSON cannot. Without a candidate also the other names, for the error message."""
    if not isinstance(row, Mapping):
        raise CodescoreError("input", f"expected rows as dicts with a `candidate`, got a {type(row).__name__}")
    if "candidate" in row or "generated_code" in row:
        return {name: value for name, value in row.items() if name in _FIELDS}
    return {str(name): (value if name in _FIELDS else None) for name, value in row.items()}


def deadline_of(timeout: Optional[float]) -> Optional[float]:
    return None if timeout is None else time.monotonic() + timeout


def _next(call: Call, deadline: Optional[float]) -> Any:
    try:
        return call.answers.get(timeout=None if deadline is None else max(0.0, deadline - time.monotonic()))
    except queue.Empty:
        raise CodescoreTimeout("infra", "the call took longer than its `timeout` and was cancelled") from None
