"""codescore for Python: scores programs with the `codescore` command as a child, or with a server. See docs/python.md."""

from .aio import AsyncCodeScorer
from .errors import CodescoreError, CodescoreTimeout
from .scorer import CodeScorer
from .types import Behaviour, Counterexample, Labelled, Result, Row, RowError

__version__ = "0.2.0"

__all__ = [
    "AsyncCodeScorer",
    "Behaviour",
    "CodeScorer",
    "CodescoreError",
    "CodescoreTimeout",
    "Counterexample",
    "Labelled",
    "Result",
    "Row",
    "RowError",
    "__version__",
]
