"""A set for the engines: correct, wrong, broken and endless programs, and ones that attack their process; with one machine's labels of them."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from codescore.command import find_command

ROWS = int(os.environ.get("CODESCORE_ROWS", "600"))
"""20,000 for the measurements of docs/clusters.md."""
SHARDS = max(4, ROWS // 500)
TASKS = 40


@dataclass(frozen=True)
class EngineSet:
    folder: Path
    problems: str
    samples: str
    shards: str
    """The folder of `codescore datasets shard`."""
    whole: Path
    """One machine's labels."""

    def files(self) -> list[str]:
        return sorted(str(path) for path in Path(self.shards).glob("*.jsonl"))

    def assert_joined(self, joined: Path) -> None:
        assert joined.read_bytes() == self.whole.read_bytes()
        ours, theirs = (json.loads(Path(f"{path}.manifest.json").read_text()) for path in (joined, self.whole))
        assert {**ours, "file": ""} == {**theirs, "file": ""}


def _program(n: int, k: int) -> str:
    if n % 200 == 123:
        return f"    while True: x = {n}\n"
    if n % 500 == 77:
        return f"    import os\n    os.kill(os.getppid(), 9)\n    os._exit({n % 7})\n"
    if n % 400 == 88:
        return f"    return [0] * (10 ** 11 + {n})\n"
    return (
        f"    y = {n}\n    return x + {k} + y - {n}\n",
        f"    y = {n}\n    return x - {k}\n",
        f"    return x + {k} if x < {n % 60} else {n}\n",
        f"    a = [{n}, x]\n    return a[1] + {k}\n",
        f"    raise ValueError({n})\n",
        f"    for i in range({n % 50}):\n        x += 1\n    return x\n",
    )[n % 6]


def write_problems(folder: Path) -> str:
    """Writes problems that ask to add a number, one for each of several numbers."""
    problems = folder / "p.jsonl"
    with open(problems, "w", encoding="utf-8") as file:
        for i in range(TASKS):
            test = "def check(candidate):\n" + "".join(f"    assert candidate({x}) == {x + i}\n" for x in (1, 2, 3, 50))
            row = {"task_id": f"T/{i}", "prompt": "def f(x):\n", "entry_point": "f", "canonical_solution": f"    return x + {i}\n", "test": test}
            file.write(json.dumps(row) + "\n")
    return str(problems)


def make(folder: Path) -> EngineSet:
    problems, samples, shards, whole = (folder / name for name in ("p.jsonl", "s.jsonl", "shards", "whole.arrow"))
    write_problems(folder)
    with open(samples, "w", encoding="utf-8") as file:
        for n in range(ROWS):
            k = n * 7919 % TASKS
            file.write(json.dumps({"task_id": f"T/{k}", "completion": _program(n, k), "model": f"m{n % 7}"}) + "\n")
    given = ["--problems", str(problems), "--samples", str(samples)]
    for words in (
        ["datasets", "shard", *given, "--shards", str(SHARDS), "--output", str(shards)],
        ["label", *given, "--output", str(whole), "--workers", "2"],
    ):
        subprocess.run([*find_command(), *words], check=True, capture_output=True)
    return EngineSet(folder, str(problems), str(samples), str(shards), whole)
