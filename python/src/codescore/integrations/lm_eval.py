"""For lm-evaluation-harness: a metric, `process_results`, and a filter that keeps the best of many responses.

A task's YAML names them as `!function codescore.integrations.lm_eval.process_results`, so they need no other registration.
"""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Optional

from lm_eval.api.filter import Filter
from lm_eval.api.registry import register_filter

from ..errors import CodescoreError
from ..scorer import CodeScorer
from .answers import judge

_log = logging.getLogger("codescore")

_scorer = lru_cache(maxsize=None)(CodeScorer)

# Matches a prompt that contains the beginning of a program, which responses may continue. Any other prompt is a description in words.
_BEGINS = re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+\w", re.MULTILINE)

# Names of these fields in documents: this package's names, HumanEval's and MBPP's.
_NAMES: Mapping[str, tuple[str, ...]] = {
    "reference": ("reference", "canonical_solution", "code"),
    "description": ("description", "text"),
    "prompt": ("prompt",),
    "entry_point": ("entry_point",),
    "task_id": ("task_id",),
}


def codescore(
    references: Sequence[str], predictions: Sequence[Any], model: Optional[str] = None, run: bool = False, **options: Any
) -> float:
    """A metric: the mean score of the predictions against the references, from 0 to 1; NaN if there is none.

    model, run: as in CodeScorer; options: as in CodeScorer.score. A YAML gives them beside `metric`.
    """
    pairs = [(text, reference) for reference, found in zip(references, predictions) for text in ([found] if isinstance(found, str) else found)]
    return _mean_of([{"candidate": text, "reference": reference} for text, reference in pairs], model, run, options)


def process_results(doc: Mapping[str, Any], results: Sequence[Any]) -> dict[str, float]:
    """A task's `process_results`: `codescore`, the mean score of the responses to a document, by its reference and description.

    The document has a `reference` (`canonical_solution`, `code`), a `description` (`text`) or both; responses may continue its `prompt`.
    """
    return {"codescore": _mean_of(_rows(doc, results, {}), None, False, {})}


def process_results_run(doc: Mapping[str, Any], results: Sequence[Any]) -> dict[str, float]:
    """As `process_results`; the responses also run in a sandbox."""
    return {"codescore": _mean_of(_rows(doc, results, {}), None, True, {})}


def mean(scores: Iterable[float]) -> float:
    """An aggregation: the mean of the scores that exist; NaN if there are none."""
    known = [score for score in scores if not math.isnan(score)]
    return sum(known) / len(known) if known else math.nan


@register_filter("codescore_best")
class BestFilter(Filter):  # type: ignore[misc]
    """A filter: keeps the best of the responses to each document; of equal ones the first.

    reference, description, entry_point: the documents' names of these fields, if they differ. The reference does not influence the choice
    unless `reference` names it: a choice among samples must be made from what a model's user has.
    run, model: as in CodeScorer; with `run` the description's examples and the other responses count. options: as in CodeScorer.score.
    """

    def __init__(
        self,
        run: bool = False,
        model: Optional[str] = None,
        reference: Optional[str] = None,
        description: Optional[str] = None,
        entry_point: Optional[str] = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self._scorer = _scorer(model, run)
        self._named = {"reference": reference, "description": description, "entry_point": entry_point}
        self._options = options

    def apply(self, resps: Iterable[Sequence[str]], docs: Sequence[Mapping[str, Any]]) -> list[list[str]]:
        groups = [list(texts) for texts in resps]
        asked = [_rows(doc, texts, self._named) for doc, texts in zip(docs, groups)]
        if self._named["reference"] is None:
            asked = [[{**row, "reference": None} for row in rows] for rows in asked]
        rows = [{**row, "task_id": str(place)} for place, rows in enumerate(asked) for row in rows]
        scores = iter([-1.0 if one.score is None else one.score for one in judge(self._scorer, rows, **self._options)])
        return [texts[:1] if not texts else [max(((next(scores), -place), text) for place, text in enumerate(texts))[1]] for texts in groups]


def _rows(doc: Mapping[str, Any], responses: Sequence[Any], named: Mapping[str, Optional[str]]) -> list[dict[str, Any]]:
    found = {}
    for name, known in _NAMES.items():
        field = named.get(name)
        if field is not None and field not in doc:
            raise CodescoreError("usage", f"expected the documents to have a field {field!r}, got {', '.join(doc)}")
        field = field or next((one for one in known if one in doc), None)
        if field is not None:
            found[name] = doc[field]
    prompt = found.get("prompt")
    if prompt is not None:
        found.setdefault("description", prompt)
        if not _BEGINS.search(prompt):
            del found["prompt"]
    texts = [text for one in responses for text in ([one] if isinstance(one, str) else one)]
    return [{**found, "candidate": text} for text in texts]


def _mean_of(rows: Sequence[Mapping[str, Any]], model: Optional[str], run: bool, options: Mapping[str, Any]) -> float:
    judged = judge(_scorer(model, run), rows, **options)
    for one in judged:
        if one.score is None:
            _log.warning("a response has no score: %s", one.why)
    return mean(one.score for one in judged if one.score is not None)
