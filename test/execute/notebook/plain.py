"""Judges notebook cells by plain exec in one process, without a sandbox, forks or canonical forms. The executor is compared with it.

Reads [{"folder", "before", "later", "reference", "candidates"}] from stdin. Prints, for each, whether each candidate is right.
"""
import ast, builtins, contextlib, copy, io, json, math, os, sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd


def same(a, b):
    if isinstance(b, pd.DataFrame) or isinstance(a, pd.DataFrame):
        return passes(pd.testing.assert_frame_equal, a, b)
    if isinstance(b, pd.Series) or isinstance(a, pd.Series):
        return passes(pd.testing.assert_series_equal, a, b)
    if isinstance(b, pd.Index):
        return passes(pd.testing.assert_index_equal, a, b)
    if isinstance(b, np.ndarray) or isinstance(a, np.ndarray):
        return isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and a.shape == b.shape and np.allclose(a, b, equal_nan=True)
    if isinstance(b, (list, tuple)):
        return isinstance(a, type(b)) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(b, dict):
        return isinstance(a, dict) and a.keys() == b.keys() and all(same(a[key], b[key]) for key in b)
    if isinstance(b, (float, np.floating)) and isinstance(a, (int, float, np.number)):
        return math.isclose(a, b, rel_tol=1e-7, abs_tol=1e-8)
    return bool(a == b)


def passes(check, a, b):
    try:
        check(a, b)
        return type(a) is type(b)
    except (AssertionError, AttributeError):
        return False


def drawn(figure):
    found = [figure.get_suptitle()]
    for ax in figure.axes:
        legend = ax.get_legend()
        found.append([ax.get_title(), ax.get_xlabel(), ax.get_ylabel(), [text.get_text() for text in legend.get_texts()] if legend else []])
        found.append([line.get_xydata() for line in ax.lines])
        found.append([[float(part) for part in patch.get_bbox().bounds] for patch in ax.patches])
        found.append([np.asarray(points.get_offsets()) for points in ax.collections])
    return found


def execute(text, space):
    """Returns (values shown, figures drawn, text printed, value that the last statement assigns)."""
    figures, values, printed = [], [], io.StringIO()

    def show(*_, **__):
        figures.extend(drawn(plt.figure(number)) for number in plt.get_fignums())
        plt.close("all")

    plt.show = show
    builtins.display = lambda *items: values.extend(items)
    body = ast.parse(text).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    final = body[-1] if body and last is None else None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "<cell>", "exec"), space)
        value = None if last is None else eval(compile(ast.Expression(last.value), "<cell>", "eval"), space)
    show()
    is_drawing = "matplotlib" in type(value).__module__ or (isinstance(value, (list, tuple)) and any("matplotlib" in type(v).__module__ for v in value))
    if value is not None and not is_drawing and not text.rstrip().endswith(";"):
        values.append(value)
    assigned = space[final.targets[0].id] if isinstance(final, ast.Assign) and isinstance(final.targets[0], ast.Name) else None
    return values, figures, printed.getvalue(), assigned


def names_read(cells):
    read, bound = set(), set()
    for cell in cells:
        for statement in ast.parse(cell).body:
            names = [n for n in ast.walk(statement) if isinstance(n, ast.Name)]
            first = {n.id for n in ast.walk(statement.target) if isinstance(n, ast.Name)} if isinstance(statement, ast.For) else set()
            read |= {n.id for n in names if isinstance(n.ctx, ast.Load)} - bound - first
            bound |= {n.id for n in names if isinstance(n.ctx, ast.Store)}
    return read


def state(cells):
    space = {}
    for cell in cells:
        execute(cell, space)
    return space


def copies(space):
    found = {}
    for name, value in space.items():
        try:
            twin = copy.deepcopy(value)
        except Exception:
            continue  # modules, functions
        if same(twin, value):  # otherwise a change could not be detected
            found[name] = twin
    return found


def plain(value):
    return not callable(value) and type(value).__name__ != "module"


def judge(task):
    """Whether each candidate is right. The reference runs once for all of them."""
    needed = names_read(task["later"])
    space = state(task["before"])
    there = set(space)
    before = {name: value for name, value in copies(space).items() if plain(value)}
    shown, figures, printed, _ = execute(task["reference"], space)
    after = {n: v for n, v in space.items() if plain(v) and n != "__builtins__" and (n not in there or (n in before and not same(v, before[n])))}
    return [bool(is_right(candidate, state(task["before"]), needed, before, after, shown, figures, printed)) for candidate in task["candidates"]]


def is_right(candidate, other, needed, before, after, shown, figures, printed):
    try:
        shown2, figures2, printed2, assigned = execute(candidate, other)
    except Exception:
        return False
    wanted = {name for name in after if name in needed}
    if not all(name in other and same(other[name], after[name]) for name in wanted):
        return False
    if any(n in needed and n not in after and plain(v) and not same(other.get(n), v) for n, v in before.items() if n != "__builtins__"):
        return False
    if wanted or shown or figures:
        if shown and not shown2 and len(shown) == 1 and assigned is not None:
            shown2 = [assigned]
        return len(shown2) >= len(shown) and all(map(same, shown2, shown)) and len(figures2) >= len(figures) and all(map(same, figures2, figures))
    if printed.strip():
        return [line.rstrip() for line in printed.rstrip().split("\n")] == [line.rstrip() for line in printed2.rstrip().split("\n")]
    stands_in = [assigned, *shown2[-1:]]
    return all(same(other[n], after[n]) if n in other else any(same(v, after[n]) for v in stands_in) for n in after)


found = []
for task in json.load(sys.stdin):
    os.chdir(task["folder"])
    found.append(judge(task))
print(json.dumps(found))
