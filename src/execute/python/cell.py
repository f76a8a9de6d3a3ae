"""Runs a cell of a notebook in the notebook's namespace, and reports what it shows.

A cell shows: the values given to `display`, then the value of its last statement if that is an expression, not None and not followed by a
semicolon (as in Jupyter); the figures that it drew; what it printed. A value that is a drawing (an Axes, a list of lines) counts as its figure.
Runs in the state's process (state.py) for the cells before the judged one, and in a separate process for the judged one. Judges nothing.
"""
import ast
import builtins
import io
import sys
from time import process_time

from candidate import describe, reporter
from canon import encode

SHOWN = ("shown", "figures", "printed", "last")  # reported for every cell, before variables


class Shown:
    """`last`: the name that the last statement assigns, if it assigns one."""

    def __init__(self):
        self.values, self.figures, self.printed, self.last = [], [], io.StringIO(), None

    def display(self, *values, **_options):
        self.values.extend(values)

    def show(self):
        """What pyplot.show does in a notebook: shows the open figures and closes them."""
        pyplot = sys.modules["matplotlib.pyplot"]
        for number in pyplot.get_fignums():
            self._add(pyplot.figure(number))
        pyplot.close("all")

    def finish(self):
        """Call after the cell: adds the figures that are still open, and those of values that are drawings."""
        figures = sys.modules.get("matplotlib.figure")
        if "matplotlib.pyplot" in sys.modules:
            self.show()
        if figures is None:
            return
        kept = []
        for value in self.values:
            drawn = artists_in(value)
            if drawn is None:
                kept.append(value)
                continue
            for artist in drawn:
                figure = artist if isinstance(artist, figures.Figure) else getattr(artist, "figure", None)
                if isinstance(figure, figures.Figure):
                    self._add(figure)
        self.values = kept

    def _add(self, figure):
        if all(figure is not known for known in self.figures):
            self.figures.append(figure)


def artists_in(value):
    """The artists that a value is or contains, such as the result of a drawing function; None for any other value."""
    artist = sys.modules["matplotlib.artist"].Artist
    if isinstance(value, artist):
        return [value]
    if type(value).__name__ in ("ndarray", "Series"):
        if getattr(value, "dtype", None) != object:
            return None
        value = value.ravel().tolist() if type(value).__name__ == "ndarray" else value.tolist()
    if isinstance(value, dict):  # the result of boxplot
        value = [item for items in value.values() for item in (items if isinstance(items, (list, tuple)) else [items])]
    if not isinstance(value, (list, tuple)) or not value:
        return None
    found = []
    for item in value:  # the result of hist: counts, edges, bars
        found.extend(artists_in(item) or () if isinstance(item, (artist, list, tuple)) else ())
    return found or None


def run(text, space):
    """Runs a cell in a namespace. Returns what it shows; raises what it raises."""
    shown = Shown()
    builtins.display = shown.display
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].show = lambda *_arguments, **_options: shown.show()  # a function: pyplot sets attributes on it
    outer, sys.stdout = sys.stdout, shown.printed
    try:
        body = ast.parse(text, "<cell>").body
        last = body[-1] if body else None
        shown.last = name_assigned(last)
        value = None
        if isinstance(last, ast.Expr):
            exec(_compile(ast.Module(body[:-1], []), "exec"), space)
            value = eval(_compile(ast.Expression(last.value), "eval"), space)
        else:
            exec(_compile(ast.Module(body, []), "exec"), space)
        if value is not None and not text.rstrip().endswith(";"):
            shown.values.append(value)
        shown.finish()
    finally:
        sys.stdout = outer
    return shown


def _compile(tree, mode):
    return compile(tree, "<cell>", mode, dont_inherit=True)


def name_assigned(statement):
    """The variable that a statement assigns, if it assigns exactly one."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    if not isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)) or len(targets) != 1:
        return None
    return targets[0].id if isinstance(targets[0], ast.Name) else None


def report_on(text, names, start, space, limit, emit):
    """
    Runs the judged cell and reports as candidate.py does: as for loading, that it ran; then each of SHOWN; then each variable of `names`, with
    an error if it does not exist. The first `start` of these are left out. An answer may have `limit` characters.
    """
    report = reporter(emit, process_time)
    try:
        shown = run(text, space)
    except MemoryError:
        report(-1, "m", "null")
        return
    except BaseException as error:
        report(-1, "e", describe(error))
        return
    report(-1, "v", "null")

    def last():
        if shown.last is None:
            raise NameError("the last statement assigns no variable")
        return space[shown.last]

    getters = [lambda: shown.values, lambda: shown.figures, shown.printed.getvalue, last]
    getters += [lambda name=name: space[name] for name in names]
    for index, get in enumerate(getters):
        if index < start:
            continue
        try:
            report(index, "v", encode(get(), limit))
        except MemoryError:
            report(index, "m", "null")
        except BaseException as error:
            report(index, "e", describe(error))
