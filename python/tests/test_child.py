"""The child process: it dies, is killed, is shared by threads but not by forks."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from codescore import CodeScorer, CodescoreError


def pid_of(scorer: CodeScorer) -> int:
    return int(scorer._connected().child.pid)  # type: ignore[attr-defined]


def lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def ends(pid: int, seconds: float = 10.0) -> bool:
    until = time.monotonic() + seconds
    while lives(pid) and time.monotonic() < until:
        time.sleep(0.05)
    return not lives(pid)


def test_a_killed_child_is_said_and_started_anew(pair: Any) -> None:
    with CodeScorer() as scorer:
        (before,) = scorer.score([pair])

        def rows() -> Any:
            yield pair
            os.kill(pid_of(scorer), signal.SIGKILL)
            for _ in range(5000):
                yield pair

        with pytest.raises(CodescoreError, match="was ended by signal 9"):
            list(scorer.score(rows()))
        with pytest.warns(RuntimeWarning, match="codescore is started again, because .* signal 9"):
            assert scorer.score([pair]) == [before]


def test_ends_with_the_scorer(pair: Any) -> None:
    scorer = CodeScorer()
    scorer.score([pair])
    pid = pid_of(scorer)
    scorer.close()
    assert ends(pid)
    with pytest.raises(CodescoreError, match="this scorer is closed"):
        scorer.score([pair])
    scorer.close()


def test_ends_with_a_scorer_that_nobody_holds(pair: Any) -> None:
    scorer = CodeScorer()
    scorer.score([pair])
    pid = pid_of(scorer)
    del scorer
    gc.collect()
    assert ends(pid)


@pytest.mark.parametrize("how", ["os._exit(0)", "pass", "os.kill(os.getpid(), 9)"])
def test_ends_with_its_parent(how: str) -> None:
    script = (
        "import os, time\nfrom codescore import CodeScorer\ns = CodeScorer()\ns.score([{'candidate': 'x', 'reference': 'x'}])\n"
        f"print(s._connected().child.pid, flush=True)\n{how}\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert ends(int(done.stdout)), done.stderr


def test_threads_share_one_child(scorer: CodeScorer, rows: Any) -> None:
    asked = [rows[start : start + 10] for start in (0, 5, 10, 15)] * 4
    alone = [scorer.score(part) for part in asked[:4]]
    pid = pid_of(scorer)
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(scorer.score, asked))
    assert found == alone * 4
    assert pid_of(scorer) == pid


def test_a_close_in_the_midst_ends_calls_with_an_error(pair: Any) -> None:
    scorer = CodeScorer()
    results = scorer.score(iter([pair] * 5000))
    next(results)
    threading.Timer(0.05, scorer.close).start()
    with pytest.raises(CodescoreError, match="closed"):
        list(results)


def in_fork(scorer: CodeScorer, rows: Any, put: Any) -> None:
    put.put((pid_of(scorer), scorer.score(rows)))
    scorer.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_has_a_child_of_its_own(pair: Any) -> None:
    fork = multiprocessing.get_context("fork")
    with CodeScorer() as scorer:
        before = scorer.score([pair])
        put: Any = fork.SimpleQueue()
        process = fork.Process(target=in_fork, args=(scorer, [pair], put))
        process.start()
        pid, found = put.get()
        process.join(30)
        assert found == before
        assert pid != pid_of(scorer)
        assert ends(pid)
        assert scorer.score([pair]) == before  # the fork did not disturb it
