"""Judging answers: whose fault it is if there is no score."""

from __future__ import annotations

import os
import pickle
import signal
import threading
from typing import Any

import pytest

from codescore import CodeScorer, CodescoreError
from codescore.integrations.answers import judge

ENDLESS = "def f(x: int) -> int:\n    while True: x = len(str([x]))\n"


@pytest.mark.parametrize(
    ("row", "score", "why"),
    [
        ({"candidate": "  "}, 0.0, "the answer is empty"),
        ({"candidate": "public class A { public static void main(String[] a) {} }"}, 0.0, "looks like Java"),
        ({"candidate": "x = 1\n" * 50_000}, 0.0, "expected at most 200,000 characters"),
        ({"candidate": "public class A {}", "reference": "public class A {}"}, None, "looks like Java"),
        ({"reference": "public class A {}"}, None, "`reference` looks like Java"),
        ({"reference": None}, None, "reference"),
    ],
)
def test_an_answer_is_judged_unless_something_else_is_at_fault(scorer: CodeScorer, pair: Any, row: Any, score: Any, why: str) -> None:
    first, odd, last = judge(scorer, [pair, {**pair, **row}, pair])
    assert (odd.score, "error" in odd.result) == (score, row.get("candidate") != "  ")
    assert why in (odd.why or "")
    assert first.score == last.score == scorer.score([pair])[0]["score"]


def test_late_answers_have_no_score(running: CodeScorer, pair: Any) -> None:
    rows = [{**pair, "candidate": f"{ENDLESS}# {number}\n", "task_id": str(number)} for number in range(50)]
    late = judge(running, rows, timeout=0.3)
    assert len(late) == 50
    assert late[-1].score is None
    assert "longer than its `timeout`" in (late[-1].why or "")
    assert judge(running, []) == []


def test_answers_whose_child_died_have_no_score(pair: Any) -> None:
    with CodeScorer(run=True) as scorer:
        (alone,) = judge(scorer, [pair])
        rows = [{**pair, "candidate": f"{ENDLESS}# {number}\n", "task_id": str(number)} for number in range(50)]
        child = scorer._connected().child.pid  # type: ignore[attr-defined]
        timer = threading.Timer(0.3, os.kill, (child, signal.SIGKILL))
        timer.start()
        died = judge(scorer, rows)
        assert (len(died), died[-1].score) == (50, None)
        assert "signal 9" in (died[-1].why or "")
        with pytest.warns(RuntimeWarning, match="codescore is started again"):
            assert judge(scorer, [pair]) == [alone]


def test_says_where_an_answer_goes_wrong(running: CodeScorer, pair: Any) -> None:
    (found,) = judge(running, [pair])
    assert "expected" in (found.why or "")
    with pytest.raises(CodescoreError, match="got fromat"):
        judge(running, [pair], fromat="nl")


def test_a_pickled_scorer_has_a_child_of_its_own(pair: Any) -> None:
    with CodeScorer("tiny") as scorer:
        with pickle.loads(pickle.dumps(scorer)) as copy:
            assert copy.score([pair]) == scorer.score([pair])
            assert copy._connected().child.pid != scorer._connected().child.pid  # type: ignore[attr-defined]
