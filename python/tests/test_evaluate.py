"""The metric as Hugging Face `evaluate` loads it: by its file's path."""

from __future__ import annotations

import math
from typing import Any

import pytest

from codescore import CodeScorer, CodescoreError

evaluate = pytest.importorskip("evaluate")


@pytest.fixture
def path() -> str:
    import codescore.integrations.evaluate as module

    assert module.__file__ is not None
    return module.__file__


def test_scores_are_those_of_the_scorer(scorer: CodeScorer, path: str, rows: Any) -> None:
    kept = [row for row in rows if "reference" in row]
    results = scorer.score([{name: row[name] for name in ("candidate", "reference")} for row in kept])
    signature = scorer.signature
    metric = evaluate.load(path)
    assert metric.name == "codescore"
    found = metric.compute(predictions=[row["candidate"] for row in kept], references=[row["reference"] for row in kept])
    expected = [result.get("score", 0.0) for result in results]
    assert found == {"codescore": sum(expected) / len(expected), "scores": expected, "unscored": 0, "signature": signature}
    for row in kept[:4]:
        metric.add(prediction=row["candidate"], reference=row["reference"])
    assert metric.compute()["scores"] == expected[:4]


def test_takes_lists_of_programs_and_descriptions(path: str, pair: Any) -> None:
    right, wrong = pair["reference"], pair["candidate"]
    metric = evaluate.load(path, run=True)
    found = metric.compute(predictions=[[right, wrong], [wrong, right, right]], references=[right, right], inputs=10)
    ((first, second), (third, *others)) = found["scores"]
    assert first == others[0] == others[1] > 0.9 > second == third
    described = metric.compute(predictions=[wrong], references=[right], descriptions=["The square of an integer."], format="nl", run=False)
    asked = evaluate.load(path, "nl").compute(predictions=[wrong], references=["The square of an integer."])
    assert described["scores"] == asked["scores"]


def test_a_reference_that_is_no_program_leaves_no_score(path: str, pair: Any) -> None:
    found = evaluate.load(path).compute(predictions=["public class A {}", pair["candidate"]], references=[pair["reference"], "public class A {}"])
    assert (found["codescore"], found["scores"], found["unscored"]) == (0.0, [0.0, None], 1)
    alone = evaluate.load(path).compute(predictions=["x = 1"], references=["public class A {}"])
    assert math.isnan(alone["codescore"])


def test_says_what_is_wrong(path: str) -> None:
    with pytest.raises(CodescoreError, match='expected the configuration "default"'):
        evaluate.load(path, "description")
    with pytest.raises(CodescoreError, match="expected 1 descriptions, one for each reference"):
        evaluate.load(path).compute(predictions=["x"], references=["x"], descriptions=[])
