"""Finds the `codescore` command on this machine."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import Optional, Union
from urllib.parse import urlsplit
from urllib.request import url2pathname

from .errors import CodescoreError

VARIABLE = "CODESCORE_COMMAND"
LEAST_NODE = 20
_ENTRY = Path("dist") / "cli" / "main.js"

_HELP = (
    f"codescore was not found. Do one of these: build a clone of codescore (`npm ci && npm run build`) and set the environment variable "
    f'{VARIABLE}="node CLONE/dist/cli/main.js"; or install Node {LEAST_NODE} or later (https://nodejs.org) and the codescore package '
    "(`npm install -g codescore`, or in your project's folder), so that `codescore` is on the PATH; or give the address of a server: "
    "CodeScorer(url=...)"
)


def find_command(command: Union[str, Sequence[str], None] = None) -> list[str]:
    """The words of the command, from the first of these: `command`; CODESCORE_COMMAND; `codescore` on the PATH; a project's node_modules; the
    clone that this package is in, or was installed from.

    Never downloads anything. Raises CodescoreError("environment") that says what to do.
    """
    given = os.environ.get(VARIABLE) if command is None else command
    if given:
        words = shlex.split(given) if isinstance(given, str) else list(given)
        if words and shutil.which(words[0]) is not None:
            return words
        source = f"the environment variable {VARIABLE}" if command is None else "`command`"
        raise CodescoreError("environment", f"expected {source} to be a command, got {given!r}: there is no such program")
    found = shutil.which("codescore")
    if found is not None:
        return [found]
    here = Path.cwd()
    for folder in (here, *here.parents):
        script = shutil.which("codescore", path=str(folder / "node_modules" / ".bin"))
        if script is not None:
            return [script]
    built = next(_clones(), None)
    if built is None:
        raise CodescoreError("environment", _HELP)
    node = shutil.which("node")
    if node is None:
        raise CodescoreError("environment", f"{built} needs Node {LEAST_NODE} or later, which is not on the PATH: https://nodejs.org")
    return [node, str(built)]


def _clones() -> Iterator[Path]:
    """Built commands of the clones that contain this file, or that pip installed this package from."""
    installed = _installed_from()
    for folder in (*Path(__file__).resolve().parents, *([] if installed is None else [installed, *installed.parents])):
        entry = folder / _ENTRY
        if entry.is_file() and _package_name(folder) == "codescore":
            yield entry


def _installed_from() -> Optional[Path]:
    """The folder that `pip install FOLDER` took this package from, as PEP 610 records it."""
    try:
        recorded = metadata.distribution("codescore").read_text("direct_url.json")
        url = urlsplit(json.loads(recorded or "{}").get("url", ""))
    except (metadata.PackageNotFoundError, ValueError):
        return None
    return Path(url2pathname(url.path)) if url.scheme == "file" else None


def _package_name(folder: Path) -> Optional[str]:
    try:
        found = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found.get("name") if isinstance(found, dict) else None


def node_hint(command: Sequence[str]) -> Optional[str]:
    """A hint about Node for a command that did not start, or None."""
    node = command[0] if Path(command[0]).stem == "node" else shutil.which("node")
    if node is None:
        return f"codescore needs Node {LEAST_NODE} or later, which is not on the PATH: https://nodejs.org"
    try:
        version = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=10).stdout.strip()
    except (OSError, subprocess.SubprocessError) as error:
        return f"{node} could not be started: {error}"
    digits = version.lstrip("v").split(".")[0]
    if digits.isdigit() and int(digits) < LEAST_NODE:
        return f"{node} is Node {version}; codescore needs {LEAST_NODE} or later: https://nodejs.org"
    return None
