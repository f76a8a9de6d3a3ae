"""The harness: its command line with its dummy model, and a model of ours with prepared answers."""

from __future__ import annotations

import json
import math
import sys
from functools import partialmethod
from pathlib import Path
from typing import Any

import pytest

from codescore import CodeScorer, CodescoreError

pytest.importorskip("lm_eval")

from lm_eval import simple_evaluate  # noqa: E402
from lm_eval.__main__ import cli_evaluate  # noqa: E402
from lm_eval.api.model import LM  # noqa: E402
from lm_eval.tasks import TaskManager  # noqa: E402

from codescore.integrations.lm_eval import BestFilter, codescore, mean, process_results  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
TASKS = ROOT / "examples" / "python" / "lm-eval"


class Answers(LM):  # type: ignore[misc]
    """Answers each document with its own program, then with half of it."""

    def __init__(self) -> None:
        super().__init__()
        with open(ROOT / "datasets" / "starter" / "mbpp-style.jsonl", encoding="utf-8") as file:
            self._code = {row["text"]: row["code"] for row in map(json.loads, file)}
        self._asked: dict[str, int] = {}

    def generate_until(self, requests: Any, disable_tqdm: bool = False) -> list[str]:
        return [self._answer(request.arguments[0]) for request in requests]

    def _answer(self, prompt: str) -> str:
        code = next(code for text, code in self._code.items() if text in prompt)
        before = self._asked.get(prompt, 0)
        self._asked[prompt] = before + 1
        return f"```python\n{code}\n```" if before % 2 else code.split("\n", 1)[0] + "\n    return None\n"

    def loglikelihood(self, requests: Any, disable_tqdm: bool = False) -> Any:
        raise NotImplementedError

    loglikelihood_rolling = loglikelihood


@pytest.fixture
def at_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """The task names its data by a path from the clone's root."""
    monkeypatch.chdir(ROOT)


def test_keeps_the_best_response_and_scores_it(at_root: None, scorer: CodeScorer) -> None:
    found = simple_evaluate(Answers(), tasks=["codescore_starter", "codescore_starter_best"], limit=4, task_manager=TaskManager(include_path=str(TASKS), include_defaults=False), bootstrap_iters=0)
    first, best = (found["results"][name]["codescore,none" if name == "codescore_starter" else "codescore,best"] for name in ("codescore_starter", "codescore_starter_best"))
    assert first < 0.3
    assert best > 0.9
    for sample in found["samples"]["codescore_starter"]:
        row = {"candidate": sample["filtered_resps"][0], "reference": sample["doc"]["code"], "description": sample["doc"]["text"]}
        assert sample["codescore"] == scorer.score([row])[0]["score"]


def test_runs_from_the_command_line(at_root: None, tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--model", "dummy", "--tasks", "codescore_starter", "--include_path", str(TASKS), "--limit", "2", "--output_path", str(tmp_path / "out")]
    monkeypatch.setattr(sys, "argv", ["lm_eval", *arguments])
    # The command has no option for it: reading the thousands of tasks that come with the harness takes most of the time.
    monkeypatch.setattr(TaskManager, "__init__", partialmethod(TaskManager.__init__, include_defaults=False))
    cli_evaluate()  # in this process: loading the harness in another one takes ten times as long as the run
    assert "codescore_starter" in capsys.readouterr().out
    (path,) = (tmp_path / "out").rglob("results*.json")
    assert 0 <= json.loads(path.read_text())["results"]["codescore_starter"]["codescore,none"] < 0.5


def test_the_metric_is_the_scorer(scorer: CodeScorer, pair: Any) -> None:
    score = scorer.score([pair])[0]["score"]
    assert codescore(references=[pair["reference"]], predictions=[pair["candidate"]]) == score
    assert codescore(references=[pair["reference"]], predictions=[[pair["candidate"], ""]]) == score / 2
    assert math.isnan(codescore(references=["public class A {}"], predictions=["x = 1"]))
    assert mean([0.5, math.nan, 1.0]) == 0.75
    assert math.isnan(mean([]))


def test_documents_are_read_by_the_names_of_known_sets(scorer: CodeScorer, pair: Any) -> None:
    head, body = pair["reference"].split("\n", 1)
    humaneval = {"prompt": f'{head}\n    """The square."""\n', "canonical_solution": body, "entry_point": "f", "task_id": "HumanEval/0", "test": ""}
    mbpp = {"prompt": "Write f, the square.", "code": pair["reference"], "task_id": 7, "test_list": []}
    whole = {"candidate": humaneval["prompt"] + "    return x\n", "reference": humaneval["prompt"] + body, "description": humaneval["prompt"], "entry_point": "f"}
    asked = {**pair, "description": mbpp["prompt"]}
    expected = [result["score"] for result in scorer.score([whole, asked])]
    assert [process_results(humaneval, ["    return x\n"])["codescore"], process_results(mbpp, [[pair["candidate"]]])["codescore"]] == expected


def test_the_filter_chooses_without_the_reference(pair: Any) -> None:
    right, wrong = pair["reference"], pair["candidate"]
    doc = {"text": "Write f(x), the square of an integer.\n>>> f(3)\n9\n", "code": wrong}
    assert BestFilter(run=True).apply([[wrong, right, ""]], [doc]) == [[right]]
    assert BestFilter(run=True, reference="code").apply([[right, wrong], []], [doc, doc]) == [[wrong], []]
    with pytest.raises(CodescoreError, match="expected the documents to have a field 'answer', got text, code"):
        BestFilter(reference="answer").apply([[right]], [doc])
