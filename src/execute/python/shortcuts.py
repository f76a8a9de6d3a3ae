"""Spares programs work without changing their verdicts: a shared interpreter, remembered calls, loops known to be endless."""
from functools import lru_cache

from memoize import memoize
from shareable import broken, shareable, shareable_on_stdin


@lru_cache(maxsize=64)  # many suites have the same setup
def _is_shareable(setup):
    return shareable(setup) is not None


def can_share(suite):
    """
    Whether programs on these inputs may share an interpreter at all: the setup would reach the next program too, and data files are made
    visible to single processes.
    """
    return suite["mode"] == "call" and not suite["isolate"] and not suite.get("files") and _is_shareable(suite["setup"])


def can_share_on_stdin(suite):
    """The same where programs read standard input, one test at a time: the tests of a program need no new interpreter then, either."""
    return suite["mode"] == "stdin" and not suite["isolate"] and shareable_on_stdin(suite["setup"]) is not None


def analyse(program, watch):
    """
    Decides whether a program may share its process. If so, gives it its syntax tree and, if no setup runs beside it, what spares it work.
    `watch`: the one of the process.
    """
    if not program.suite["shareable"]:
        return
    stdin = program.suite["mode"] == "stdin"
    program.tree = (shareable_on_stdin if stdin else shareable)(program.text)
    program.alone = program.tree is None and not broken(program.text)
    if stdin:
        return
    if program.tree is not None and program.suite["setup"] is None:
        program.memoizer = memoize(program.tree, program.budgets, program.provisional)
        program.watch = watch if watch.takes(program.tree, program.text, program.budgets) else None
