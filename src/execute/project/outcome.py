"""The result of a call as canonical text (canon.py): its value, and its arguments afterwards.

Iterators are run, to the end or for MOST items, because what a function's iterator yields is what the function does. Used when calls are
recorded and when they are replayed. The latter runs beside hostile code, so what it needs is bound at import.
"""
import itertools
import types

MOST = 1000  # items of an iterator
DEEP = 3  # nesting of iterators, and of the containers between them
CHARACTERS = 50_000  # of one canonical text


def bind(encode, too_large):
    """`has_iterators(value)`, `settle(value)` and `text(value)`. `encode` and `too_large` (the exception for too large answers) are canon.py's."""
    _type, _list, _tuple, _dict, _len = type, list, tuple, dict, len
    most, deep, characters = MOST, DEEP, CHARACTERS
    dict_of, mro_of, recursion, exception = type.__dict__["__dict__"].__get__, type.__dict__["__mro__"].__get__, RecursionError, Exception
    take, function = itertools.islice, types.FunctionType

    def is_iterator(value):
        kinds = mro_of(_type(value))
        has_next = has_iter = False
        for kind in kinds:
            own = dict_of(kind)
            has_next, has_iter = has_next or "__next__" in own, has_iter or "__iter__" in own
        return has_next and has_iter

    def items(value):
        kind = _type(value)
        if kind is _list or kind is _tuple:
            return value
        return value.values() if kind is _dict else ()

    def has_iterators(value, depth=0):
        if is_iterator(value):
            return True
        if depth == deep or _len(items(value)) > most:
            return False
        for item in items(value):
            if has_iterators(item, depth + 1):
                return True
        return False

    def settle(value, depth=0):
        """The value, with each iterator replaced by a list. Raises what the iterators raise."""
        if is_iterator(value):
            return [settle(item, depth + 1) if depth < deep else item for item in take(value, most)]
        if not has_iterators(value, depth):
            return value
        kind = _type(value)
        if kind is _dict:
            return {key: settle(item, depth + 1) for key, item in value.items()}
        return kind([settle(item, depth + 1) for item in value])

    def text(value):
        """The canonical text; None if it is too long or too deep, or if reading the value raises."""
        try:
            return encode(value, characters)
        except (too_large, recursion):
            return None
        except exception:
            return None

    return has_iterators, settle, text


def class_name(error):
    """The name of an exception's class, with its module unless it is built in."""
    kind = type(error)
    module = type.__dict__["__dict__"].__get__(kind).get("__module__")
    name = type.__dict__["__name__"].__get__(kind)
    return name if module in (None, "builtins") or type(module) is not str else module + "." + name
