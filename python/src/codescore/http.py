"""A client of a running `codescore serve`. It only scores; ranks, labels and evaluations need the command as a child."""

from __future__ import annotations

import http.client
import itertools
import json
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Optional

from .child import encode
from .errors import CodescoreError, CodescoreTimeout
from .transport import deadline_of, sent_row
from .types import Result

_PART = 500
_PART_BYTES = 4_000_000
_LONGEST_WAIT_S = 60.0


class Server:
    """One server. Each request has its own connection, so any number of threads may ask."""

    def __init__(self, url: str, api_key: Optional[str]) -> None:
        if not url.startswith(("http://", "https://")):
            raise CodescoreError("usage", f"expected `url` to begin with http:// or https://, got {url!r}")
        self._url = url.rstrip("/")
        self._headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {api_key}"} if api_key else {})}

    def hello(self) -> dict[str, Any]:
        found: dict[str, Any] = self._send("/healthz", None, deadline_of(30.0))
        return found

    def score(self, rows: Iterable[Any], params: Mapping[str, Any], timeout: Optional[float]) -> Iterator[Result]:
        """Results in the order of the rows. Rows that must be looked at together go in one request, whose size the server limits."""
        for name in ("order", "format", "counterexamples"):
            if params.get(name, "auto") != "auto":
                what = "ranks and best candidates" if name == "order" else f"`{name}`"
                raise CodescoreError("usage", f"{what} need a local codescore command: create the scorer without `url`")
        deadline = deadline_of(timeout)
        body = {name: value for name, value in params.items() if name != "format"}
        together = any(body.get(name) for name in ("run", "consensus"))
        return self._parts(_numbered(rows), body, None if together else _PART, deadline)

    def _parts(self, rows: Iterator[Any], body: Mapping[str, Any], most: Optional[int], deadline: Optional[float]) -> Iterator[Result]:
        left = rows
        while True:
            part, size = [], 0
            for row in itertools.islice(left, most):
                part.append(row)
                size += sum(len(value) for value in row.values() if isinstance(value, str))
                if most is not None and size > _PART_BYTES:
                    break
            if not part:
                return
            yield from self._send("/v1/score", encode({**body, "rows": part}), deadline)["rows"]

    def ask(self, method: str, params: Mapping[str, Any], timeout: Optional[float]) -> dict[str, Any]:
        raise CodescoreError("usage", f"`{method}` needs a local codescore command: create the scorer without `url`")

    def close(self) -> None:
        pass

    def _send(self, path: str, body: Optional[bytes], deadline: Optional[float]) -> Any:
        """Sends a request. If the server is busy, waits as long as it says. Raises CodescoreError with the server's message."""
        while True:
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                raise CodescoreTimeout("infra", f"{self._url} took longer than the call's `timeout`")
            request = urllib.request.Request(self._url + path, data=body, headers=self._headers)
            try:
                with urllib.request.urlopen(request, timeout=left) as response:
                    return json.load(response)
            except urllib.error.HTTPError as error:
                if error.code != 429:
                    raise _problem(error, self._url) from None
                wait = min(_LONGEST_WAIT_S, float(error.headers.get("Retry-After") or 1))
                error.close()
                time.sleep(wait if left is None else min(wait, left))
            except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
                why = getattr(error, "reason", error)
                # Without a deadline this is the operating system's own timeout, which is not retried. In Python 3.9 the two classes differ.
                if left is not None and isinstance(why, (TimeoutError, socket.timeout)):
                    continue
                raise CodescoreError("infra", f"{self._url} does not answer: {why}; start it with `codescore serve`") from error


def _problem(error: urllib.error.HTTPError, url: str) -> CodescoreError:
    with error:
        try:
            said = json.load(error)["error"]
            return CodescoreError(said["code"], said["message"])
        except (ValueError, KeyError, TypeError):
            return CodescoreError("infra", f"{url} answered {error.code} {error.reason}, which is no answer of codescore")


_FIELDS = ("id", "candidate", "reference", "description", "language", "task_id", "entry_point")


def _numbered(rows: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """The fields of each row that a server accepts. A row without an id gets its index."""
    for place, row in enumerate(rows):
        sent = sent_row(row)
        found = {name: sent[name] for name in _FIELDS if sent.get(name) is not None}
        yield {"id": place, **found}
