"""The one exception type. Its message says what was expected, what was given, and how to fix it."""

from __future__ import annotations


class CodescoreError(Exception):
    """A wrong call, a bad file, a missing tool, or a child that died. A row that cannot be scored is a result and raises nothing.

    code: "usage", "input", "model", "environment" or "infra", as in the command's errors; also "busy" and "key" from a server.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[type[CodescoreError], tuple[str, str]]:
        return type(self), (self.code, str(self))


class CodescoreTimeout(CodescoreError, TimeoutError):
    """The call took longer than its `timeout`. It was cancelled on the other side too."""
