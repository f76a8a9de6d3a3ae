"""Rows made from the starter problems, and the command to compare with."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Callable

import pytest

from codescore import CodeScorer
from codescore.command import find_command
from codescore.errors import CodescoreError

STARTER = Path(__file__).resolve().parents[2] / "datasets" / "starter"


def _problems() -> list[tuple[str, str, str]]:
    with open(STARTER / "mbpp-style.jsonl", encoding="utf-8") as file:
        return [(row["task_id"], row["text"], row["code"]) for row in map(json.loads, file)]


@pytest.fixture(scope="session")
def rows() -> list[dict[str, Any]]:
    """25 rows of five tasks: correct, changed, broken and odd ones, some of them without a reference."""
    made: list[dict[str, Any]] = []
    for number, (task, text, code) in enumerate(_problems()[:5]):
        changed = code.replace("+", "-") if number % 2 else code.replace("<", "<=").replace("1", "2")
        fenced = f"Here it is:\n```python\n{code}\n```\n"
        for kind, candidate in enumerate((code, changed, fenced, code.split("\n", 1)[0] + "\n    return None\n", "public class A {}")):
            row: dict[str, Any] = {"id": f"{task}/{kind}", "task_id": task, "candidate": candidate, "description": text}
            made.append(row if number % 3 == 0 else {**row, "reference": code})
    return made


@pytest.fixture(scope="session")
def scorer() -> Iterator[CodeScorer]:
    """One child for all tests that do not end it."""
    with CodeScorer() as made:
        yield made


@pytest.fixture(scope="session")
def running() -> Iterator[CodeScorer]:
    """The same for a scorer that runs candidates."""
    with CodeScorer(run=True) as made:
        yield made


@pytest.fixture(scope="session")
def pair() -> dict[str, str]:
    return {"candidate": "def f(x: int) -> int:\n    return x + x\n", "reference": "def f(x: int) -> int:\n    return x * x\n"}


@pytest.fixture(scope="session")
def by_command() -> Callable[..., list[dict[str, Any]]]:
    """Returns a function that gives what `codescore score` prints for rows."""

    def score(rows: list[dict[str, Any]], *arguments: str) -> list[dict[str, Any]]:
        text = "".join(json.dumps(row) + "\n" for row in rows)
        done = subprocess.run([*find_command(), "score", *arguments], input=text, capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1), done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    return score


_home = tempfile.mkdtemp(prefix="codescore-tests-")


def pytest_configure() -> None:
    """Hugging Face's libraries read these when they are imported: they store files there, and do not contact the hub."""
    os.environ.update(HF_HOME=_home, HF_HUB_OFFLINE="1")


def pytest_unconfigure() -> None:
    shutil.rmtree(_home, ignore_errors=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skips all tests if there is no command to test with."""
    try:
        find_command()
    except CodescoreError as error:
        for item in items:
            item.add_marker(pytest.mark.skip(reason=str(error)))
