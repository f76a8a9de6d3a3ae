"""The child process, and the frames on its pipes (docs/python.md, "The protocol").

One thread reads answers, so that the child never waits for a caller that does something else. Requests of any number of threads go over
the same pipes. A forked process closes its copies of the pipes: it has to start its own child.
"""

from __future__ import annotations

import itertools
import json
import logging
import os
import queue
import subprocess
import threading
import weakref
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, Optional

from .command import node_hint
from .errors import CodescoreError

PROTOCOL = 1
MOST_FRAME = 2**26
_READ = 2**16
_END_S = 5.0

_log = logging.getLogger("codescore")


class _NoFrameError(Exception):
    """The child is not codescore, or something else writes to its stdout."""


class Call:
    """One request, and the child's answers to it so far."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.answers: queue.SimpleQueue[Any] = queue.SimpleQueue()


class Child:
    """A process of `codescore serve --stdio`. Raises CodescoreError if it does not start, or speaks another protocol."""

    def __init__(self, command: Sequence[str], arguments: Sequence[str]) -> None:
        self._command = list(command)
        self._numbers = itertools.count(1)
        self._calls: dict[int, Call] = {}
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._said: deque[str] = deque(maxlen=20)
        self._logging = threading.Lock()
        self._logs = False  # until the child has started, its output goes into the error only
        self.end: Optional[CodescoreError] = None
        """Why there is no child any more; None while it lives."""
        words = [*command, "serve", "--stdio", *arguments]
        try:
            process = subprocess.Popen(
                words,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C goes to this process only, which cancels its calls
            )
        except OSError as error:
            raise CodescoreError("environment", f"{command[0]} could not be started: {error}") from error
        self._process = process
        self._closed = weakref.finalize(self, _end, process, os.getpid())
        self._errors = threading.Thread(target=self._read_errors, daemon=True, name="codescore stderr")
        self._reader = threading.Thread(target=self._read, daemon=True, name="codescore")
        _children.add(self)
        self._errors.start()
        self._reader.start()
        try:
            self.hello: dict[str, Any] = self._greet()
        except BaseException:
            self.close()
            raise
        with self._logging:
            self._logs = True
            for line in self._said:
                _log.warning("%s", line)

    @property
    def pid(self) -> int:
        return self._process.pid

    def _greet(self) -> dict[str, Any]:
        try:
            answer = self.open("hello", {}).answers.get()
        except CodescoreError as error:  # it ended before it read anything
            answer = error
        if isinstance(answer, CodescoreError):
            hint = node_hint(self._command)
            old = (
                f"{' '.join(self._command)} has no `serve --stdio`: it is older than this package; install it again"
                if "unknown option '--stdio'" in str(answer)
                else None
            )
            raise CodescoreError(answer.code, "\n".join(filter(None, [old, hint, str(answer)]))) from None
        hello: dict[str, Any] = answer["result"]
        if hello.get("protocol") == PROTOCOL:
            return hello
        theirs = f"codescore {hello.get('version')} speaks protocol {hello.get('protocol')}, this package {PROTOCOL}"
        raise CodescoreError("environment", f"{theirs}: install both in the same version")

    def open(self, method: str, params: Mapping[str, Any], rows: Sequence[Any] = (), more: bool = False) -> Call:
        """Sends a request, with its first rows."""
        with self._lock:
            if self.end is not None:
                raise self.end
            call = Call(next(self._numbers))
            self._calls[call.number] = call
        try:
            self.send({"id": call.number, "method": method, "params": params, "rows": rows, "more": more})
        except CodescoreError:
            self.forget(call)
            raise
        return call

    def more(self, call: Call, rows: Sequence[Any], more: bool) -> None:
        self.send({"id": call.number, "rows": rows, "more": more})

    def cancel(self, call: Call) -> None:
        """Cancels a request. Never raises: a child that is gone has dropped the request."""
        self.forget(call)
        try:
            self.send({"id": call.number, "cancel": True})
        except CodescoreError:
            pass

    def forget(self, call: Call) -> None:
        with self._lock:
            self._calls.pop(call.number, None)

    def send(self, frame: Mapping[str, Any]) -> None:
        data = encode(frame)
        if len(data) > MOST_FRAME:
            raise CodescoreError("input", f"expected rows of at most {MOST_FRAME} bytes at a time, got {len(data)}")
        view = memoryview(data)
        with self._writing:
            stdin = self._process.stdin
            try:
                while view:
                    assert stdin is not None
                    view = view[stdin.write(view) :]
            except (OSError, ValueError):  # the pipe is broken, or closed
                raise self._ended() from None

    def _read(self) -> None:
        stdout = self._process.stdout
        assert stdout is not None
        pieces: list[bytes] = []
        try:
            while chunk := stdout.read(_READ):
                *lines, rest = chunk.split(b"\n")
                for line in lines:
                    self._take(b"".join((*pieces, line)))
                    pieces = []
                pieces.append(rest)
        except (OSError, ValueError):  # closed by this side
            pass
        except _NoFrameError as error:
            self._said.append(str(error))
            self._process.kill()
        end = self._ended()
        with self._lock:
            calls = list(self._calls.values())
            self._calls.clear()
        for call in calls:
            call.answers.put(end)

    def _take(self, line: bytes) -> None:
        try:
            answer = json.loads(line)
            number, error = answer["id"], answer.get("error")
        except (ValueError, KeyError, TypeError, AttributeError):
            shown = line[:200].decode("utf-8", "replace")
            raise _NoFrameError(f"expected frames as `codescore serve --stdio` writes them, got {shown!r}") from None
        if number is None:
            _log.error("codescore: %s", error)
            return
        with self._lock:
            call = self._calls.get(number)
            if call is not None and "rows" not in answer:
                del self._calls[number]
        if call is not None:
            call.answers.put(answer if error is None else CodescoreError(error["code"], error["message"]))

    def _read_errors(self) -> None:
        stderr = self._process.stderr
        assert stderr is not None
        rest = ""
        try:
            while chunk := stderr.read(_READ):
                *lines, rest = (rest + chunk.decode("utf-8", "replace")).split("\n")
                for line in filter(None, lines):
                    self._heard(line)
        except (OSError, ValueError):
            pass
        if rest:
            self._said.append(rest)

    def _heard(self, line: str) -> None:
        with self._logging:
            self._said.append(line)
            if self._logs:
                _log.warning("%s", line)

    def _ended(self) -> CodescoreError:
        """Why the child is gone: its exit code and its last output."""
        if self.end is not None:
            return self.end
        if not self._closed.alive:
            self.end = CodescoreError("usage", "this scorer is closed")
            return self.end
        try:
            code = self._process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        self._errors.join(1.0)
        how = f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"
        said = "\n".join(self._said)
        end = CodescoreError("usage" if code == 2 else "infra", f"the codescore process {how}{': ' if said else ''}{said}")
        with self._lock:
            self.end = self.end or end  # callers and the reader may get here at the same time
            return self.end

    def close(self) -> None:
        """Ends the child and everything that it runs. Current calls raise CodescoreError."""
        self._closed()
        self._reader.join(_END_S)
        self._errors.join(_END_S)
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()

    def _drop(self) -> None:
        """For a forked process, which has neither the child nor the threads."""
        self._closed.detach()
        self._process.returncode = 0  # only the parent may wait for it
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()


def encode(frame: Mapping[str, Any]) -> bytes:
    """A frame as one line. Raises CodescoreError("input") for values that JSON cannot represent."""
    try:
        return json.dumps(frame, separators=(",", ":"), allow_nan=False, default=plain).encode("ascii") + b"\n"
    except (TypeError, ValueError, RecursionError) as error:
        raise CodescoreError("input", f"expected rows of texts and numbers, which JSON can carry: {error}") from error


def plain(value: Any) -> Any:
    """A NumPy scalar as a Python scalar."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"got a {type(value).__name__}")


def _end(process: subprocess.Popen[bytes], owner: int) -> None:
    if os.getpid() != owner:
        return
    assert process.stdin is not None
    try:
        process.stdin.close()  # the child ends when its input does, with everything that it runs
    except OSError:
        pass
    for stop in (None, process.terminate, process.kill):
        if stop is not None:
            stop()
        try:
            process.wait(_END_S)
            return
        except subprocess.TimeoutExpired:
            continue


_children: weakref.WeakSet[Child] = weakref.WeakSet()


def _after_fork() -> None:
    for child in list(_children):
        child._drop()
    _children.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
