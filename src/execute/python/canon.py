"""The canonical encoding of answers: JSON text of plain built-in values, the same for equal values of one type.

Used by the candidate's process and by the judge; plain.py and `value.ts` decode it.
Runs beside hostile code, so everything it needs is bound at import and types are compared with `is`: patched builtins,
`__eq__`, `__class__`, `__repr__` or `json` change nothing. If a candidate changes this module itself, it can only change
its own outputs.

    None true false    themselves        int        number, from 2**53 on ["i", hex]
    float ["f", repr]  complex ["c", repr, repr]    str  string    bytes ["b", hex]
    list ["l", [...]]  tuple ["t", [...]]           set ["s", [...]]  frozenset ["z", [...]]  (sorted by text)
    dict ["d", [[key, value], ...]]                 anything else ["o", type name, canonical form]

Subclasses that inherit the comparison of their base (defaultdict, namedtuple) are encoded as that base, which is how
Python compares them. Instances of other classes are identified by type name and attributes, never through their own methods.
"""
import collections
import datetime
import decimal
import fractions
import re
import types
from _json import encode_basestring_ascii as quote
from array import array

from attributes import attributes
from libraries import AS_IT_IS, Form, read

MAX_DEPTH = 200
SAFE = 2**53 - 1


class AnswerTooLarge(Exception):
    pass


