"""Finds the `codescore` command on this machine."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Optional, Union

from .errors import CodescoreError

VARIABLE = "CODESCORE_COMMAND"
LEAST_NODE = 20
_ENTRY = Path("dist") / "cli" / "main.js"

_HELP = (
    f"codescore was not found. Do one of these: install Node {LEAST_NODE} or later (https://nodejs.org) and the codescore package "
    "(`npm install -g codescore`, or in your project's folder), so that `codescore` is on the PATH; or build a clone of codescore (`npm ci "
    f"&& npm run build`) and set {VARIABLE} to `node CLONE/dist/cli/main.js`; or give the address of a server: CodeScorer(url=...)"
)


def find_command(command: Union[str, Sequence[str], None] = None) -> list[str]:
    """The command's words: those given; CODESCORE_COMMAND; `codescore` on the PATH; a project's node_modules; a clone around this file.

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
    """Built commands of clones that this file lies in."""
    for folder in Path(__file__).resolve().parents:
        entry = folder / _ENTRY
        if (folder / "package.json").is_file() and entry.is_file():
            yield entry


def node_hint(command: Sequence[str]) -> Optional[str]:
    """What to say of Node where the command did not start, or None."""
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
