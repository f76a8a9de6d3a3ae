"""Labels, expands, scores, stores and joins shards in a folder, by path or URL; see docs/clusters.md. Needs pyarrow and fsspec."""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Optional

import pyarrow as pa

from .command import find_command
from .errors import CodescoreError
from .worker import FAULTS, Paths, Shard, Task, Worker, columns, cut, fetch, located


_MANIFEST = ".manifest.json"
_PARTS = {"expand": ("problems",), "score": ("problems", "samples", "input")}
"""Options with paths, by verb."""


class Store:
    """A folder for shards, by path or URL. Each shard is a file and its manifest, named by what the shard was made from.

    Labelling a shard again writes the same files, so attempts may overlap. A shard that is already there is not labelled again.
    """

    def __init__(self, url: str) -> None:
        import fsspec

        self._url = url.rstrip("/")
        self._filesystem, self._folder = fsspec.core.url_to_fs(self._url)
        self._filesystem.makedirs(self._folder, exist_ok=True)

    def label(self, worker: Worker, table: pa.Table) -> pa.Table:
        """Labels and stores the shards of these rows. Returns one row per shard: path, rows, infra, faults."""
        found = []
        for part in cut([_in_places(table)], worker.task):
            name = _name(part, worker.task)
            known = self._known(name)
            if known is not None:
                found.append(known)
                continue
            shards = list(worker.answered(part))
            for path in self._filesystem.glob(f"{self._folder}/{name}-*"):
                self._filesystem.rm(path)  # parts of an earlier attempt, in which a row ended the worker
            for number, shard in enumerate(shards):
                found.append(self._put(name if len(shards) == 1 else f"{name}-{number}", shard, worker.settings))
        return pa.Table.from_pylist(found, schema=STORED)

    def _known(self, name: str) -> Optional[Mapping[str, Any]]:
        """The summary of a stored shard; None if it is not there, or has rows that could not be judged: these are tried again."""
        try:
            found = self._summary(name, json.loads(self._filesystem.cat_file(f"{self._folder}/{name}.arrow.manifest.json")))
        except FileNotFoundError:
            return None
        return found if found["infra"] == 0 else None

    def _put(self, name: str, shard: Shard, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        import pyarrow.compute as pc

        kept = shard.rows.filter(pc.is_null(shard.rows["error_code"])).drop_columns(list(FAULTS))
        sink = pa.BufferOutputStream()
        with pa.ipc.new_file(sink, kept.schema) as file:
            file.write_table(kept)
        data = sink.getvalue().to_pybytes()
        manifest = {**settings, "file": f"{name}.arrow", "sha256": hashlib.sha256(data).hexdigest(), **shard.card}
        self._write(f"{name}.arrow", data)
        self._write(f"{name}.arrow.manifest.json", (json.dumps(manifest, indent=2) + "\n").encode())  # last: without it the shard does not count
        return self._summary(name, manifest)

    def _summary(self, name: str, manifest: Mapping[str, Any]) -> Mapping[str, Any]:
        counts, shard = manifest.get("counts", {}), manifest["shard"]
        path = f"{self._url}/{name}.arrow"
        return {"path": path, "rows": counts.get("rows", 0), "infra": counts.get("infra", 0), "faults": shard["faults"]}

    def _write(self, name: str, data: bytes) -> None:
        """Writes a file completely or not at all, even if two processes write it."""
        with self._filesystem.transaction, self._filesystem.open(f"{self._folder}/{name}", "wb") as file:
            file.write(data)


STORED = pa.schema({"path": pa.string(), "rows": pa.int64(), "infra": pa.int64(), "faults": pa.int64()})


def _in_places(table: pa.Table) -> pa.Table:
    """Sorts rows by their position in the set, so that the same rows make the same shard."""
    if "position" not in table.column_names:
        raise CodescoreError("input", "expected a column `position`, the sample's place in the set, as `codescore datasets shard` writes it")
    return table.sort_by("position")


def _name(part: pa.Table, task: Task) -> str:
    """A name that depends on the rows, and on how they are labelled."""
    sink = pa.BufferOutputStream()
    rows = columns(part, task.verb).combine_chunks()
    with pa.ipc.new_stream(sink, rows.schema) as stream:
        stream.write_table(rows)
    how = json.dumps([task.verb, list(task.options), list(task.problems)])
    return hashlib.sha256(how.encode() + sink.getvalue().to_pybytes()).hexdigest()[:24]


def join(folder: str, output: str, samples: Paths = (), command: Optional[Sequence[str]] = None, leave_out: bool = False) -> None:
    """Joins the stored shards of a folder into one file: `codescore datasets merge`, by paths or URLs.

    samples: only for labels: what the shards were made from: files, or the folder of `codescore datasets shard` (for a URL, the `shards.json` in it).
    leave_out: if samples could not be read, or ended their worker, join the others; the set's manifest lists those left out.
    Raises CodescoreError if shards are missing or contradict others.
    """
    import fsspec

    with tempfile.TemporaryDirectory(prefix="codescore-") as temporary:
        shards, made = Path(folder), Path(output)
        if "://" in str(folder):
            filesystem, place = fsspec.core.url_to_fs(folder.rstrip("/"))
            shards = Path(temporary) / "shards"
            shards.mkdir()
            filesystem.get(filesystem.find(place, maxdepth=1), str(shards) + "/")
        if "://" in str(output):
            made = Path(temporary) / output.rsplit("/", 1)[-1]
        words = [*find_command(command), "datasets", "merge", str(made)]
        words += sorted(str(path)[: -len(_MANIFEST)] for path in shards.glob(f"*{_MANIFEST}"))
        words += ["--leave-out"] if leave_out else []
        for path in located(samples):
            copy = Path(fetch(path, Path(temporary)))
            words += ["--samples", str(copy.parent if copy.name == "shards.json" else copy)]
        done = subprocess.run(words, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            raise CodescoreError("usage" if done.returncode == 2 else "input", done.stderr.strip())
        if made.parent == Path(temporary):
            _put(made, output)


def _put(made: Path, output: str) -> None:
    """Stores a file and those beside it. The manifest comes last: without it a shard does not count."""
    import fsspec

    for ending in ("", ".report.json", _MANIFEST):
        if Path(f"{made}{ending}").exists():
            filesystem, place = fsspec.core.url_to_fs(f"{output}{ending}")
            filesystem.makedirs(filesystem._parent(place), exist_ok=True)
            filesystem.put_file(f"{made}{ending}", place)


def part(verb: str, shard: str, output: str, given: Mapping[str, Paths], options: Sequence[str] = (), command: Optional[Sequence[str]] = None) -> None:
    """Runs `codescore score|expand --shard i/n`, by paths or URLs: fetches what it reads, and stores its output (.jsonl) and manifest.

    given: paths by option: problems, samples, input. Of a folder of `codescore datasets shard`, only the shard's file is fetched.
    Raises CodescoreError if there is no output. Rows with errors are in it.
    """
    with tempfile.TemporaryDirectory(prefix="codescore-") as temporary:
        made = Path(temporary) / "made" / output.rsplit("/", 1)[-1]
        words = [*find_command(command), verb, "--shard", shard, "--output", str(made), *options]
        for name, paths in given.items():
            for path in located(paths):
                words += [f"--{name}", _fetched(path, shard, Path(temporary)) if name == "samples" else fetch(path, Path(temporary))]
        code = subprocess.run(words, check=False).returncode
        if not Path(f"{made}{_MANIFEST}").exists():
            raise CodescoreError("usage" if code == 2 else "infra", f"`codescore {verb} --shard {shard}` ended with code {code}: its log says why")
        _put(made, output)


def _fetched(path: str, shard: str, folder: Path) -> str:
    """The path of samples on this machine; of a folder of shards, with the one that is needed."""
    import fsspec

    if "://" not in path:
        return path
    filesystem, place = fsspec.core.url_to_fs(path.rstrip("/"))
    if not filesystem.exists(f"{place}/shards.json"):
        return fetch(path, folder)
    copy = folder / "samples"
    copy.mkdir(exist_ok=True)
    index, count = (int(number) for number in shard.split("/"))
    for name in ("shards.json", f"{index:05}-of-{count:05}.jsonl"):
        filesystem.get_file(f"{place}/{name}", str(copy / name))
    return str(copy)


def read_lines(path: str) -> pa.Table:
    """Reads a shard of `codescore datasets shard`, or any JSON lines."""
    import fsspec

    with fsspec.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file if line.strip()]
    names = dict.fromkeys(name for row in rows for name in row)
    return pa.table({name: [row.get(name) for row in rows] for name in names})


def main(arguments: Optional[Sequence[str]] = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m codescore.shards", description="Label, expand or score one shard, or join them, by path or URL.")
    verbs = parser.add_subparsers(dest="verb", required=True)
    one = verbs.add_parser("label", help="label the samples of a file, and store them as shards; other options go to codescore label")
    one.add_argument("samples")
    one.add_argument("--problems", action="append", required=True)
    one.add_argument("--output", required=True, help="a folder")
    whole = verbs.add_parser("join", help="join stored shards")
    whole.add_argument("folder")
    whole.add_argument("--samples", action="append", default=[], help="what was labelled; not for scores and expanded problems")
    whole.add_argument("--output", required=True, help="the whole: .arrow, .parquet or .jsonl")
    whole.add_argument("--leave-out", action="store_true", help="join the others where samples have no label")
    for verb, names in _PARTS.items():
        other = verbs.add_parser(verb, allow_abbrev=False, help=f"{verb} one part; other options go to codescore {verb}")
        for name in names:
            other.add_argument(f"--{name}", action="append", default=[])
        other.add_argument("--shard", required=True, metavar="i/n")
        other.add_argument("--output", required=True, help="a file: .jsonl")
    asked, options = parser.parse_known_args(arguments)
    if asked.verb == "join":
        if options:
            parser.error(f"unknown options: {' '.join(options)}")
        join(asked.folder, asked.output, asked.samples, leave_out=asked.leave_out)
        return
    if asked.verb in _PARTS:
        part(asked.verb, asked.shard, asked.output, {name: getattr(asked, name) for name in _PARTS[asked.verb]}, options)
        return
    with Worker(Task("label", options, located(asked.problems))) as worker:
        print(json.dumps(Store(asked.output).label(worker, read_lines(asked.samples)).to_pylist()))


if __name__ == "__main__":
    try:
        main()
    except CodescoreError as error:
        print(f"codescore: {error}", file=sys.stderr)
        sys.exit(2 if error.code == "usage" else 1)
