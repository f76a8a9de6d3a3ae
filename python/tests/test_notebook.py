"""The example notebook runs from its first cell to its last."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
for name in ("ipykernel", "matplotlib", "pandas", "scipy"):
    pytest.importorskip(name)

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "examples" / "python" / "samples-to-report.ipynb"


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="programs run for a minute and more without bubblewrap")
def test_samples_to_report(tmp_path: Any) -> None:
    folder = tmp_path / "examples" / "python"
    folder.mkdir(parents=True)
    problems = Path("datasets", "starter", "mbpp-style.jsonl")
    (tmp_path / problems).parent.mkdir(parents=True)
    # A third of the problems shows the same kinds of outputs.
    some = (ROOT / problems).read_text(encoding="utf-8").splitlines(keepends=True)[:9]
    (tmp_path / problems).write_text("".join(some), encoding="utf-8")
    notebook = nbformat.read(NOTEBOOK, 4)
    kept = [shown(cell) for cell in notebook.cells]
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    assert [shown(cell) for cell in notebook.cells] == kept
    assert sum(kinds.count("image/png") for kinds in kept) == 3
    assert "<svg" in (folder / "runs" / "samples.html").read_text(encoding="utf-8")


def test_is_small_and_names_no_machine() -> None:
    text = NOTEBOOK.read_text(encoding="utf-8")
    assert len(text) < 300_000
    assert not [folder for folder in ("/home/", "/root/", "/tmp/", "/work/") if folder in text]


def shown(cell: Any) -> list[str]:
    """The kinds of a cell's outputs."""
    return sorted(kind for output in cell.get("outputs", []) for kind in output.get("data", [output["output_type"]]))
