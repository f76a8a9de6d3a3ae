"""Adds `df.codescore.score()` to DataFrames. Import this module once."""

from __future__ import annotations

from typing import Any, Optional

import pandas

from ..scorer import CodeScorer

_NAMES = ("candidate", "reference", "description", "task_id", "entry_point")


@pandas.api.extensions.register_dataframe_accessor("codescore")
class CodescoreAccessor:
    """Scores a frame's rows; results have its index. `candidate="answer"` and the like say which column is which, if names differ.

    scorer: a scorer that is already open, for many frames; otherwise each call opens one, with `model` and `run`.
    """

    def __init__(self, frame: pandas.DataFrame) -> None:
        self._frame = frame

    def score(self, *, scorer: Optional[CodeScorer] = None, model: Optional[str] = None, **options: Any) -> pandas.DataFrame:
        """As CodeScorer.score."""
        return self._call("score", scorer, model, options)

    def rank(self, *, scorer: Optional[CodeScorer] = None, model: Optional[str] = None, **options: Any) -> pandas.DataFrame:
        """As CodeScorer.rank."""
        return self._call("rank", scorer, model, options)

    def best(self, *, scorer: Optional[CodeScorer] = None, model: Optional[str] = None, **options: Any) -> pandas.DataFrame:
        """As CodeScorer.best."""
        return self._call("best", scorer, model, options)

    def _call(self, method: str, scorer: Optional[CodeScorer], model: Optional[str], options: dict[str, Any]) -> pandas.DataFrame:
        named = {options.pop(name): name for name in _NAMES if name in options}
        missing = [column for column in named if column not in self._frame.columns]
        if missing:
            raise KeyError(f"expected the columns {', '.join(map(repr, missing))}, got {', '.join(map(str, self._frame.columns))}")
        # If another column is to be read as `candidate`, the frame's own `candidate` is dropped. The same for other names.
        rows = self._frame.drop(columns=[name for name in named.values() if name in self._frame.columns and name not in named])
        rows = rows.rename(columns=named)
        found: pandas.DataFrame
        if scorer is not None:
            found = getattr(scorer, method)(rows, **options)
            return found
        with CodeScorer(model, run=bool(options.get("run"))) as opened:
            found = getattr(opened, method)(rows, **options)
            return found
