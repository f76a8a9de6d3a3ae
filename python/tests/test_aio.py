"""The scorer for asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from codescore import AsyncCodeScorer, CodeScorer, CodescoreError


def test_calls_overlap_and_equal_those_of_the_scorer(rows: Any) -> None:
    async def calls() -> None:
        async with AsyncCodeScorer() as scorer:
            with CodeScorer() as plain:
                alone = plain.score(rows)
                ranked = plain.rank(rows)
            found = await asyncio.gather(*(scorer.score(rows) for _ in range(10)), scorer.rank(rows))
            assert found == [*[alone] * 10, ranked]

            async def slowly() -> AsyncIterator[Any]:
                for row in rows:
                    await asyncio.sleep(0.001)
                    yield row

            assert [result async for result in scorer.stream(slowly())] == alone
            assert [result async for result in scorer.stream(rows)] == alone
            with pytest.raises(CodescoreError, match="for an iterator: async for"):
                await scorer.score(iter(rows))

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
