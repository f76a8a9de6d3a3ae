"""Takes test code apart into inputs for the candidate and an expectation that stays here.

`assert f(1) == 2` becomes the input `1` and the expected value 2. Any other assert over calls of the entry point is
kept as code in which each call is replaced by the candidate's answer; calls in loops are found by running the code on
a stand-in that agrees with everything, and the run is repeated on the answers. What cannot be done that way (the test
needs the candidate's own objects, or looks at an argument the call has changed) is `opaque` and runs whole elsewhere.
"""
import ast
import builtins
import importlib
import random
import signal

from canon import AnswerTooLarge, Foreign, NotPlain, decode, encode, source

LIMIT = 10_000_000  # characters of an expected value
MAX_CALLS = 10_000
SECONDS = 5  # of CPU for one test's own code
# Test code may use these without importing them: the candidates' prompts often do it for them.
MODULES = ("math", "cmath", "re", "random", "string", "itertools", "functools", "collections", "copy", "operator", "heapq",
           "bisect", "datetime", "decimal", "fractions", "statistics", "typing", "sys", "json", "hashlib")  # fmt: skip
ANSWER, CALL = "__answer__", "__call__"


class Opaque(Exception):
    """The test cannot be judged on plain answers."""


class Unusable(Exception):
    """The test cannot be judged at all."""


class CpuLimit(BaseException):
    pass


class limited:
    """Bounds the CPU time of test code where the platform can (test files are not always to be trusted either)."""

    def __enter__(self):
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGVTALRM, _stop)
            signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)

    def __exit__(self, *_):
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _stop(*_):
    raise CpuLimit()


class Agreeable:
    """Stands for an unknown answer while inputs are collected: every operation works, every comparison holds."""

    def _self(self, *_args, **_named):
        return self

    def _true(self, *_args):
        return True

    __getattr__ = __call__ = __getitem__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _self
    __truediv__ = __rtruediv__ = __floordiv__ = __mod__ = __pow__ = __neg__ = __abs__ = __round__ = __and__ = _self
    __or__ = __xor__ = __invert__ = _self
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __bool__ = _true

    def __hash__(self):
        return 0

    def __iter__(self):
        return iter(())

    def __len__(self):
        return 0

    def __int__(self):
        return 0

    __index__ = __int__

    def __float__(self):
        return 0.0


class Unit:
    """Code judged here: statements with calls replaced, and the inputs whose answers they need, in order."""

    def __init__(self, code, static, dynamic, guarded):
        self.code, self.static, self.dynamic, self.guarded = code, static, dynamic, guarded


