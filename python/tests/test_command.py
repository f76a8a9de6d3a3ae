"""How the command is found, with nothing on the PATH but Node."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

import codescore
from codescore import CodeScorer, CodescoreError
from codescore.command import find_command


def clone_in(folder: Path, name: str = "codescore") -> Path:
    """A minimal built clone: only the files that the client looks at."""
    entry = folder / "dist" / "cli" / "main.js"
    entry.parent.mkdir(parents=True)
    entry.touch()
    (folder / "package.json").write_text(json.dumps({"name": name}))
    (folder / "python").mkdir()
    return entry


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes the package look as if pip had installed it, from the `python` of a folder."""
    node = shutil.which("node")
    assert node is not None
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    (bin_folder / "node").symlink_to(node)
    site = tmp_path / "site-packages"
    (site / "codescore-0.2.0.dist-info").mkdir(parents=True)
    (site / "codescore-0.2.0.dist-info" / "METADATA").write_text(f"Metadata-Version: 2.3\nName: codescore\nVersion: {codescore.__version__}\n")
    monkeypatch.setenv("PATH", str(bin_folder))
    monkeypatch.delenv("CODESCORE_COMMAND", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setattr("codescore.command.__file__", str(site / "codescore" / "command.py"))

    def from_folder(folder: Path) -> None:
        recorded = {"url": (folder / "python").as_uri(), "dir_info": {}}
        (site / "codescore-0.2.0.dist-info" / "direct_url.json").write_text(json.dumps(recorded))

    return from_folder


def test_finds_the_clone_that_pip_installed_it_from(installed: Any, tmp_path: Path) -> None:
    clone = tmp_path / "a clone"
    entry = clone_in(clone)
    installed(clone)
    command = find_command()
    assert command[1:] == [str(entry)]
    assert os.path.basename(command[0]) == "node"


def test_takes_no_other_package_for_the_clone(installed: Any, tmp_path: Path) -> None:
    clone_in(tmp_path / "other", name="something-else")
    installed(tmp_path / "other")
    with pytest.raises(CodescoreError, match='set the environment variable CODESCORE_COMMAND="node CLONE/dist/cli/main.js"; or install Node'):
        find_command()


def test_says_what_to_do_where_the_clone_is_gone(installed: Any, tmp_path: Path) -> None:
    installed(tmp_path / "removed")
    with pytest.raises(CodescoreError, match="^codescore was not found. Do one of these: build a clone"):
        find_command()


def test_says_that_node_is_too_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    preload = tmp_path / "old.cjs"
    preload.write_text('Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } });\n')
    monkeypatch.setenv("NODE_OPTIONS", f"--require {preload}")
    with pytest.raises(CodescoreError, match="codescore needs Node 20 or later, got Node 18.20.8: https://nodejs.org"):
        CodeScorer().score([{"candidate": "x = 1", "reference": "x = 1"}])
