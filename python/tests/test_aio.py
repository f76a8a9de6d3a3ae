"""The scorer for asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from codescore import AsyncCodeScorer, CodeScorer, CodescoreError


def test_calls_overlap_and_equal_those_of_the_scorer(scorer: CodeScorer, rows: Any) -> None:
    asked = [rows[start : start + 10] for start in (0, 5, 10, 15)] * 2
    expected = [scorer.score(part) for part in asked[:4]] * 2
    alone = scorer.score(rows)
    ranked = scorer.rank(rows[:10])

    async def calls() -> None:
        async with AsyncCodeScorer() as waiting:
            assert await asyncio.gather(*map(waiting.score, asked), waiting.rank(rows[:10])) == [*expected, ranked]

            async def slowly() -> AsyncIterator[Any]:
                for row in rows:
                    await asyncio.sleep(0.001)
                    yield row

            assert [result async for result in waiting.stream(slowly())] == alone
            assert [result async for result in waiting.stream(rows)] == alone
            with pytest.raises(CodescoreError, match="for an iterator: async for"):
                await waiting.score(iter(rows))

    asyncio.run(calls())


def test_a_cancelled_call_is_given_up(pair: Any) -> None:
    async def calls() -> None:
        async with AsyncCodeScorer(run=True) as scorer:
            endless = "def f(x: int) -> int:\n    while True: x = len(str([x]))\n"
            rows = [{**pair, "candidate": f"{endless}# {number}\n", "task_id": str(number)} for number in range(30)]
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(scorer.score(rows), 0.3)
            async for _ in scorer.stream([pair] * 3000, run=False):
                break
            assert len(await scorer.score([pair], run=False)) == 1

    asyncio.run(calls())
