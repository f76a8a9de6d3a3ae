"""The canonical form (canon.py) of values of numpy, pandas and matplotlib: plain values instead of them, or parts that represent them.

`library.ts` compares the forms, `plain.py` makes values from them again. A class is recognised by the loaded library, not by its name alone. The
libraries' own methods are called; if a program has changed them, that changes its own answers and nothing else.

    ndarray [dtype, shape, items]       MaskedArray [dtype, shape, items, None where masked]
    Index [dtype, names, items]         Series [dtype, name, index, items]      DataFrame [index, columns, [[dtype, items], ...]]
    Categorical [ordered, categories, items]      Figure, Axes: what tests of figures read

Items are one text if they are numbers (complex ones with a comma between their parts), otherwise a list. Timestamps and Timedeltas become
datetime's values, to which they are equal.
"""
import sys

AS_IT_IS = object()
_numbers = {"b": lambda x: "1" if x else "0", "i": int.__repr__, "u": int.__repr__, "f": float.__repr__}
_numbers["c"] = lambda x: float.__repr__(x.real) + "," + float.__repr__(x.imag)
_frames = {"DataFrame": "DataFrame", "Series": "Series", "Categorical": "Categorical"}
_points = {"Timestamp": "to_pydatetime", "Timedelta": "to_pytimedelta"}


class Form:
    """Parts that represent a value of a class with this name."""

    __slots__ = ("name", "parts")

    def __init__(self, name, parts):
        self.name, self.parts = name, parts


def read(x, kinds):
    """The plain value or the Form that represents a value; AS_IT_IS if it is of no such library. `kinds`: the bases of its class, itself first."""
    modules = sys.modules
    numpy = modules.get("numpy")
    if numpy is not None and _has(kinds, numpy, "generic"):
        return _scalar(x, numpy)
    if numpy is not None and _has(kinds, numpy, "ndarray"):
        return _array(x, numpy, kinds[0].__name__)
    pandas = modules.get("pandas")
    if pandas is not None:
        found = _of_pandas(x, kinds, pandas)
        if found is not AS_IT_IS:
            return found
    figures = modules.get("matplotlib.figure")
    if figures is not None and _has(kinds, figures, "Figure"):
        return Form("matplotlib.Figure", [_text(x._suptitle), list(x.axes)])
    axes = modules.get("matplotlib.axes")
    if axes is not None and _has(kinds, axes, "Axes"):
        return _axes(x)
    return AS_IT_IS


def _has(kinds, module, name):
    wanted = getattr(module, name, None)
    for kind in kinds:
        if kind is wanted:
            return True
    return False


def _scalar(x, numpy):
    value = x.item()
    if isinstance(value, numpy.generic):  # it has more bits than a float
        return complex(value) if isinstance(value, numpy.complexfloating) else float(value)
    if x.dtype.kind in "mM":
        return Form("numpy.%s" % x.dtype.name.partition("[")[0], [str(x)])
    return value


def _dtype(dtype):
    kind = getattr(dtype, "kind", "O")
    return {"U": "str", "S": "bytes"}.get(kind) or getattr(dtype, "name", None) or str(dtype)


def _items(dtype, values):
    """Python values of one dtype; if they are numbers, one text."""
    write = _numbers.get(getattr(dtype, "kind", "O"))
    plain = {"b": bool, "i": int, "u": int, "f": float, "c": complex}.get(getattr(dtype, "kind", "O"))
    if write and all(type(value) is plain for value in values):
        return " ".join(map(write, values))
    return values


def _array(x, numpy, name):
    x = x if name == "MaskedArray" else numpy.asarray(x)
    flat = x.ravel().tolist()
    if x.dtype.kind in "mM":
        flat = [str(item) for item in x.ravel()]
    name = name if name == "MaskedArray" else "ndarray"
    return Form("numpy." + name, [_dtype(x.dtype), list(x.shape), _items(x.dtype, flat)])


def _of_pandas(x, kinds, pandas):
    if x is pandas.NaT or x is getattr(pandas, "NA", None):
        return Form("pandas.NaT" if x is pandas.NaT else "pandas.NA", [str(x)])
    for name, method in _points.items():
        if _has(kinds, pandas, name):
            return Form("pandas." + name, [str(x)]) if getattr(x, "nanosecond", 0) or getattr(x, "nanoseconds", 0) else getattr(x, method)()
    if _has(kinds, pandas, "Period") or _has(kinds, pandas, "Interval"):
        return Form("pandas." + kinds[0].__name__, [str(x), str(getattr(x, "freqstr", ""))])
    if _has(kinds, pandas, "Index"):
        return Form("pandas.Index", [_dtype(x.dtype), list(x.names), _items(x.dtype, x.tolist())])
    if _has(kinds, pandas, "Series"):
        return Form("pandas.Series", [*_column(x)[:1], x.name, x.index, *_column(x)[1:]])
    if _has(kinds, pandas, "DataFrame"):
        return Form("pandas.DataFrame", [x.index, x.columns, [_column(x.iloc[:, place]) for place in range(x.shape[1])]])
    if _has(kinds, pandas, "Categorical"):
        return Form("pandas.Categorical", [bool(x.ordered), x.categories.tolist(), x.tolist()])
    return AS_IT_IS


def _column(series):
    """dtype, items, and for categorical data the categories."""
    dtype = series.dtype
    items = [_dtype(dtype), _items(dtype, series.tolist())]
    return [*items, dtype.categories.tolist()] if str(dtype) == "category" else items


def _text(label):
    return None if label is None else label.get_text()


def _axes(x):
    """Texts, lines, bars and other patches, points and images, in the order in which they were drawn."""
    legend = x.get_legend()
    return Form(
        "matplotlib.Axes",
        [
            [x.get_title(), x.get_xlabel(), x.get_ylabel()],
            [[line.get_xdata(orig=False), line.get_ydata(orig=False)] for line in x.get_lines()],
            [patch.get_extents().bounds if not hasattr(patch, "get_width") else _box(patch) for patch in x.patches],
            [points.get_offsets() for points in x.collections],
            [image.get_array() for image in x.images],
            [text.get_text() for text in x.texts],
            [] if legend is None else [text.get_text() for text in legend.get_texts()],
            [label.get_text() for label in [*x.get_xticklabels(), *x.get_yticklabels()]] if x.patches else [],
        ],
    )


def _box(patch):
    return [float(value) for value in (patch.get_x(), patch.get_y(), patch.get_width(), patch.get_height())] if hasattr(patch, "get_x") else []
