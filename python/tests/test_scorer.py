"""The scorer against the command itself."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from codescore import CodeScorer, CodescoreError, CodescoreTimeout


def same(found: Any, printed: Any) -> None:
    """Asserts that both are equal, except how messages name the place: rows count from 0, lines from 1."""

    def from_one(match: re.Match[str]) -> str:
        return f"stdin:{int(match[1]) + 1}"

    assert json.loads(re.sub(r"row (\d+)", from_one, json.dumps(found))) == printed


def test_scores_are_those_of_the_command_to_the_last_digit(scorer: CodeScorer, rows: Any, by_command: Any) -> None:
    assert len(rows) == 25
    printed = by_command(rows)
    same(scorer.score(rows), printed)
    same(list(scorer.score(iter(rows))), printed)
    assert sum("error" in result for result in printed) == 5


def test_scores_of_programs_that_run_are_those_of_the_command(running: CodeScorer, rows: Any, by_command: Any) -> None:
    printed = by_command(rows, "--run")
    same(running.score(rows), printed)
    assert sum(result.get("behaviour", {}).get("inputs", 0) > 0 for result in printed) >= 10
    assert running.runs is not None
    same(running.score(rows[:5], inputs=5, seed=7, until=0.5), by_command(rows[:5], "--run", "--inputs", "5", "--seed", "7", "--until", "0.5"))


@pytest.mark.parametrize(
    ("method", "options", "arguments"),
    [
        ("rank", {}, ["--rank"]),
        ("best", {}, ["--best"]),
        ("score", {"format": "nl"}, ["--format", "nl"]),
        ("score", {"consensus": True}, ["--consensus"]),
        ("best", {"consensus": True, "format": "nl"}, ["--consensus", "--best", "--format", "nl"]),
    ],
)
def test_options_are_those_of_the_command(scorer: CodeScorer, rows: Any, by_command: Any, method: str, options: Any, arguments: Any) -> None:
    same(getattr(scorer, method)(rows[:10], **options), by_command(rows[:10], *arguments))


def test_loads_what_it_is_asked_to(rows: Any, by_command: Any) -> None:
    with CodeScorer("small", calibration=False, precision="fp16") as scorer:
        same(scorer.score(rows[:10]), by_command(rows[:10], "--model", "small", "--no-calibration", "--precision", "fp16"))
    with CodeScorer("tiny", coverage=0.5, abstain=0.2) as scorer:
        same(scorer.score(rows[:10]), by_command(rows[:10], "--model", "tiny", "--coverage", "0.5", "--abstain", "0.2"))


def test_explains(scorer: CodeScorer, pair: Any) -> None:
    (result,) = scorer.score([pair], explain=True)
    assert [line["line"] for line in result["lines"]] == [2]
    (finding,) = result["findings"]
    assert finding["line"] == 2
    assert finding["what"].startswith("`+` here, `*` in the reference")


def test_an_iterator_is_read_as_results_are_taken(scorer: CodeScorer, pair: Any) -> None:
    taken = 0

    def endless() -> Iterator[dict[str, Any]]:
        nonlocal taken
        for number in itertools.count():
            taken += 1
            yield {**pair, "id": number, "candidate": f"{pair['candidate']}# {number % 7}\n"}

    results = scorer.score(endless())
    first = list(itertools.islice(results, 700))
    assert [result["id"] for result in first] == list(range(700))
    assert 700 <= taken <= 700 + 1087
    results.close()  # type: ignore[attr-defined]
    assert scorer.score([pair])[0]["score"] == first[0]["score"]


def test_a_slow_iterator_has_its_results_before_its_end(scorer: CodeScorer, pair: Any) -> None:
    seen: list[str] = []

    def slow() -> Iterator[dict[str, Any]]:
        import time

        for number in range(50):  # a busy machine is late with the first result
            if "result 0" in seen:
                return
            seen.append(f"row {number}")
            yield pair
            time.sleep(0.4)

    for result in scorer.score(slow()):
        seen.append(f"result {result['id']}")
    assert "row 49" not in seen


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s: s.score({"candidate": "x"}), "expected rows: a list of dicts, an iterator, a DataFrame or a table; got a dict"),
        (lambda s: s.score(["x = 1"]), "expected rows as dicts with a `candidate`, got a str"),
        (lambda s: s.score([], fromat="nl"), "got fromat"),
        (lambda s: s.score([], format="all"), "expected `format` to be one of auto, ref, nl, ref\\+nl"),
        (lambda s: s.score([{"candidate": "x"}], run=True), "this scorer does not run candidates: .* CodeScorer\\(run=True\\)"),
        (lambda s: s.score([{"candidate": b"x"}]), "which JSON can carry: got a bytes"),
        (lambda s: s.score([{"candidate": "x", "id": float("nan")}]), "which JSON can carry"),
        (lambda s: s.label("p.jsonl", "s.jsonl"), "`label` runs the samples.*: create it with CodeScorer\\(run=True\\)"),
        (lambda s: s.score([{"candidate": "x"}], inputs=20), "`inputs` needs candidates to run.*: create it with CodeScorer\\(run=True\\)"),
        (lambda s: s.evaluate("/nowhere/labels.jsonl"), "cannot read /nowhere/labels.jsonl: no such file"),
        (lambda s: CodeScorer(sandbox="wasm"), "need `run=True`"),
        (lambda s: CodeScorer(command="no-such-command").score([]), "there is no such program"),
        (lambda s: CodeScorer(command=["sh", "-c", "read line; echo hello; cat >/dev/null"]).score([]), "expected frames as .* got 'hello'"),
        (lambda s: CodeScorer(command=["sh", "-c", "echo \"error: unknown option '--stdio'\" >&2; exit 2"]).score([]), "older than this package"),
        (lambda s: CodeScorer(command=["sh", "-c", 'read line; echo \'{"id":1,"result":{"protocol":9,"version":"3"}}\'; cat >/dev/null']).score([]), "same version"),
    ],
)
def test_a_wrong_call_says_what_to_do(scorer: CodeScorer, call: Any, message: str) -> None:
    with pytest.raises(CodescoreError, match=message):
        call(scorer)
    assert scorer.score([{"candidate": "x = 1", "reference": "x = 1"}])[0]["score"] > 0.5


def test_a_missing_model_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(CodescoreError, match="no-such-model") as raised:
        CodeScorer("no-such-model").score([])
    assert str(raised.value).count("no-such-model") <= 2  # the name and the path that was looked at
    assert caplog.records == []


def test_a_row_that_cannot_be_scored_is_an_error_in_its_place(scorer: CodeScorer, pair: Any) -> None:
    found = scorer.score([pair, {"reference": "x = 1", "other": object()}, {"candidate": "\ud800 = 1", "reference": "x"}, {"candidate": "x = 1"}, pair])
    assert found[1]["error"] == {"code": "input", "message": "row 1: expected a field `candidate`, got the fields reference, other"}
    assert "score" in found[2]
    assert found[3]["error"]["message"] == "row 3: expected a reference or a description to score against, got neither"
    assert found[0]["score"] == found[4]["score"]


def test_gives_up_after_its_timeout(running: CodeScorer, pair: Any) -> None:
    endless = "def f(x: int) -> int:\n    while True: x = len(str([x]))\n"
    rows = [{**pair, "candidate": f"{endless}# {number}\n", "task_id": str(number)} for number in range(50)]
    with pytest.raises(CodescoreTimeout):
        running.score(rows, timeout=0.3)
    with pytest.raises(TimeoutError):
        list(running.score(iter(rows), timeout=0.0))
    assert running.score([pair], run=False)[0]["format"] == "ref"
    with pytest.raises(CodescoreError, match="`seed` needs candidates to run.*: leave out `run=False`"):
        running.score([pair], run=False, seed=1)


def test_labels_and_evaluates(running: CodeScorer, pair: Any, tmp_path: Any) -> None:
    check = "def check(candidate):\n    assert candidate(3) == 9\n    assert candidate(2) == 4\n"
    problem = {"task_id": "square", "prompt": "", "canonical_solution": pair["reference"], "test": check, "entry_point": "f"}
    samples = [{"task_id": "square", "solution": pair[name]} for name in ("reference", "candidate")]
    labelled = running.label([problem], samples)
    assert [row["pass_ratio"] for row in labelled.rows] == [1, 0.5]
    assert labelled.summary["labelled"] == 2
    assert "out" not in labelled.summary and "manifest" not in labelled.summary
    kept = running.label([problem], samples, tmp_path / "kept.jsonl")
    assert kept.summary["out"] == str(tmp_path / "kept.jsonl")
    assert kept.rows == []
    assert (tmp_path / "kept.jsonl.manifest.json").exists() or (tmp_path / "kept.manifest.json").exists()
    result = running.evaluate(labelled.rows, metrics="chrf,rule", resamples=10)
    assert {"codescore", "chrf", "rule"} <= {column["name"] for column in result["columns"]}
    for metrics in (["chrf", "rule"], []):
        again = running.evaluate(labelled.rows, metrics=metrics, resamples=10)
        assert {column["name"] for column in again["columns"] if column["name"] in ("chrf", "rule")} == set(metrics)
    scored = running.evaluate(tmp_path / "kept.jsonl", running.score(labelled.rows), metrics="none", resamples=10)
    assert "scores" in {column["name"] for column in scored["columns"]}
    named = {"text": running.score(labelled.rows, run=False), "run": running.score(labelled.rows)}
    both = running.evaluate(labelled.rows, named, metrics="none", resamples=10, report=tmp_path / "report.html")
    assert [column["name"] for column in both["columns"]][:2] == ["text", "run"]
    assert "<svg" in (tmp_path / "report.html").read_text(encoding="utf-8")
    with pytest.raises(CodescoreError, match="expected names without =, / and .*, got 'a=b'"):
        running.evaluate(labelled.rows, {"a=b": []})
