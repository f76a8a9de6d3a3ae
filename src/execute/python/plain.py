"""Converts canonical text (canon.py) back to Python values, and plain values to source. For the trusted side only.

A value of any other type than built-in ones (and those rebuilt below) stays a type name and a form, as in the text. No class of a candidate
exists here, so none can take part in a comparison.
"""
import datetime
import decimal
import fractions
import json
import re

from rebuild import MAKERS, Unfit, rebuild

FRACTION = re.compile(r"Fraction\((-?[0-9]+), ([0-9]+)\)").fullmatch
DATES = {"date": datetime.date, "datetime": datetime.datetime, "time": datetime.time, "timedelta": datetime.timedelta}
DATE = re.compile(r"datetime\.([a-z]+)\(([-0-9a-z=, ]{0,80})\)").fullmatch
DECIMAL = re.compile(r"Decimal\('([^'()]+)'\)").fullmatch


class NotPlain(BaseException):
    """A value known only by type and form was used like the object itself. A BaseException: a test's `except Exception` does not catch it."""


def _refuse(self, *_args, **_named):
    raise NotPlain(object.__getattribute__(self, "type"))


class Foreign:
    """A decoded `object`: it compares by type and form, is true as objects are, and refuses everything else."""

    __slots__ = ("type", "form")

    def __init__(self, type_name, form):
        object.__setattr__(self, "type", type_name)
        object.__setattr__(self, "form", form)

    def __eq__(self, other):
        if type(other) is not Foreign:
            return False
        read = object.__getattribute__
        return (read(self, "type"), read(self, "form")) == (read(other, "type"), read(other, "form"))

    def __hash__(self):
        return hash(object.__getattribute__(self, "form"))

    def __bool__(self):
        return True

    __getattribute__ = __setattr__ = __call__ = __iter__ = __len__ = __getitem__ = __contains__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
    __str__ = __repr__ = __int__ = __float__ = __index__ = __neg__ = __abs__ = __next__ = __mod__ = __truediv__ = _refuse


def decode(text):
    """The value of a canonical text. Objects become `Foreign`, except numbers, dates and values of installed libraries. Raises on other text."""
    return _plain(json.loads(text))


def _plain(x):
    if type(x) is not list:
        if type(x) in (dict, float):
            raise ValueError("not a canonical value")
        return x
    tag = x[0]
    if tag == "i":
        return int(x[1], 16)
    if tag == "f":
        return float(x[1])
    if tag == "c":
        return complex(float(x[1]), float(x[2]))
    if tag == "b":
        return bytes.fromhex(x[1])
    if tag == "l":
        return [_plain(item) for item in x[1]]
    if tag == "t":
        return tuple([_plain(item) for item in x[1]])
    if tag == "s":
        return {_plain(item) for item in x[1]}
    if tag == "z":
        return frozenset([_plain(item) for item in x[1]])
    if tag == "d":
        return {_plain(key): _plain(item) for key, item in x[1]}
    if tag == "o":
        return _object(x[1], x[2])
    raise ValueError("not a canonical value")


def _object(type_name, form):
    if type_name in MAKERS:
        try:
            return rebuild(type_name, _plain(json.loads(form) if type(form) is str else form))
        except (Unfit, ValueError, NotPlain):
            return Foreign(type_name, form if type(form) is str else json.dumps(form))
    if type(form) is not str:  # inside another form it is nested JSON
        form = json.dumps(form)
    number = _number(type_name, form)
    if number is None:
        number = _date(type_name, form)
    return Foreign(type_name, form) if number is None else number


def _date(type_name, form):
    """A datetime value without a time zone, as `repr` writes it; None for all other forms."""
    kind = DATES.get(type_name)
    if kind is None or not (found := DATE(form)) or found[1] != type_name:
        return None
    named, places = {}, []
    try:
        for argument in filter(None, found[2].split(", ")):
            name, _, value = argument.rpartition("=")
            if name:
                named[name] = int(value)
            else:
                places.append(int(value))
        return kind(*places, **named)
    except (ValueError, TypeError, OverflowError):
        return None


def _number(type_name, form):
    """A Fraction or Decimal, as `repr` writes it; None for all other forms."""
    if type_name == "fractions.Fraction" and (found := FRACTION(form)):
        return fractions.Fraction(int(found[1]), int(found[2]))
    if type_name == "decimal.Decimal" and (found := DECIMAL(form)):
        return decimal.Decimal(found[1])
    return None


def source(x):
    """Python source of a plain value, without names that a program could redefine. Raises NotPlain for other values."""
    kind = type(x)
    if x is None or kind in (bool, int, str, bytes):
        return repr(x) if kind is not int or x.bit_length() < 10000 else hex(x)
    if kind is float:
        if x != x:
            return "(1e999-1e999)"
        return "1e999" if x == float("inf") else "(-1e999)" if x == float("-inf") else repr(x)
    if kind is complex:
        return "(%s+%s*1j)" % (source(x.real), source(x.imag))
    if kind is list:
        return "[" + ", ".join([source(item) for item in x]) + "]"
    if kind is tuple:
        return "(" + "".join([source(item) + ", " for item in x]) + ")"
    if kind is set:
        return "{" + ", ".join(sorted([source(item) for item in x]) or ["*()"]) + "}"
    if kind is dict:
        return "{" + ", ".join([source(key) + ": " + source(item) for key, item in x.items()]) + "}"
    raise NotPlain(kind.__name__)