class Prepared:
    def __init__(self, problem):
        self.entry = _normal(problem["entryPoint"]) if problem["entryPoint"] else None
        self.inputs, self.units, self.skipped = [], [], []
        self.judged = {}
        self.aliases = self._aliases(problem["setup"])
        self.space = self._space(problem)
        for test in problem["tests"]:
            before = len(self.units)
            try:
                with limited():
                    self._prepare(test)
            except (Exception, CpuLimit) as error:
                for number in range(before, len(self.units)):
                    self.judged.pop(number, None)
                del self.units[before:]
                self.skipped.append([test["id"], "%s: %s" % (type(error).__name__, error)])

    def _space(self, problem):
        """The namespace of test code: the setup's and the prompt's names (both are the problem's, not a candidate's)."""
        space = {"__name__": "test", "__builtins__": builtins}
        for text in (problem["setup"], problem["prompt"]):
            try:
                with limited():
                    exec(compile(text, "<setup>", "exec", dont_inherit=True), space)
            except (Exception, CpuLimit):
                pass  # the setup may need the program's names, the prompt may not be whole code
        if self.entry:
            space.pop(self.entry, None)
        for name in MODULES:
            if name not in space:
                space[name] = importlib.import_module(name)
        return space

    def _aliases(self, setup):
        """The entry point's names: its own, and `s.run` where the setup says `s = Solution()`."""
        names = {self.entry} if self.entry else set()
        try:
            body = ast.parse(setup).body
        except SyntaxError:
            return names
        for statement in body:
            if self.entry and isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                value = ast.unparse(statement.value)
                if self.entry == value or self.entry.startswith(value + "."):
                    names.add(statement.targets[0].id + self.entry[len(value) :])
        return names

    def _prepare(self, test):
        kind = test["kind"]
        if kind == "call":
            ast.parse("f(%s\n)" % test["args"])
            expected = None
            if test["expected"] is not None:
                expected = self._expected(ast.parse("(%s\n)" % test["expected"], mode="eval"), self.space)
            self._add_equal(test["id"], self._input(test["args"]), expected, test["tolerance"])
        elif kind == "assert":
            self._add_asserts(test["id"], ast.parse(test["code"]).body, [{}], whole=True)
        else:
            self._add_check(test["id"], ast.parse(test["code"]))

    def _input(self, args):
        self.inputs.append(args)
        return len(self.inputs) - 1

    def _add_equal(self, test, index, expected, tolerance):
        self.units.append(
            {"test": test, "kind": "equal", "inputs": [index], "expected": expected, "tolerance": tolerance}
        )

    def _expected(self, expression, space):
        return encode(eval(compile(expression, "<expected>", "eval"), dict(space)), LIMIT)

    # Test code -------------------------------------------------------------------------------------------------

    def _add_check(self, test, module):
        """`def check(candidate)`: each assert of its body is a unit, with the statements before it."""
        functions = [s for s in module.body if isinstance(s, ast.FunctionDef) and s.name == "check" and s.args.args]
        if not functions:
            raise Unusable("it defines no function check(candidate)")
        check = functions[-1]
        context = [
            s
            for s in module.body
            if s is not check and not (isinstance(s, ast.Expr) and isinstance(s.value, (ast.Call, ast.Constant)))
        ]
        self._add_asserts(test, check.body, context, whole=False, names=(check.args.args[0].arg,))

    def _add_asserts(self, test, body, context, whole, names=()):
        context = [s for s in context if isinstance(s, ast.stmt)]
        aliases = set(names) | self.aliases
        units, before = [], list(context)
        for statement in body:
            if (
                isinstance(statement, ast.Assign)
                and isinstance(statement.targets[0], ast.Name)
                and _normal(ast.unparse(statement.value)) in aliases
            ):
                aliases.add(statement.targets[0].id)
                continue
            if isinstance(statement, ast.Assert) and isinstance(statement.test, ast.Constant) and statement.test.value:
                continue  # HumanEval's `assert True`
            if _is_prelude(statement, aliases):
                before.append(statement)
            elif whole and units:
                units[-1][0].extend(before[units[-1][1] :] + [statement])
                units[-1][1] = len(before)
            else:
                units.append([before + [statement], len(before)])
        if not units and whole and before:
            units.append([before, len(before)])
        if not units:
            raise Unusable("it asserts nothing")
        for number, (statements, _) in enumerate(units):
            self._add_unit(test if len(units) == 1 else "%s/%d" % (test, number), statements, aliases, names)

    def _add_unit(self, test, statements, aliases, names):
        statements = _needed(statements, aliases)
        code = "".join("%s = %s\n" % (name, self.entry) for name in names) + "\n".join(map(ast.unparse, statements))
        before = len(self.inputs)
        try:
            if len(statements) == 1 and self._add_equation(test, statements[0], aliases):
                return
            unit = self._split(statements, aliases)
        except (Opaque, NotPlain, AnswerTooLarge, CpuLimit, RecursionError):
            del self.inputs[before:]
            self.units.append({"test": test, "kind": "opaque", "inputs": [], "code": code})
            return
        number = len(self.units)
        self.judged[number] = unit
        self.units.append(
            {
                "test": test,
                "kind": "judge",
                "number": number,
                "inputs": unit.static + unit.dynamic,
                "code": code,
                "guarded": unit.guarded,
            }
        )

    def _add_equation(self, test, statement, aliases):
        """`assert f(args) == expression`, either way round: the common case, compared without running code."""
        if not (isinstance(statement, ast.Assert) and isinstance(statement.test, ast.Compare)):
            return False
        compare = statement.test
        if len(compare.ops) != 1 or not isinstance(compare.ops[0], ast.Eq):
            return False
        for call, other in ((compare.left, compare.comparators[0]), (compare.comparators[0], compare.left)):
            if not _is_call(call, aliases) or _mentions(other, aliases):
                continue
            try:
                expected = self._expected(ast.Expression(other), self.space)
            except NameError as error:
                raise Opaque(str(error)) from None
            self._add_equal(test, self._input(_arguments(call)), expected, 0)
            return True
        return False

    def _split(self, statements, aliases):
        bound = _bound(statements)
        replace = _Replace(aliases, bound)
        module = ast.Module([replace.visit(ast.parse(ast.unparse(s)).body[0]) for s in statements], [])
        if _mentions(module, aliases) or (aliases & bound):
            raise Opaque("the entry point is used other than by calling it")
        if not replace.static and not replace.sites:
            raise Opaque("the test does not call the entry point itself")
        known = set(dir(builtins)) | set(self.space) | bound | {ANSWER, CALL}
        unknown = {n.id for n in ast.walk(module) if isinstance(n, ast.Name)} - known
        if unknown:
            raise Opaque("only the program defines " + ", ".join(sorted(unknown)))
        code = compile(ast.fix_missing_locations(module), "<test>", "exec", dont_inherit=True)
        guarded = any(isinstance(n, (ast.Try, ast.With)) for n in ast.walk(module))
        static = [self._input(args) for args in replace.static]
        dynamic = []
        if replace.sites:
            agreeing = compile(ast.fix_missing_locations(_Agree().visit(module)), "<test>", "exec", dont_inherit=True)
            calls = self._record(agreeing, replace.sites, _outside_calls(module))
            dynamic = [self._input(args) for args in calls]
        return Unit(code, static, dynamic, guarded)

    def _record(self, code, sites, outside):
        """Argument sources of the calls in loops, in the order in which the code makes them."""
        calls = []

        def stand_in(number, *args, **named):
            if len(calls) >= MAX_CALLS:
                raise Opaque("too many calls")
            names, fresh = sites[number]
            for place, value in enumerate([*args, *named.values()] if names & outside else ()):
                # A display is new in each call, its members are not.
                inside = place < len(fresh) and fresh[place] and type(value) in (list, set, tuple, dict)
                for item in [*value, *(value.values() if type(value) is dict else ())] if inside else [value]:
                    if type(item) not in _IMMUTABLE:
                        raise Opaque("an argument is used again after the call, which may have changed it")
            calls.append(_given(args, named))
            return Agreeable()

        try:
            self._run(code, lambda _index: Agreeable(), stand_in)
        except (Opaque, NotPlain, AnswerTooLarge, RecursionError):
            raise
        except Exception as error:
            raise Opaque(str(error)) from None
        return calls

    def _run(self, code, answer, call):
        random.seed(0)
        exec(code, {**self.space, ANSWER: answer, CALL: call})

    # Judging -----------------------------------------------------------------------------------------------------

    def check(self, number, answers):
        """`pass`, `fail`, `opaque` (must run whole) or [exception class, message] of a unit on answer texts.

        An answer is canonical text, or [exception class, message] where the candidate raised.
        """
        unit = self.judged[number]
        static = answers[: len(unit.static)]
        dynamic = iter(zip(unit.dynamic, answers[len(unit.static) :]))

        def call(_site, *args, **named):
            given = _given(args, named)
            index, text = next(dynamic, (None, None))
            if index is None or self.inputs[index] != given:
                raise Opaque("the calls depend on the answers")
            return _value(text)

        try:
            with limited():
                self._run(unit.code, lambda index: _value(static[index]), call)
        except AssertionError:
            return "fail"
        except (Opaque, NotPlain):
            return "opaque"
        except (Exception, CpuLimit) as error:
            return [type(error).__name__, str(error)[:500]]
        return "pass"


