"""Which programs can share a process: those that can reach nothing but their own values.

An allowlist, checked on the syntax tree: a program is shareable if every import, every attribute and every built-in name that it uses is
on the lists below, it stores no attribute and it defines no class. Such a program has no name for the namespace of a module, class or
frame, for a file, the interpreter or the clock, so nothing it does can reach the next program. A program that is not
obviously shareable gets its own process, so a missing name here costs time, never safety. Add only what is harmless on
*every* object of the listed modules and of the built-in types.
"""
import ast
import builtins
import re

MODULES = {
    "math": "*",
    "itertools": "*",
    "heapq": "*",
    "bisect": "*",
    "collections": {"Counter", "OrderedDict", "defaultdict", "deque"},
    "functools": {"cmp_to_key", "lru_cache", "partial", "reduce"},
    "operator": {"add", "itemgetter", "mul", "or_", "sub", "xor"},
    "re": {"compile", "findall", "finditer", "fullmatch", "match", "search", "split", "sub"},
    "statistics": {"mean", "median", "mode"},
    "string": {"ascii_letters", "ascii_lowercase", "ascii_uppercase", "digits", "punctuation"},
    "typing": {"Any", "Callable", "Dict", "FrozenSet", "Generator", "Iterable", "Iterator", "List", "Optional", "Sequence"}
    | {"Set", "Tuple", "Union"},
    "copy": {"copy", "deepcopy"},
}  # fmt: skip

NAMES = set(
    "abs all any ascii bin bool bytearray bytes callable chr complex dict divmod enumerate filter float frozenset hex int "
    "isinstance issubclass iter len list map max min next oct ord pow print range repr reversed round set slice sorted str "
    "sum tuple zip Ellipsis False None NotImplemented True".split()
)  # fmt: skip
# Exceptions are values. Those that do not extend Exception end more than a call.
NAMES |= {name for name, kind in vars(builtins).items() if isinstance(kind, type) and issubclass(kind, Exception)}
FORBIDDEN = set(dir(builtins)) - NAMES

_values = (str, list, dict, set, frozenset, tuple, int, float, complex, bytes, bytearray, range)
ATTRIBUTES = {name for kind in _values for name in dir(kind) if not name.startswith("_")}
ATTRIBUTES |= {"group", "groups", "span", "end", "args", "most_common", "elements", "subtract", "move_to_end"}
ATTRIBUTES |= {"appendleft", "extendleft", "popleft", "rotate"}
for _name, _public in MODULES.items():
    _module = __import__(_name)
    ATTRIBUTES |= {name for name in dir(_module) if not name.startswith("_")} if _public == "*" else _public
ATTRIBUTES -= {"format_map"}

PLAIN = {
    getattr(ast, name)
    for name in "Module Expr Assign AugAssign AnnAssign Return Delete For While If Raise Try Assert Pass Break Continue "
    "FunctionDef Lambda arguments arg keyword Global Nonlocal BoolOp BinOp UnaryOp IfExp Dict Set ListComp SetComp DictComp "
    "GeneratorExp comprehension Yield YieldFrom Compare Call FormattedValue JoinedStr Constant Subscript Starred List "
    "Tuple Slice ExceptHandler NamedExpr Load Store Del And Or Not Invert UAdd USub Add Sub Mult Div FloorDiv Mod Pow "
    "LShift RShift BitOr BitXor BitAnd MatMult Eq NotEq Lt LtE Gt GtE Is IsNot In NotIn".split()
}  # fmt: skip
GENERATES = {ast.Yield, ast.YieldFrom}
REACHING = re.compile(r"\{[^{}:!]*[.\[]").search  # a field of str.format that reads attributes or items
MAX_LENGTH = 40_000  # characters; a longer program gets its own process


# What a stdin program may use besides: its streams, which are new for each program.
STREAMS = {"stdin", "stdout", "exit", "maxsize"}
STREAM_METHODS = {"read", "readline", "readlines", "write", "flush"}


def _bind(modules, attributes, forbidden):
    _ast, compile_, only_ast, type_, list_, str_ = ast.AST, compile, ast.PyCF_ONLY_AST, type, list, str
    name_node, attribute, load, call = ast.Name, ast.Attribute, ast.Load, ast.Call
    import_, from_import, handler, function, argument = ast.Import, ast.ImportFrom, ast.ExceptHandler, ast.FunctionDef, ast.arg
    isinstance_, len_, error = isinstance, len, (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError)
    plain, longest = PLAIN, MAX_LENGTH

    def bindable(name):
        """Whether a program may bind this name to its own value, or read it."""
        return name == "__name__" or not (name in forbidden or name[:2] == "__")

    def imported(node):
        if type_(node) is import_:
            return all_([item.name in modules and bindable(item.asname or item.name) for item in node.names])
        public = modules.get(node.module) if node.level == 0 else None
        if public is None:
            return False
        if public == "*":
            return all_([item.name in attributes or item.name == "*" for item in node.names]) and all_(
                [bindable(item.asname or "") for item in node.names]
            )
        return all_([item.name in public and bindable(item.asname or "") for item in node.names])

    def shareable(code):
        """The syntax tree, to be compiled, of a program that uses only what is on the lists; None for any other text."""
        if len_(code) > longest:
            return None
        try:
            tree = compile_(code, "<candidate>", "exec", only_ast, True)
        except error:
            return None
        left, kinds = [tree], set_()
        while left:
            node = left.pop()
            kind = type_(node)
            kinds.add(kind)
            if kind is name_node:
                if not bindable(node.id):
                    return None
                continue
            if kind is attribute:
                if node.attr not in attributes or type_(node.ctx) is not load:
                    return None
                if node.attr == "format" and not (
                    type_(node.value) is constant and type_(node.value.value) is str_ and not reaching(node.value.value)
                ):
                    return None
            elif kind is compare:
                # type(x) may only be compared: type(int) is the class that makes classes.
                for side in [node.left, *node.comparators]:
                    if (
                        type_(side) is call and type_(side.func) is name_node and side.func.id == "type"
                        and len_(side.args) == 1 and not side.keywords and type_(side.args[0]) is not starred
                    ):
                        side = side.args[0]
                    left.append(side)
                continue
            elif kind is import_ or kind is from_import:
                if not imported(node):
                    return None
                continue
            elif kind not in plain:
                return None
            elif kind is function or kind is handler:
                if node.name is not None and not bindable(node.name):
                    return None
            elif kind is argument and not bindable(node.arg):
                return None
            for value in node.__dict__.values():
                if type_(value) is list_:
                    for item in value:
                        if isinstance_(item, _ast):
                            left.append(item)
                elif isinstance_(value, _ast):
                    left.append(value)
        # A generator's `finally` or `except` runs when the generator is collected as garbage, perhaps while the next program runs.
        return None if try_ in kinds and kinds & generates else tree

    all_, starred, set_, try_, generates = all, ast.Starred, set, ast.Try, GENERATES
    compare, constant, reaching = ast.Compare, ast.Constant, REACHING
    return shareable


shareable = _bind(MODULES, ATTRIBUTES, FORBIDDEN)
shareable_on_stdin = _bind(MODULES | {"sys": STREAMS}, ATTRIBUTES | STREAMS | STREAM_METHODS, FORBIDDEN - {"input"})


def broken(code):
    """Whether nothing of a program runs anywhere, because Python cannot compile it. One too deep or too large for the parser may still run."""
    if len(code) > MAX_LENGTH:
        return False
    try:
        compile(code, "<candidate>", "exec", ast.PyCF_ONLY_AST, True)
    except SyntaxError:
        return True
    except Exception:
        pass
    return False
