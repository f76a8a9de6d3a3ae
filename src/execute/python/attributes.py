"""Reads the attributes of an object without asking its class. Canonical forms (canon.py) identify objects by them.

Runs beside hostile code, as canon.py does, and binds what it needs in the same way.
"""
import struct
import types


def _bind():
    _type, _str, _len, exception, error = type, str, len, BaseException, AttributeError
    dict_of, read, member = type.__dict__["__dict__"].__get__, object.__getattribute__, types.MemberDescriptorType
    arguments_of = BaseException.__dict__["args"].__get__
    size_of, item_size_of, dict_place, references_place = (
        type.__dict__[name].__get__ for name in ("__basicsize__", "__itemsize__", "__dictoffset__", "__weakrefoffset__")
    )
    least_size, pointer = object.__basicsize__, struct.calcsize("P")

    def attributes(x, kinds):
        """
        The attributes of an object, from its slots and its `__dict__`. `kinds`: the bases of its class, itself first. None if the object has
        room for more: a class written in C, or one that extends it, keeps data that no attribute shows. `pickle` finds this out in the same way.
        """
        found, slots, is_exception = {}, 0, False
        for kind in kinds:
            is_exception = is_exception or kind is exception
            own = dict_of(kind)
            names = own.get("__slots__", ())
            for name in (names,) if _type(names) is _str else names:
                if _type(name) is not _str:
                    continue
                if name[:2] == "__" and name[-2:] != "__":
                    name = "_" + kind.__name__.lstrip("_") + name
                if _type(own.get(name)) is member:
                    slots += 1
                    try:
                        found[name] = read(x, name)
                    except error:
                        pass
        kind = kinds[0]
        room = least_size + pointer * (slots + (dict_place(kind) > 0) + (references_place(kind) > 0))
        if not is_exception and (size_of(kind) > room or item_size_of(kind) > 0):
            return None
        try:
            found.update(read(x, "__dict__"))
        except error:
            pass
        if is_exception:
            found["args"] = arguments_of(x)
        return found

    return attributes


attributes = _bind()
