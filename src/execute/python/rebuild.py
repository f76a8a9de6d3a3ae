"""Makes values of numpy and pandas from their forms (libraries.py), for tests that look at an answer with the library's own functions.

For the trusted side only. A form is data that a candidate may have sent: types must be on a list, and a form that does not fit gives no value.
"""
import importlib
import re

DTYPE = re.compile(r"bool|u?int(8|16|32|64)|float(16|32|64)|complex(64|128)|object|str|datetime64\[[a-z]{1,2}\]|timedelta64\[[a-z]{1,2}\]").fullmatch
NUMBER = {"b": lambda text: text == "1", "i": int, "u": int, "f": float, "c": lambda text: complex(*map(float, text.split(",")))}


class Unfit(Exception):
    """Not a form, or the form of a library that is not installed."""


def rebuild(name, parts):
    """The value of a form's decoded parts. Raises Unfit."""
    make = MAKERS.get(name)
    if make is None:
        raise Unfit(name)
    try:
        return make(*parts)
    except Exception as error:
        raise Unfit(str(error)) from None


def _library(name):
    return importlib.import_module(name)


def _dtype(name):
    if type(name) is not str or not DTYPE(name):
        raise Unfit("dtype")
    return _library("numpy").dtype(name)


def _column_dtype(name):
    """pandas 3 has its own type for text, with this name; numpy's type of this name is another."""
    return name if name == "str" else _dtype(name)


def _values(dtype, items):
    return [NUMBER[dtype.kind](text) for text in items.split(" ") if text] if type(items) is str else items


def _array(name, shape, items):
    dtype = _dtype(name)
    values = _values(dtype, items)
    if dtype.kind != "O":
        return _library("numpy").array(values, dtype=dtype).reshape(shape)
    made = _library("numpy").empty(len(values), dtype=object)
    made[:] = values
    return made.reshape(shape)


def _index(name, names, items):
    pandas, dtype = _library("pandas"), _dtype(name)
    values = _values(dtype, items)
    if len(names) > 1:
        return pandas.MultiIndex.from_tuples(values, names=names)
    return pandas.Index(values, dtype=_column_dtype(name), name=names[0])


def _series(name, label, index, items):
    return _library("pandas").Series(_values(_dtype(name), items), index=index, dtype=_column_dtype(name), name=label)


def _frame(index, columns, parts):
    pandas = _library("pandas")
    series = [_series(dtype, place, index, items) for place, (dtype, items) in enumerate(parts)]
    made = pandas.concat(series, axis=1) if series else pandas.DataFrame(index=index)
    made.columns = columns
    return made


MAKERS = {
    "pandas.NaT": lambda _text: _library("pandas").NaT,
    "pandas.NA": lambda _text: _library("pandas").NA,
    "numpy.ndarray": _array,
    "pandas.Index": _index,
    "pandas.Series": _series,
    "pandas.DataFrame": _frame,
}
