"""The scorer for asyncio. Calls wait in separate threads, so that the event loop goes on. A cancelled call is given up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context, copy_context
from functools import partial
from types import TracebackType
from typing import Any, Optional, TypeVar, Union

from .errors import CodescoreError
from .scorer import CodeScorer
from .transport import GiveUp, give_up
from .types import Labelled, Result, Row

T = TypeVar("T")
_THREADS = 64


class AsyncCodeScorer:
    """Like CodeScorer, with the same arguments. Its calls are awaited, and may overlap."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._scorer = CodeScorer(*arguments, **options)
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="codescore")

    async def __aenter__(self) -> AsyncCodeScorer:
        await self._in_thread(self._scorer.__enter__)
        return self

    async def __aexit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        await self.close()

    async def close(self) -> None:
        await self._in_thread(self._scorer.close)
        self._threads.shutdown(wait=False)

    async def score(self, rows: Any, **options: Any) -> Any:
        """As CodeScorer.score, for a list, a DataFrame or a table. For iterators use `stream`."""
        if isinstance(rows, (Iterator, AsyncIterable)):
            raise CodescoreError("usage", "expected a list, a DataFrame or a table; for an iterator: async for result in scorer.stream(rows)")
        return await self._in_thread(partial(self._scorer.score, rows, **options))

    async def stream(self, rows: Union[Iterable[Row], AsyncIterable[Row]], **options: Any) -> AsyncIterator[Result]:
        """Yields results in the order of the rows, as soon as they are ready. Reads rows as results are taken."""
        loop = asyncio.get_running_loop()
        source: Iterator[Row] = _bridged(rows, loop) if isinstance(rows, AsyncIterable) else iter(rows)
        stop, context = _context()
        end: Any = object()
        results = await self._in_thread(partial(self._scorer.score, source, **options))
        try:
            while True:
                result = await loop.run_in_executor(self._threads, context.run, partial(next, results, end))
                if result is end:
                    return
                yield result
        finally:
            stop()  # ends the call in a thread that waits for a result; if none waits, `_closed` ends it
            self._threads.submit(_closed, results)

    async def rank(self, rows: Any, **options: Any) -> Any:
        """As CodeScorer.rank."""
        return await self._in_thread(partial(self._scorer.rank, rows, **options))

    async def best(self, rows: Any, **options: Any) -> Any:
        """As CodeScorer.best."""
        return await self._in_thread(partial(self._scorer.best, rows, **options))

    async def label(self, *arguments: Any, **options: Any) -> Labelled:
        """As CodeScorer.label."""
        return await self._in_thread(partial(self._scorer.label, *arguments, **options))

    async def evaluate(self, *arguments: Any, **options: Any) -> dict[str, Any]:
        """As CodeScorer.evaluate."""
        return await self._in_thread(partial(self._scorer.evaluate, *arguments, **options))

    async def _in_thread(self, call: Callable[[], T]) -> T:
        stop, context = _context()
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, context.run, call)
        except asyncio.CancelledError:
            stop()
            raise


def _context() -> tuple[GiveUp, Context]:
    """A context for calls, and the object that cancels them."""
    stop, context = GiveUp(), copy_context()
    context.run(give_up.set, stop)
    return stop, context


def _bridged(rows: AsyncIterable[Row], loop: asyncio.AbstractEventLoop) -> Iterator[Row]:
    """Turns asynchronous rows into rows for a thread, which waits for each of them."""
    source = rows.__aiter__()

    async def following() -> Row:
        return await source.__anext__()

    while True:
        try:
            row = asyncio.run_coroutine_threadsafe(following(), loop).result()
        except StopAsyncIteration:
            return
        yield row


def _closed(results: Any) -> None:
    try:
        results.close()
    except ValueError:  # another thread is running the generator, and will end it
        pass
