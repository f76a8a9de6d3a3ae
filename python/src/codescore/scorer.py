"""The scorer: one child or server, and the calls that it answers."""

from __future__ import annotations

import os
import threading
import warnings
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from pathlib import Path
from types import TracebackType
from typing import Any, Optional, TypeVar, Union, overload

from . import files, tables
from .child import Child
from .command import find_command
from .errors import CodescoreError
from .http import Server
from .transport import Pipes, Transport
from .types import Labelled, Result, Row

Table = TypeVar("Table", bound=tables.Columns)

Argument = Union[str, int, float]


class CodeScorer:
    """Scores Python programs against references, descriptions or both.

    A client: `codescore serve --stdio` runs as a child, started by the first call, and does all the work. Its scores are those of `codescore
    score`, to the last digit. With `url` it asks a running `codescore serve` instead. Any number of threads may use one scorer. A forked
    process starts its own child. Close the scorer, or use it in a `with`; at the end of the process the child ends too.

    model: a model folder, or the name of a shipped model, `tiny` or `small`; the best shipped one, `tiny`, by default.
    run: also run the candidates in a sandbox, unless a call says otherwise; required for `label`. Without it nothing is ever executed.
    url, api_key: a server's address, and the key that it requires.
    precision, device, threads, calibration, coverage, abstain: as in `codescore score`.
    sandbox, python, workers, allow_unsafe: as in `codescore score --run`.
    command: the codescore command; found automatically if not given (docs/python.md).
    timeout: seconds that a call may take, unless it says otherwise.

    Calls raise CodescoreError for wrong use and if the child cannot be started or died, CodescoreTimeout after `timeout`. A row that
    cannot be scored raises nothing: its result is an `error` in its place.
    """

    def __init__(
        self,
        model: Optional[str] = None,
        run: bool = False,
        *,
        url: Optional[str] = None,
        api_key: Optional[str] = None,
        precision: Optional[str] = None,
        device: Optional[str] = None,
        threads: Optional[int] = None,
        calibration: bool = True,
        coverage: Optional[float] = None,
        abstain: Optional[float] = None,
        sandbox: Optional[str] = None,
        python: Optional[str] = None,
        workers: Optional[int] = None,
        allow_unsafe: bool = False,
        command: Union[str, Sequence[str], None] = None,
        timeout: Optional[float] = None,
    ) -> None:
        loading = dict(model=model, precision=precision, device=device, threads=threads, coverage=coverage, abstain=abstain)
        running = dict(sandbox=sandbox, python=python, workers=workers)
        if not run and (allow_unsafe or any(value is not None for value in running.values())):
            raise CodescoreError("usage", "`sandbox`, `python`, `workers` and `allow_unsafe` need `run=True`")
        flags = dict(run=run, no_calibration=not calibration, allow_unsafe=allow_unsafe)
        self._arguments = _arguments({**loading, **running}, flags)
        if url is not None and (self._arguments or command is not None) and self._arguments != ["--run"]:
            raise CodescoreError("usage", "a server has its own model and sandbox: with `url`, give only `api_key`, `run` and `timeout`")
        self._command = command
        self._address = None if url is None else (url, api_key)
        self._run = run
        self._timeout = timeout
        self._reset()

    def _reset(self) -> None:
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._transport: Optional[Transport] = None
        self._finalizer: Optional[weakref.finalize[Any, Any]] = None
        self._closed = False

    def __getstate__(self) -> dict[str, Any]:
        """The arguments that it was made with: a copy starts its own child."""
        return {name: value for name, value in vars(self).items() if name not in _OPENED}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        vars(self).update(state)
        self._reset()

    def __enter__(self) -> CodeScorer:
        self._connected()
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.close()

    def close(self) -> None:
        """Ends the child. Current and later calls raise CodescoreError; a second `close` does nothing."""
        with self._lock:
            self._closed = True
            finalizer, self._finalizer, self._transport = self._finalizer, None, None
        if finalizer is not None:
            finalizer()

    def _connected(self) -> Transport:
        """The child or server. Starts one if there is none: in the first call, in a forked process, and after the child died."""
        if self._owner != os.getpid():
            closed = self._closed
            self._reset()
            self._closed = closed
        with self._lock:
            if self._closed:
                raise CodescoreError("usage", "this scorer is closed")
            transport = self._transport
            if isinstance(transport, Pipes) and transport.child.end is not None:
                warnings.warn(f"codescore is started again, because {transport.child.end}", RuntimeWarning, stacklevel=4)
                transport.close()
                transport = None
            if transport is None:
                transport = self._open()
                self._transport = transport
                self._finalizer = weakref.finalize(self, transport.close)
            return transport

    def _open(self) -> Transport:
        if self._address is not None:
            return Server(*self._address)
        return Pipes(Child(find_command(self._command), self._arguments))

    @property
    def signature(self) -> str:
        """Identifies the model and version: scores with the same signature can be compared."""
        return str(self._connected().hello()["signature"])

    @property
    def runs(self) -> Optional[dict[str, str]]:
        """The `sandbox` and the version of `python` that run candidates; None if nothing is run."""
        found: Optional[dict[str, str]] = self._connected().hello().get("runs")
        return found

    @overload
    def score(self, rows: Iterator[Row], **options: Any) -> Iterator[Result]: ...
    @overload
    def score(self, rows: Sequence[Row], **options: Any) -> list[Result]: ...
    @overload
    def score(self, rows: Table, **options: Any) -> Table: ...

    def score(self, rows: Any, **options: Any) -> Any:
        """Scores rows, in their order: a list for a list, an iterator for an iterator, a DataFrame for a DataFrame, a table for a table.

        An iterator is read as results are taken, at most 1,087 rows ahead. With `run` or `consensus` it is read completely first, because the
        rows of a task are looked at together. The DataFrame has the index of the rows and the columns of `codescore score --as csv`.

        format: "auto", "ref", "nl" or "ref+nl": which parts to look at.
        run, inputs, seed, until: whether and how candidates are run, as in `codescore score --run`.
        counterexamples: False skips the search for the smallest input on which a candidate goes wrong.
        explain: add `findings` and `lines`. consensus: combine scores without a reference with how much the samples of a task agree.
        timeout: seconds; progress: True for a bar (tqdm).
        """
        return self._scored(rows, options)

    @overload
    def rank(self, rows: Iterable[Row], **options: Any) -> list[Result]: ...
    @overload
    def rank(self, rows: Table, **options: Any) -> Table: ...

    def rank(self, rows: Any, **options: Any) -> Any:
        """As `score`, with the candidates of each task best first, and `task_id`, `rank` and how many are `tied`: `codescore score --rank`.

        A table also has the `id` of each row: the rows' own, or their places from 0.
        """
        return self._scored(_whole(rows), {**options, "order": "rank"})

    @overload
    def best(self, rows: Iterable[Row], **options: Any) -> list[Result]: ...
    @overload
    def best(self, rows: Table, **options: Any) -> Table: ...

    def best(self, rows: Any, **options: Any) -> Any:
        """As `rank`, but only the best candidate of each task; of equal ones the first: `codescore score --best`."""
        return self._scored(_whole(rows), {**options, "order": "best"})

    def _scored(self, rows: Any, options: Mapping[str, Any]) -> Any:
        params, timeout, progress = self._params(options)
        if tables.is_frame(rows):
            found = list(self._results(tables.frame_rows(rows), params, timeout, progress and len(rows)))
            return tables.to_frame(found, rows.index)
        if tables.is_arrow(rows):
            return tables.to_arrow(list(self._results(tables.arrow_rows(rows), params, timeout, progress and rows.num_rows)), rows)
        if isinstance(rows, (str, bytes, Mapping)) or not isinstance(rows, Iterable):
            raise CodescoreError("usage", f"expected rows: a list of dicts, an iterator, a DataFrame or a table; got a {type(rows).__name__}")
        if isinstance(rows, Iterator):
            return self._results(rows, params, timeout, progress and None)
        return list(self._results(rows, params, timeout, progress and (len(rows) if isinstance(rows, Sized) else None)))

    def _results(self, rows: Iterable[Any], params: Mapping[str, Any], timeout: Optional[float], total: Union[int, bool, None]) -> Iterator[Result]:
        """total: the number of rows; False for no bar, None if the number is unknown."""
        results = self._connected().score(rows, params, timeout)
        if total is False:
            return results
        try:
            from tqdm.auto import tqdm
        except ImportError:
            raise CodescoreError("environment", "`progress` needs tqdm: pip install tqdm") from None
        return iter(tqdm(results, total=total, unit="row", desc="codescore"))

    def _params(self, options: Mapping[str, Any]) -> tuple[dict[str, Any], Optional[float], bool]:
        unknown = options.keys() - _OPTIONS
        if unknown:
            raise CodescoreError("usage", f"expected the options {', '.join(sorted(_OPTIONS - {'order'}))}; got {', '.join(sorted(unknown))}")
        params = {name: value for name, value in options.items() if value is not None and name not in ("timeout", "progress")}
        if params.setdefault("run", self._run) and not self._run:
            raise CodescoreError("usage", "this scorer does not run candidates: leave out `run`, or create it with CodeScorer(run=True)")
        if not params["run"]:
            del params["run"]
            only = sorted(_RUN_OPTIONS & params.keys())
            if only:
                fix = "leave out `run=False`" if self._run else "create it with CodeScorer(run=True)"
                raise CodescoreError("usage", f"`{only[0]}` needs candidates to run, but this call does not run them: {fix}")
        timeout: Optional[float] = options.get("timeout", self._timeout)
        return params, timeout, bool(options.get("progress"))

    def label(
        self,
        problems: files.Rows,
        samples: files.Rows,
        output: Union[str, os.PathLike[str], None] = None,
        *,
        expand: Optional[int] = None,
        seed: int = 0,
        timeout: Optional[float] = None,
    ) -> Labelled:
        """Runs samples on their problems' tests: `codescore label`. Requires `run=True`.

        problems, samples: paths, or rows in any of the known formats. output: the file for the labelled set (.arrow, .parquet or
        .jsonl), written with its manifest; a killed call resumes where it was. Without it the rows are returned, and nothing is stored.
        """
        if not self._run and self._address is None:
            raise CodescoreError("usage", "`label` runs the samples, but this scorer does not run candidates: create it with CodeScorer(run=True)")
        with files.folder() as folder:
            out = folder / "labels.jsonl" if output is None else Path(output).absolute()
            params = {
                "problems": files.paths_of(problems, folder / "problems.jsonl"),
                "samples": files.paths_of(samples, folder / "samples.jsonl"),
                "output": str(out),
                "expand": expand,
                "seed": seed,
            }
            summary = self._connected().ask("label", params, self._timeout if timeout is None else timeout)
            if output is not None:
                return Labelled(summary, [])
            # The files end with the folder, so their paths would lead nowhere.
            kept = {name: value for name, value in summary.items() if name not in ("out", "manifest")}
            return Labelled(kept, files.read_rows(out))

    def evaluate(
        self,
        data: files.Rows,
        scores: Union[files.Rows, Mapping[str, files.Rows], None] = None,
        *,
        report: Union[str, os.PathLike[str], None] = None,
        metrics: Union[str, Sequence[str]] = "none",
        resamples: int = 1000,
        seed: int = 1,
        timeout: Optional[float] = None,
    ) -> dict[str, Any]:
        """How well scores agree with execution: `codescore evaluate --format json`, all of its tables in one dict.

        data: labelled rows, or their path. scores: results of `score` for the same rows, or paths of files that `codescore score` wrote; a
        dict gives names to several. Without scores this scorer's model scores the rows now. metrics: a list of names, or one text with commas
        between them; an empty list or `none` for none.
        report: the file for a report with plots, in HTML.
        """
        with files.folder() as folder:
            params = {
                "data": files.paths_of(data, folder / "data.jsonl")[0],
                "scores": None if scores is None else files.named_paths(scores, folder),
                "report": None if report is None else os.path.abspath(report),
                "metrics": metrics if isinstance(metrics, str) else ",".join(metrics) or "none",
                "resamples": resamples,
                "seed": seed,
            }
            return self._connected().ask("evaluate", params, self._timeout if timeout is None else timeout)


_RUN_OPTIONS = frozenset("inputs seed until counterexamples".split())
_OPTIONS = frozenset("format run inputs seed until counterexamples explain consensus order timeout progress".split())


_OPENED = frozenset(("_owner", "_lock", "_transport", "_finalizer", "_closed"))


def _whole(rows: Any) -> Any:
    """An iterator as a list, because ranks need all rows."""
    return list(rows) if isinstance(rows, Iterator) else rows


def _arguments(values: Mapping[str, Optional[Argument]], flags: Mapping[str, bool]) -> list[str]:
    found = [word for name, value in values.items() if value is not None for word in (f"--{name}", str(value))]
    return found + [f"--{name.replace('_', '-')}" for name, value in flags.items() if value]
