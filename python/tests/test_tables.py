"""DataFrames and Arrow tables."""

from __future__ import annotations

import csv
from typing import Any

import pytest

from codescore import CodeScorer
from codescore.tables import COLUMNS

pandas = pytest.importorskip("pandas")


def test_a_frame_for_a_frame(scorer: CodeScorer, rows: Any) -> None:
    results = scorer.score(rows)
    frame = pandas.DataFrame(rows, index=[f"i{n}" for n in range(len(rows))])
    frame["other"] = object()
    found = scorer.score(frame)
    assert list(found.columns) == list(COLUMNS)
    assert list(found.index) == list(frame.index)
    assert [None if pandas.isna(score) else score for score in found["score"]] == [result.get("score") for result in results]
    assert [None if pandas.isna(error) else error for error in found["error"]] == [r.get("error", {}).get("message") for r in results]
    assert frame.join(found).shape == (25, len(frame.columns) + len(COLUMNS))
    best = scorer.best(frame)
    assert list(best["task_id"]) == list(dict.fromkeys(frame["task_id"]))
    assert list(frame.loc[best.index, "task_id"]) == list(best["task_id"])
    assert scorer.score(frame[:0]).shape == (0, len(COLUMNS))


def test_the_accessor(scorer: CodeScorer, rows: Any) -> None:
    import codescore.integrations.pandas  # noqa: F401

    frame = pandas.DataFrame(rows[:10]).rename(columns={"candidate": "answer"})
    expected = scorer.score(frame.rename(columns={"answer": "candidate"}))
    pandas.testing.assert_frame_equal(frame.codescore.score(scorer=scorer, candidate="answer"), expected)
    assert len(frame.codescore.best(scorer=scorer, candidate="answer")) == 2
    assert frame.codescore.score(candidate="answer")["score"].equals(expected["score"])


def test_a_table_for_a_table(scorer: CodeScorer, rows: Any, by_command: Any) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    found = scorer.score(pyarrow.Table.from_pandas(pandas.DataFrame(rows)))
    assert found.column_names == list(COLUMNS)
    assert found["score"].to_pylist() == [result.get("score") for result in scorer.score(rows)]
    assert found.schema.field("inputs").type == pyarrow.int64()


@pytest.mark.parametrize("method", ["rank", "best"])
def test_a_ranked_table_names_its_rows(scorer: CodeScorer, rows: Any, method: str) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.Table.from_pylist(rows[:10])
    expected = [result["id"] for result in getattr(scorer, method)(rows[:10])]
    assert expected != [row["id"] for row in rows[:10]]
    for given in (table, table.combine_chunks().to_batches()[0]):
        assert getattr(scorer, method)(given)["id"].to_pylist() == expected
    places = getattr(scorer, method)(table.drop_columns(["id"]))["id"]
    assert table["id"].take(places).to_pylist() == expected


def number_of(text: str) -> Any:
    """A cell of a CSV. Not read with pandas, because pandas 2 may get the last digit of a number wrong."""
    try:
        return float(text) if text else None
    except ValueError:
        return text


def test_a_frame_has_the_columns_of_the_command(running: CodeScorer, rows: Any, tmp_path: Any) -> None:
    import subprocess

    from codescore.command import find_command

    frame = pandas.DataFrame(rows[:10])
    frame.to_csv(tmp_path / "rows.csv", index=False)
    arguments = ["score", "--input", str(tmp_path / "rows.csv"), "--run", "--output", str(tmp_path / "out.csv")]
    subprocess.run([*find_command(), *arguments], check=False, capture_output=True)
    with open(tmp_path / "out.csv", encoding="utf-8", newline="") as file:
        printed = [{name: number_of(text) for name, text in row.items()} for row in csv.DictReader(file)]
    found = running.score(frame)
    for name in COLUMNS:
        ours = [None if pandas.isna(value) else value for value in found[name]]
        theirs = [row[name] for row in printed]
        if name == "error":
            assert [bool(value) for value in ours] == [bool(value) for value in theirs]
        else:
            # The command leaves cells empty that an error has no value for, and writes 0 for False.
            assert ours == [bool(v) if name == "abstained" and v is not None else v for v in theirs], name
