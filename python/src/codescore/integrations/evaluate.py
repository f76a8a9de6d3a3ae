"""A metric for Hugging Face `evaluate`: `evaluate.load(codescore.integrations.evaluate.__file__)`.

`evaluate` copies this file to another folder, so it imports nothing by a relative name.
"""

from __future__ import annotations

from typing import Any, Optional

import datasets
import evaluate

from codescore import CodeScorer, CodescoreError
from codescore.integrations.answers import judge

_DESCRIPTION = "How much of its reference's job a Python program does, from 0 to 1: predicted without running it, or measured by running it in a sandbox."

_INPUTS = """
Args:
    predictions: Python programs, or lists of programs for one reference each. Markdown fences are taken off.
    references: right programs; with the configuration "nl" descriptions in words.
    descriptions: what is asked, in words, one for each reference.
    format, inputs, seed, until, consensus, timeout: as CodeScorer.score has them.
Returns:
    codescore: the mean of the scores.
    scores: a score for each prediction, as the predictions lie; 0 for what is no Python program, None where there is none.
    unscored: how many there are of these; no part of the mean.
    signature: names the model: scores of one signature can be compared.
"""


class Codescore(evaluate.Metric):  # type: ignore[misc]
    """`evaluate.load(path, run=True, model="tiny")`: the arguments after the path go to CodeScorer."""

    def __init__(self, *arguments: Any, model: Optional[str] = None, run: bool = False, **options: Any) -> None:
        super().__init__(*arguments, **options)
        if self.config_name not in ("default", "nl"):
            raise CodescoreError("usage", f'expected the configuration "default" (references are programs) or "nl" (descriptions), got {self.config_name!r}')
        self._scorer = CodeScorer(model, run=run)

    def _info(self) -> evaluate.MetricInfo:
        program, several = datasets.Value("string"), datasets.Sequence(datasets.Value("string"))
        features = [datasets.Features({"predictions": predictions, "references": program}) for predictions in (program, several)]
        return evaluate.MetricInfo(description=_DESCRIPTION, citation="", inputs_description=_INPUTS, features=features)

    def _compute(self, predictions: Any, references: Any, descriptions: Any = None, **options: Any) -> dict[str, Any]:
        asked: list[dict[str, Any]] = [{"description" if self.config_name == "nl" else "reference": text} for text in references]
        if descriptions is not None:
            if len(descriptions) != len(asked) or self.config_name == "nl":
                raise CodescoreError("usage", f'expected {len(asked)} descriptions, one for each reference that is a program, got {len(descriptions)}')
            asked = [{**one, "description": text} for one, text in zip(asked, descriptions)]
        groups = [[one] if isinstance(one, str) else list(one) for one in predictions]
        rows = [{**row, "candidate": text, "task_id": str(place)} for place, (row, texts) in enumerate(zip(asked, groups)) for text in texts]
        scores = [one.score for one in judge(self._scorer, rows, **options)]
        known = [score for score in scores if score is not None]
        each = iter(scores)
        return {
            "codescore": sum(known) / len(known) if known else float("nan"),
            "scores": [next(each) if isinstance(one, str) else [next(each) for _ in one] for one in predictions],
            "unscored": len(scores) - len(known),
            "signature": self._scorer.signature,
        }
