"""The shard function: joined, the stored shards equal one machine's set; a worker that dies costs only its row."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import engine_set
import pytest

pa = pytest.importorskip("pyarrow")
fsspec = pytest.importorskip("fsspec")

from codescore import CodeScorer, CodescoreError  # noqa: E402
from codescore.command import find_command  # noqa: E402
from codescore.shards import Store, join, main, read_lines  # noqa: E402
from codescore.worker import Shard, Task, Worker, beside, cut, located  # noqa: E402


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> engine_set.EngineSet:
    return engine_set.make(tmp_path_factory.mktemp("set"))


def task_of(made: engine_set.EngineSet, **options: Any) -> Task:
    return Task("label", ("--workers", "1"), located(made.problems), **options)


def test_stored_shards_joined_are_one_machine_s_set(made: engine_set.EngineSet, tmp_path: Path) -> None:
    store = Store(str(tmp_path / "labels"))
    with Worker(task_of(made, rows=30)) as worker:
        found = [row for path in made.files() for row in store.label(worker, read_lines(path)).to_pylist()]
        assert sum(row["rows"] for row in found) == engine_set.ROWS
        assert sum(row["faults"] for row in found) == 0
        assert worker._process is not None
        os.kill(worker._process.pid, signal.SIGKILL)
        again = [row for path in made.files() for row in store.label(worker, read_lines(path)).to_pylist()]
        assert again == found  # stored shards are not labelled again
    join(str(tmp_path / "labels"), str(tmp_path / "joined.arrow"), made.shards)
    made.assert_joined(tmp_path / "joined.arrow")


def test_a_shard_s_bytes_do_not_depend_on_who_ran_it(made: engine_set.EngineSet, tmp_path: Path) -> None:
    first, second = (read_lines(path) for path in made.files()[:2])
    for name, order in (("a", (first, second)), ("b", (second.take(list(reversed(range(second.num_rows)))), first))):
        with Worker(task_of(made)) as worker:
            for table in order:
                Store(str(tmp_path / name)).label(worker, table)
    contents = [{path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in "ab"]
    assert contents[0] == contents[1]
    assert len(contents[0]) == 4


def test_a_killed_worker_is_started_anew(made: engine_set.EngineSet) -> None:
    table = read_lines(made.files()[0]).slice(0, 30)
    with Worker(task_of(made, rows=10)) as worker:
        shards = worker.run(table)
        expected = [next(shards).rows]
        assert worker._process is not None
        os.kill(worker._process.pid, signal.SIGKILL)
        expected += [shard.rows for shard in shards]
        assert [shard.rows for shard in worker.run(table)] == expected


POISON = """
import subprocess, sys, os
child = subprocess.Popen({command!r} + sys.argv[1:], stdin=subprocess.PIPE)
while data := os.read(0, 1 << 16):
    if b"POISON" in data:
        child.kill()
        os.kill(os.getpid(), 9)
    child.stdin.write(data)
    child.stdin.flush()
