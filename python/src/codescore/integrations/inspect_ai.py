"""A scorer for inspect_ai: `Task(..., scorer=codescore())`, or `inspect score log.json --scorer codescore/codescore`."""

from __future__ import annotations

from functools import partial
from typing import Any, Optional

import anyio.to_thread
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from ..scorer import CodeScorer
from .answers import judge


@scorer(metrics=[mean(), stderr()])  # type: ignore[untyped-decorator,unused-ignore]
def codescore(
    run: bool = False,
    reference: str = "target",
    description: Optional[str] = "input",
    model: Optional[str] = None,
    timeout: Optional[float] = 120.0,
    **options: Any,
) -> Scorer:
    """The score of the program in the model's answer, from 0 to 1.

    A sample's target is the reference program, and its input the description. `reference="solution"` and `description="task"` name fields of
    the sample's metadata instead; empty or missing ones are left out. The metadata may have an `entry_point`.
    An answer that is not a Python program has value 0 and the reason `no_response` or `invalid_response_format`. If something else prevents
    scoring, the sample is unscored and does not count in the metrics.

    run: also run the program in a sandbox. model: as in CodeScorer. timeout: seconds per sample, without the start of the child.
    options: as in CodeScorer.score, such as `inputs=20`.
    """
    client = CodeScorer(model, run=run)

    async def score(state: TaskState, target: Target) -> Score:
        known = {**state.metadata, "target": target.text, "input": state.input_text}
        answer = state.output.completion
        row = {
            "candidate": answer,
            "reference": known.get(reference) or None,
            "description": None if description is None else known.get(description) or None,
            "task_id": str(state.sample_id),
            "entry_point": known.get("entry_point"),
        }
        call = partial(judge, client, [row], timeout=timeout, **options)
        (judged,) = await anyio.to_thread.run_sync(call, abandon_on_cancel=True)
        told: dict[str, Any] = {"answer": answer, "explanation": judged.why, "metadata": dict(judged.result)}
        if judged.score is None:
            return Score.unscored(reason="scoring_failed", **told)
        if not answer.strip():
            told["reason"] = "no_response"
        elif "error" in judged.result:
            told["reason"] = "invalid_response_format"
        return Score(value=judged.score, **told)

    return score