def _given(args, named):
    return ", ".join([source(a) for a in args] + ["%s=%s" % (k, source(v)) for k, v in named.items()])


def _value(text):
    if isinstance(text, str):
        return decode(text)
    kind = getattr(builtins, text[0], None)
    if not (isinstance(kind, type) and issubclass(kind, Exception)):
        raise Opaque("an exception of the program's own")
    raise kind(text[1])


_IMMUTABLE = frozenset((type(None), bool, int, float, complex, str, bytes, range, Agreeable, Foreign))


def _normal(expression):
    return ast.unparse(ast.parse(expression.strip(), mode="eval"))


def _is_call(node, aliases):
    return isinstance(node, ast.Call) and ast.unparse(node.func) in aliases


def _mentions(tree, aliases):
    return any(isinstance(n, (ast.Name, ast.Attribute)) and ast.unparse(n) in aliases for n in ast.walk(tree))


def _arguments(call):
    return ", ".join([ast.unparse(a) for a in call.args] + [ast.unparse(k) for k in call.keywords])


def _is_prelude(statement, aliases):
    """A statement that only prepares: an import, an assignment, a definition, a docstring, `pass`."""
    if isinstance(statement, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Pass)):
        return True
    if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        return True
    return isinstance(statement, ast.Expr) and not _mentions(statement, aliases)