def _bind():
    # Locals of this function are cells that patched builtins cannot reach.
    _type, _len, _id, _sorted, _hex, _range = type, len, id, sorted, hex, range
    _int, _float, _str, _bool, _complex, _bytes, _bytearray = int, float, str, bool, complex, bytes, bytearray
    _list, _tuple, _set, _frozenset, _dict = list, tuple, set, frozenset, dict
    _recursion, _repr = RecursionError, repr
    float_repr, int_repr, hexlify = float.__repr__, int.__repr__, bytes.hex
    mro_of = type.__dict__["__mro__"].__get__
    dict_of = type.__dict__["__dict__"].__get__
    items_of, join, comma_join, quote_, SAFE_ = dict.items, "".join, ",".join, quote, SAFE
    sequences = {list: '["l",[', tuple: '["t",['}
    sets = {set: '["s",[', frozenset: '["z",['}
    base_names = (int, float, complex, str, bytes, bytearray, list, tuple, set, frozenset, dict)
    own_equal = (collections.Counter, collections.OrderedDict)
    views = (type({}.keys()), type({}.items()))
    iterators = frozenset(
        map(
            id,
            (map, filter, zip, enumerate, reversed, types.GeneratorType, type(iter([])), type(iter(())), type(iter({})))
            + (type(iter(set())), type(iter("")), type(iter(range(0))), type(reversed([]))),
        )
    )
    by_repr = frozenset(
        map(
            id,
            (range, slice, type(Ellipsis), type(NotImplemented), decimal.Decimal, fractions.Fraction, re.Pattern)
            + (datetime.date, datetime.datetime, datetime.time, datetime.timedelta, datetime.timezone),
        )
    )
    functions = (types.FunctionType, types.BuiltinFunctionType, types.MethodType)
    deque, module_type = collections.deque, types.ModuleType
    array_, attributes_, read_, form_of, as_it_is = array, attributes, read, Form, AS_IT_IS

    def base_of(kind):
        """The built-in type whose comparison the class inherits, or None."""
        owner = None
        for cls in mro_of(kind):
            for base in base_names:
                if cls is base:
                    return base if owner is None or owner is base else None
            for known in own_equal:
                if cls is known and owner is None:
                    return _dict
            if owner is None and "__eq__" in dict_of(cls):
                owner = cls
        return None

    def encode(value, limit):
        """Canonical text of a value. Raises AnswerTooLarge past `limit` characters, RecursionError when too deep."""
        # Most answers are one scalar. They do not need the closures below.
        if value is None:
            return "null"
        kind = _type(value)
        if kind is _bool:
            return "true" if value is True else "false"
        if kind is _int and -SAFE_ <= value <= SAFE_:
            return int_repr(value)
        if kind is _float:
            return '["f","' + float_repr(value) + '"]'
        if kind is _str and _len(value) * 6 < limit:
            return quote_(value)
        if kind is _list and 0 < _len(value) * 20 < limit:
            for item in value:
                if _type(item) is not _int or not -SAFE_ <= item <= SAFE_:
                    break
            else:
                return '["l",[' + comma_join([int_repr(item) for item in value]) + "]]"
        return encode_any(value, limit)

    def encode_any(value, limit):
        out = []
        left = [limit]
        path = _set()
        in_form = [0]

        def put(text):
            out.append(text)
            left[0] -= _len(text)
            if left[0] < 0:
                raise AnswerTooLarge("an answer may have at most %d characters" % limit)

        def text_of(item, depth):
            nonlocal out
            saved, out = out, []
            try:
                walk(item, depth)
                return join(out)
            finally:
                out = saved

        def walk_all(items, depth):
            first = True
            for item in items:
                if not first:
                    out.append(",")
                first = False
                walk(item, depth)

        def walk(x, depth):
            kind = _type(x)
            if x is None:
                put("null")
            elif kind is _int:
                put(int_repr(x) if -SAFE <= x <= SAFE else '["i","' + _hex(x) + '"]')
            elif kind is _str:
                if _len(x) > left[0]:
                    raise AnswerTooLarge("an answer may have at most %d characters" % limit)
                put(quote(x))
            elif kind is _bool:
                put("true" if x is True else "false")
            elif kind is _float:
                put('["f","' + float_repr(x) + '"]')
            else:
                nested(x, kind, depth + 1)

        def nested(x, kind, depth):
            if depth > MAX_DEPTH:
                raise _recursion("the answer is nested too deeply")
            key = _id(x)
            if key in path:
                put('["o","cycle",""]')
                return
            path.add(key)
            try:
                container(x, kind, depth)
            finally:
                path.discard(key)

        def container(x, kind, depth):
            if kind in sequences:
                if _len(x) > left[0]:
                    raise AnswerTooLarge("an answer may have at most %d characters" % limit)
                put(sequences[kind])
                walk_all(x, depth)
                put("]]")
            elif kind is _dict:
                put('["d",[')
                first = True
                for key, item in items_of(x):
                    out.append("[" if first else ",[")
                    first = False
                    walk(key, depth)
                    put(",")
                    walk(item, depth)
                    out.append("]")
                put("]]")
            elif kind in sets:
                parts = [text_of(item, depth) for item in x]
                parts.sort()
                out.append(sets[kind])
                out.append(join([(part if i == 0 else "," + part) for i, part in enumerate_(parts)]))
                out.append("]]")
            elif kind is _complex:
                put('["c","' + float_repr(x.real) + '","' + float_repr(x.imag) + '"]')
            elif kind is _bytes or kind is _bytearray:
                if 2 * _len(x) > left[0]:
                    raise AnswerTooLarge("an answer may have at most %d characters" % limit)
                put('["b","' + hexlify(_bytes(x)) + '"]')
            elif kind is views[0] or kind is views[1]:
                nested(_set(x), _set, depth)
            else:
                subclass(x, kind, depth)

        def subclass(x, kind, depth):
            base = base_of(kind)
            if base is None:
                foreign(x, kind, depth)
            elif base is _dict:
                container(_dict(items_of(x)), _dict, depth)
            elif base is _list or base is _tuple or base is _set or base is _frozenset:
                container(base([item for item in base.__iter__(x)]), base, depth)
            elif base is _int:
                walk(_int.__pos__(x), depth)
            elif base is _float:
                walk(_float.__pos__(x), depth)
            elif base is _str:
                walk(_str.__getitem__(x, slice_all), depth)
            elif base is _complex:
                walk(_complex.__pos__(x), depth)
            else:
                walk(_bytes(base.__getitem__(x, slice_all)), depth)

        def foreign(x, kind, depth):
            found = read_(x, mro_of(kind))
            if found is not as_it_is and _type(found) is not form_of:
                walk(found, depth)
                return
            # Inside a form everything is nested JSON; only the outermost form is quoted (otherwise quotes would double at each level).
            nonlocal out
            in_form[0] += 1
            saved, out = out, []
            try:
                if found is as_it_is:
                    form(x, kind, depth)
                else:
                    walk(found.parts, depth)
                text = join(out)
            finally:
                out = saved
                in_form[0] -= 1
            name = dict_of(kind).get("__module__") if found is as_it_is else None
            name = found.name if found is not as_it_is else kind_name(kind) if _type(name) is not _str or name in plain_modules else name + "." + kind_name(kind)
            if in_form[0]:
                out.append('["o",' + quote(name) + "," + (text or '""') + "]")
            else:
                put('["o",' + quote(name) + "," + quote(text) + "]")

        def form(x, kind, depth):
            if _id(kind) in by_repr:
                out.append(_repr(x) if not in_form[0] > 1 else quote(_repr(x)))
            elif _id(kind) in iterators:
                pass  # it has no value until it is run, and running it is up to the test: equal to nothing
            elif kind is deque:
                out.append("[")
                walk_all(x, depth)
                put("]")
            elif kind is array_:
                walk([x.typecode, x.tolist()], depth)
            elif kind in functions or kind is module_type:
                pass  # compared by identity in Python: equal to nothing here
            elif _type in mro_of(kind):
                put(quote(kind_name(x)))
            else:
                attributes(x, kind, depth)

        def attributes(x, kind, depth):
            found = attributes_(x, mro_of(kind))
            if found is None:
                return  # its data cannot be read: equal to nothing
            put("{")
            first = True
            for name in _sorted([n for n in found if _type(n) is _str]):
                out.append(quote(name) + ":" if first else "," + quote(name) + ":")
                first = False
                walk(found[name], depth)
            put("}")

        walk(value, 0)
        return join(out)

    enumerate_ = enumerate
    slice_all = slice(None)
    kind_name = type.__dict__["__name__"].__get__
    plain_modules = frozenset(("builtins", "candidate", "__main__"))
    return encode


encode = _bind()
