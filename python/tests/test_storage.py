"""Shards in object storage: a stand-in for S3 on this machine."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import engine_set
import pytest

pytest.importorskip("pyarrow")
pytest.importorskip("s3fs")
server = pytest.importorskip("moto.server")

from codescore.command import find_command  # noqa: E402
from codescore.shards import Store, join, main, read_lines  # noqa: E402
from codescore.worker import Task, Worker  # noqa: E402


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    """The address of an empty bucket."""
    import fsspec

    thread = server.ThreadedMotoServer(port=0)
    thread.start()
    host, port = thread.get_host_and_port()
    patch = pytest.MonkeyPatch()
    settings = {"AWS_ENDPOINT_URL": f"http://{host}:{port}", "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x", "AWS_DEFAULT_REGION": "us-east-1"}
    for name, value in settings.items():
        patch.setenv(name, value)
    fsspec.filesystem("s3").mkdir("sets")
    yield "s3://sets"
    patch.undo()
    thread.stop()


def test_labelled_and_joined_by_url(bucket: str, tmp_path: Path) -> None:
    import fsspec

    made = engine_set.make(tmp_path)
    s3 = fsspec.filesystem("s3")
    s3.put(made.problems, f"{bucket}/p.jsonl")
    s3.put(made.shards + "/", f"{bucket}/samples/", recursive=True)
    names = [Path(path).name for path in made.files()]
    main(["label", f"{bucket}/samples/{names[0]}", "--problems", f"{bucket}/p.jsonl", "--output", f"{bucket}/run/labels", "--workers", "1"])
    with Worker(Task("label", ("--workers", "1"), (f"{bucket}/p.jsonl",))) as worker:
        store = Store(f"{bucket}/run/labels")
        for name in names:
            store.label(worker, read_lines(f"{bucket}/samples/{name}"))
    assert len(s3.ls(f"{bucket}/run/labels")) == 2 * len(names)
    join(f"{bucket}/run/labels", f"{bucket}/run/labels.arrow", f"{bucket}/samples/shards.json")
    joined = tmp_path / "joined.arrow"
    for ending in ("", ".manifest.json"):
        s3.get(f"{bucket}/run/labels.arrow{ending}", f"{joined}{ending}")
    made.assert_joined(joined)


def test_expanded_and_scored_by_url(bucket: str, tmp_path: Path) -> None:
    """In parts, which are then joined: the bytes are those of one process. Of a folder of shards, a part fetches only its own."""
    import fsspec

    problems, samples, shards = engine_set.write_problems(tmp_path), tmp_path / "few.jsonl", tmp_path / "few"
    samples.write_text("".join(f'{{"task_id": "T/{k}", "completion": "    return x + {k}\\n"}}\n' for k in range(6)))
    given = ["--problems", problems, "--samples", str(samples)]
    run = [*find_command()]
    subprocess.run([*run, "datasets", "shard", *given, "--shards", "2", "--output", str(shards)], check=True, capture_output=True)
    expand, score = ["--count", "5", "--workers", "1"], ["--model", "tiny", "--threads", "1"]
    subprocess.run([*run, "expand", "--problems", problems, *expand, "--output", str(tmp_path / "expand.jsonl")], check=True, capture_output=True)
    subprocess.run([*run, "score", *given, *score, "--output", str(tmp_path / "score.jsonl")], check=True, capture_output=True)
    s3 = fsspec.filesystem("s3")
    s3.put(problems, f"{bucket}/p.jsonl")
    s3.put(str(samples), f"{bucket}/few.jsonl")
    s3.put(str(shards) + "/", f"{bucket}/few/", recursive=True)
    cases = [
        ("expand", "expand", expand, ("", ".manifest.json", ".report.json")),
        ("score", "folder", [*score, "--samples", f"{bucket}/few"], ("",)),
        ("score", "file", [*score, "--samples", f"{bucket}/few.jsonl"], ("",)),
    ]
    for verb, folder, words, endings in cases:
        for i in (1, 2):
            place = f"{bucket}/{folder}/{i}.jsonl"
            main([verb, "--problems", f"{bucket}/p.jsonl", "--shard", f"{i}/2", "--output", place, *words])
        main(["join", f"{bucket}/{folder}", "--output", f"{bucket}/{verb}.jsonl"])
        for ending in endings:
            assert s3.cat_file(f"{bucket}/{verb}.jsonl{ending}") == (tmp_path / f"{verb}.jsonl{ending}").read_bytes()