def _needed(statements, aliases):
    """Without the definitions that nothing after them uses."""
    kept, used = [], set()
    for statement in reversed(statements):
        defines = isinstance(statement, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)) or (
            isinstance(statement, ast.Assign)
            and all(isinstance(t, ast.Name) for t in statement.targets)
            and not _mentions(statement, aliases)
        )
        if defines and kept and not (_bound([statement]) & used or "*" in _bound([statement])):
            continue
        kept.append(statement)
        used |= {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)}
    return kept[::-1]


def _bound(statements):
    """Names the statements bind: variables, imports, definitions, parameters."""
    names = set()
    for statement in statements:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                names.add(node.id)
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                names.add(node.name)
            elif isinstance(node, ast.arg):
                names.add(node.arg)
            elif isinstance(node, ast.alias):
                names.add((node.asname or node.name).split(".")[0])
            elif isinstance(node, ast.ExceptHandler) and node.name:
                names.add(node.name)
    return names


def _outside_calls(module):
    """Names read anywhere but in the arguments of a replaced call."""
    inside = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == CALL:
            inside.update(id(n) for n in ast.walk(node))
    return {
        n.id
        for n in ast.walk(module)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and id(n) not in inside
    }


class _Agree(ast.NodeTransformer):
    """Evaluates what asserts assert without insisting on it."""

    def visit_Assert(self, node):
        return ast.Expr(node.test)


class _Replace(ast.NodeTransformer):
    """Replaces outermost calls of the entry point by answers; their arguments as source where nothing local is used."""

    def __init__(self, aliases, bound):
        self.aliases, self.bound = aliases, bound
        self.static, self.sites = [], []  # a site: names its arguments share with the rest, which of them are new

    def visit_Call(self, node):
        if not _is_call(node, self.aliases):
            return self.generic_visit(node)
        names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        if not names & self.bound:
            self.static.append(_arguments(node))
            return ast.Call(ast.Name(ANSWER, ast.Load()), [ast.Constant(len(self.static) - 1)], [])
        arguments = [*node.args, *[k.value for k in node.keywords]]
        shared = set()
        for argument in arguments:
            if not isinstance(argument, ast.Call):  # `f(copy(x))` gets a value of its own
                shared.update(n.id for n in ast.walk(argument) if isinstance(n, ast.Name) and n.id in self.bound)
        fresh = [isinstance(a, (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.ListComp)) for a in arguments]
        if any(isinstance(a, ast.Starred) for a in arguments) or any(k.arg is None for k in node.keywords):
            fresh = []
        self.sites.append((shared, fresh))
        number = ast.Constant(len(self.sites) - 1)
        node = self.generic_visit(node)
        return ast.Call(ast.Name(CALL, ast.Load()), [number, *node.args], node.keywords)
