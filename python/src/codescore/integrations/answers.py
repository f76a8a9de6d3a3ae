"""Scores models' answers as trainers and harnesses need it: every answer is judged, no matter what it says.

An answer that cannot be scored through its own fault (it is too long, or Java) counts as 0: a model must not gain by such answers. If something
else is at fault (the reference, the time, the child) there is no score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional

from ..errors import CodescoreError
from ..scorer import CodeScorer
from ..types import Result

# Scored instead of a faulty answer, to find out whether the rest of the row can be scored.
_PROGRAM = "pass\n"


@dataclass(frozen=True)
class Judged:
    """One answer's score, and what is known about it."""

    score: Optional[float]
    """From 0 to 1; 0 for an answer that is no Python program; None where there is none through no fault of the answer."""
    result: Result
    """As the scorer has it."""

    @property
    def why(self) -> Optional[str]:
        """The reason for the score in words: the error, the input on which the answer goes wrong, why it fails, or the notes."""
        error, behaviour = self.result.get("error"), self.result.get("behaviour")
        if error is not None:
            return error["message"]
        shown = None if behaviour is None else behaviour.get("counterexample")
        if shown is not None:
            return f"{shown['input']}: expected {shown['expected']}, got {shown['got']}"
        if self.result.get("conclusion") == "fails":
            return self.result.get("reason")
        return "; ".join(self.result.get("notes", [])) or None


def judge(scorer: CodeScorer, rows: Sequence[Mapping[str, Any]], **options: Any) -> list[Judged]:
    """Judges the answers, the `candidate` of each row, in their order. If time runs out or the child dies, raises nothing: those answers
    have no score. Raises CodescoreError for wrong use, and if the child cannot be started.

    options: as in CodeScorer.score.
    """
    results = _scored(scorer, rows, options)
    wrong = [place for place, result in enumerate(results) if "error" in result and result["error"]["code"] == "input"]
    probed = {"format": options.get("format"), "timeout": options.get("timeout"), "run": False}
    probes = _scored(scorer, [{**rows[place], "candidate": _PROGRAM} for place in wrong], probed)
    own = {place for place, probe in zip(wrong, probes) if "error" not in probe}
    scores = [0.0 if place in own else result.get("score") for place, result in enumerate(results)]
    return [Judged(None if score is None else float(score), result) for score, result in zip(scores, results)]


def _scored(scorer: CodeScorer, rows: Sequence[Mapping[str, Any]], options: Mapping[str, Any]) -> list[Result]:
    """One result per row: those that arrived, then for each other row the error that prevented it."""
    results: list[Result] = []
    if not rows:
        return results
    try:
        results.extend(scorer.score(iter(rows), **options))
    except CodescoreError as error:
        if error.code != "infra":
            raise
        left: Result = {"error": {"code": error.code, "message": str(error)}}
        results.extend([left] * (len(rows) - len(results)))
    return results
