"""The scorer in inspect_ai's own evaluation, with its mock model."""

from __future__ import annotations

import math
import sys
from importlib.metadata import entry_points
from typing import Any

import pytest

from codescore import CodeScorer

pytest.importorskip("inspect_ai")

from inspect_ai import Task, eval, score  # noqa: E402
from inspect_ai.dataset import Sample  # noqa: E402
from inspect_ai.model import ModelOutput, ModelUsage, get_model  # noqa: E402
from inspect_ai.solver import generate  # noqa: E402

from codescore.integrations.inspect_ai import codescore  # noqa: E402

ASKED = "Write f(x), the square of an integer."


def run(answers: list[str], samples: list[Any], scorer: Any, folder: Any) -> Any:
    outputs = [ModelOutput.from_content("mockllm/model", answer) for answer in answers]
    for output in outputs:
        output.usage = ModelUsage()  # otherwise tokens are counted with a table that is downloaded
    task = Task(dataset=samples, solver=generate(), scorer=scorer)
    (log,) = eval(task, model=get_model("mockllm/model", custom_outputs=outputs), max_samples=1, log_dir=str(folder), display="none")
    assert log.status == "success", log.error
    return log


def scores_of(log: Any) -> list[Any]:
    return [sample.scores["codescore"] for sample in log.samples]


def test_scores_what_the_model_answers(running: CodeScorer, pair: Any, tmp_path: Any) -> None:
    right, wrong = pair["reference"], pair["candidate"]
    answers = [right, f"Here:\n```python\n{wrong}```", "", "public class A {}", right]
    samples = [Sample(input=ASKED, target=right) for _ in range(4)] + [Sample(input="public class A {}", target="public class A {}")]
    log = run(answers, samples, codescore(run=True), tmp_path)
    found = scores_of(log)
    rows = [{"candidate": text, "reference": right, "description": ASKED, "task_id": "0"} for text in answers[:2]]
    assert [one.value for one in found[:2]] == [running.score([row])[0]["score"] for row in rows]
    assert "expected" in found[1].explanation
    assert [(one.value, one.reason) for one in found[2:4]] == [(0.0, "no_response"), (0.0, "invalid_response_format")]
    assert math.isnan(found[4].value)
    assert (found[4].reason, found[0].metadata["format"]) == ("scoring_failed", "ref+nl")
    (result,) = log.results.scores
    assert result.metrics["mean"].value == pytest.approx(sum(one.value for one in found[:4]) / 4)
    assert result.unscored_samples == 1


def test_reads_metadata_and_scores_logs_anew(scorer: CodeScorer, pair: Any, tmp_path: Any) -> None:
    samples = [Sample(input="?", metadata={"solution": pair["reference"], "task": ASKED, "entry_point": "f"})]
    log = run([pair["candidate"]], samples, codescore(reference="solution", description="task"), tmp_path)
    anew = score(log, codescore(reference="solution", description=None), action="overwrite", display="none")
    alone = [scorer.score([{**pair, **more}])[0]["score"] for more in ({"description": ASKED, "entry_point": "f"}, {})]
    assert [scores_of(one)[0].value for one in (log, anew)] == alone


def test_inspect_finds_it_by_its_name() -> None:
    assert {found.load() for found in entry_points(group="inspect_ai", name="codescore")} == {sys.modules[codescore.__module__]}