child.stdin.close()
sys.exit(child.wait())
"""


def test_a_row_with_which_the_worker_dies_is_that_row_s_error(made: engine_set.EngineSet, tmp_path: Path) -> None:
    script = tmp_path / "poison.py"
    script.write_text(POISON.format(command=list(find_command())))
    rows = read_lines(made.files()[0]).slice(0, 5).to_pylist()
    rows[1]["completion"] = "    return 'POISON'\n"
    task = task_of(made, command=(sys.executable, str(script)))
    labels = tmp_path / "labels"
    shards: list[Shard] = []
    with Worker(task) as worker:
        answered = worker.answered

        def recorded(part: pa.Table) -> Iterator[Shard]:
            for shard in answered(part):
                if part.num_rows == len(rows):  # not the parts that it calls itself with
                    shards.append(shard)
                yield shard

        worker.answered = recorded  # type: ignore[method-assign]
        assert sum(row["faults"] for row in Store(str(labels)).label(worker, pa.Table.from_pylist(rows)).to_pylist()) == 1
    found = [row for shard in shards for row in shard.rows.to_pylist()]
    assert [row["position"] for row in found] == list(range(5))
    assert [row["error_code"] for row in found] == [None, "infra", None, None, None]
    assert "the worker died 2 times with this row" in found[1]["error"]
    written = tmp_path / "five.jsonl"
    written.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(CodescoreError, match="the worker died 2 times with this row"):
        join(str(labels), str(tmp_path / "set.jsonl"), str(written))
    join(str(labels), str(tmp_path / "set.jsonl"), str(written), leave_out=True)
    assert json.loads((tmp_path / "set.jsonl.manifest.json").read_text())["left_out"] == [1]
    assert len((tmp_path / "set.jsonl").read_text().splitlines()) == 4
    with Worker(task_of(made)) as worker:  # it was not the row's fault: it is tried again, and nothing of the first attempt remains
        (whole,) = Store(str(labels)).label(worker, pa.Table.from_pylist(rows)).to_pylist()
    assert (whole["rows"], whole["faults"]) == (5, 0)
    assert len(list(labels.iterdir())) == 2


def test_scores_are_those_of_the_scorer(scorer: CodeScorer, rows: list[dict[str, Any]]) -> None:
    texts = [{name: row.get(name) for name in ("task_id", "candidate", "reference", "description")} for row in rows]
    with Worker(Task("score", (), rows=10)) as worker:
        found = pa.concat_tables([beside(shard) for shard in worker.run(pa.Table.from_pylist(texts))])
    expected = scorer.score(texts)
    assert found["score"].to_pylist() == [row.get("score") for row in expected]
    assert found["candidate"].to_pylist() == [row["candidate"] for row in texts]
    assert [message is not None for message in found["error"].to_pylist()] == ["error" in row for row in expected]


def test_shards_keep_to_their_limits() -> None:
    table = pa.table({"task_id": ["a", "a", "b", "c", "c", "c", "d"], "candidate": ["x" * 9] * 7})
    sizes = lambda **limits: [part.num_rows for part in cut([table.slice(0, 5), table.slice(5)], Task("score", **limits))]  # noqa: E731
    assert sizes() == [7]
    assert sizes(rows=3) == [3, 3, 1]
    assert sizes(characters=25) == [2, 2, 2, 1]
    assert sizes(rows=2, together="task_id") == [2, 4, 1]
    assert sizes(characters=1, together="task_id") == [2, 1, 3, 1]


def test_what_cannot_be_is_said(made: engine_set.EngineSet, tmp_path: Path) -> None:
    with Worker(task_of(made)) as worker:
        with pytest.raises(CodescoreError, match="expected columns of label, such as task_id"):
            list(worker.run(pa.table({"other": [1]})))
        with pytest.raises(CodescoreError, match="expected a column `position`"):
            Store(str(tmp_path)).label(worker, pa.table({"task_id": ["a"], "code": ["x"]}))
    with Worker(Task("label", ("--colour",), located(made.problems))) as worker, pytest.raises(CodescoreError, match="ended with code 2"):
        list(worker.run(pa.table({"task_id": ["a"], "code": ["x"]})))
    with pytest.raises(CodescoreError, match="samples 0 to"):
        with Worker(task_of(made)) as worker:
            Store(str(tmp_path / "part")).label(worker, read_lines(made.files()[1]).slice(0, 5))
        join(str(tmp_path / "part"), str(tmp_path / "joined.arrow"), made.shards)


def test_the_command(made: engine_set.EngineSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in made.files():
        main(["label", path, "--problems", made.problems, "--output", str(tmp_path / "labels"), "--workers", "1"])
    assert sum(row["rows"] for line in capsys.readouterr().out.splitlines() for row in json.loads(line)) == engine_set.ROWS
    main(["join", str(tmp_path / "labels"), "--samples", made.shards, "--output", str(tmp_path / "joined.arrow")])
    made.assert_joined(tmp_path / "joined.arrow")


def test_the_command_says_an_error_in_one_line(made: engine_set.EngineSet, tmp_path: Path) -> None:
    samples = tmp_path / "samples.jsonl"
    samples.write_text('{"task_id": "a", "code": "x"}\n')
    words = ["label", str(samples), "--problems", made.problems, "--output", str(tmp_path / "labels")]
    ended = subprocess.run([sys.executable, "-m", "codescore.shards", *words], capture_output=True, text=True)
    assert ended.returncode == 1
    assert ended.stderr.startswith("codescore: expected a column `position`")
    assert "Traceback" not in ended.stderr
