"""codescore for Python: scores of programs, by the `codescore` command as a child or a server. docs/python.md says how."""

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
