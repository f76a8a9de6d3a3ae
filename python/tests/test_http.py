"""A server by its address."""

from __future__ import annotations

import json
import re
import subprocess
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from codescore import CodeScorer, CodescoreError, CodescoreTimeout
from codescore.command import find_command


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    server = subprocess.Popen([*find_command(), "serve", "--port", "0", "--run"], stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    for line in server.stderr:
        found = re.match(r"listening on (\S+);", line)
        if found:
            break
    assert found
    threading.Thread(target=server.stderr.read, daemon=True).start()
    yield found[1]
    server.terminate()
    server.wait(30)


def test_scores_are_those_of_a_child(url: str, scorer: CodeScorer, running: CodeScorer, rows: Any, pair: Any) -> None:
    with CodeScorer(url=url) as remote:
        alone = scorer.score(rows)
        assert [result.get("score") for result in remote.score(rows)] == [result.get("score") for result in alone]
        more = [pair] * 1200  # more than a request may have
        assert list(remote.score(iter([*more, *rows])))[1200]["score"] == alone[0]["score"]
        assert remote.signature.startswith("codescore|")
    with CodeScorer(url=url, run=True) as remote:
        found = remote.score(rows[5:10])
        assert [result.get("behaviour") for result in found] == [result.get("behaviour") for result in running.score(rows[5:10])]


def test_says_what_a_server_cannot(url: str, rows: Any) -> None:
    with CodeScorer(url=url) as remote:
        for call in (lambda: remote.rank(rows), lambda: remote.evaluate("x.jsonl"), lambda: remote.score(rows, format="nl")):
            with pytest.raises(CodescoreError, match="without `url`"):
                call()
    with pytest.raises(CodescoreError, match="does not answer: .*; start it with `codescore serve`"):
        CodeScorer(url="http://127.0.0.1:9").score(rows)
    with pytest.raises(CodescoreError, match="a server has its own model"):
        CodeScorer("tiny", url=url)
    with pytest.raises(CodescoreError, match="expected `url` to begin with http"):
        CodeScorer(url="127.0.0.1:80").score(rows)


def test_waits_where_a_server_is_busy() -> None:
    asked: list[str] = []

    class Busy(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append(self.headers["Authorization"])
            if len(asked) % 2:
                self.send_response(429)
                self.send_header("Retry-After", "0.05")
                answer = {"error": {"code": "busy", "message": "later"}}
            else:
                self.send_response(200)
                answer = {"rows": [{"id": row["id"], "score": 0.5} for row in body["rows"]]}  # type: ignore[dict-item]
            self.end_headers()
            self.wfile.write(json.dumps(answer).encode())

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Busy)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with CodeScorer(url=f"http://127.0.0.1:{server.server_port}", api_key="k") as scorer:
        assert scorer.score([{"candidate": "x"}]) == [{"id": 0, "score": 0.5}]
        assert asked == ["Bearer k"] * 2
        with pytest.raises(CodescoreTimeout):
            scorer.score([{"candidate": "x"}], timeout=0.01)
    server.shutdown()


def test_does_not_retry_a_connection_timeout_forever(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float | None] = []

    def unreachable(_request: Any, timeout: float | None) -> None:
        asked.append(timeout)
        if len(asked) > 3:
            raise AssertionError("still retrying")
        raise urllib.error.URLError(TimeoutError(110, "Connection timed out"))  # from the operating system, after minutes

    monkeypatch.setattr(urllib.request, "urlopen", unreachable)
    with pytest.raises(CodescoreError, match="does not answer: .*Connection timed out") as caught:
        CodeScorer(url="http://10.255.255.1").score([{"candidate": "x"}])
    assert caught.value.code == "infra"
    assert asked == [None]
