"""Takes test code apart into inputs for the candidate and an expectation that stays here.

`assert f(1) == 2` becomes the input `1` and the expected value 2. Any other assert over calls of the entry point is
kept as code in which each call is replaced by the candidate's answer. Calls in loops are found by running the code on
a stand-in that agrees with everything; the run is repeated on the answers. If that is not possible (the test
needs the candidate's own objects, or looks at an argument that the call has changed), it is `opaque` and runs whole elsewhere.
"""
import ast
import builtins
import datetime
import decimal
import fractions
import importlib

from canon import AnswerTooLarge, encode
from judging import CpuLimit, Opaque, Unit, collect, limited
from plain import NotPlain
from steps import MAX_STEPS, Before
from testcode import ANSWER, CALL, Agree, Replace, argument_source, is_call, is_prelude, mentions, names_bound, needed
from testcode import normal, outside_calls, reads_names, shared_by_calls

LIMIT = 10_000_000  # characters of an expected value
# Test code may use these without importing them: the candidates' prompts often do it for them.
MODULES = ("math", "cmath", "re", "random", "string", "itertools", "functools", "collections", "copy", "operator", "heapq",
           "bisect", "datetime", "decimal", "fractions", "statistics", "typing", "sys", "json", "hashlib")  # fmt: skip
PLAIN = (type(None), bool, int, float, complex, str, bytes, list, tuple, set, frozenset, dict, fractions.Fraction, decimal.Decimal)
PLAIN_ATTRIBUTES = {name for kind in (*PLAIN, datetime.datetime, datetime.timedelta) for name in dir(kind)}
# Attributes of arrays and frames, which are rebuilt if their library is installed (rebuild.py).
PLAIN_ATTRIBUTES |= set("all any astype columns dtype dtypes empty equals flatten iloc index loc max mean min name names ndim shape size std sum tolist T to_dict values".split())


class Unusable(Exception):
    """The test cannot be judged at all."""


def _asks_for_object(node):
    """Whether a node is `f(1)(2)`, or `f(1).name` with a name that no plain value has; calls of the program are already replaced."""
    if isinstance(node, ast.Call):
        return _is_answer(node.func)
    return isinstance(node, ast.Attribute) and _is_answer(node.value) and node.attr not in PLAIN_ATTRIBUTES


def is_step(statement, aliases):
    """Whether a statement only calls the program, such as `f(xs)` before `assert xs == [1]`."""
    return isinstance(statement, ast.Expr) and is_call(statement.value, aliases)


def _is_answer(node):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in (ANSWER, CALL)


class Prepared:
    def __init__(self, problem):
        self.entry = normal(problem["entryPoint"]) if problem["entryPoint"] else None
        self.inputs, self.units, self.skipped = [], [], []
        self.judged = {}
        self.aliases = self._aliases(problem["setup"])
        self.made_of, self.made = problem, None
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

    @property
    def space(self):
        """The namespace of test code. Made only for the first test that is taken apart, because a setup may import much."""
        if self.made is None:
            self.made = self._space(self.made_of)
        return self.made

    def _space(self, problem):
        """The names of the setup and the prompt (both belong to the problem, not to a candidate)."""
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
                expected = self._expected(compile("(%s\n)" % test["expected"], "<expected>", "eval", dont_inherit=True))
            self._add_equal(test["id"], self._input(test["args"]), expected, test["tolerance"])
            if test.get("also") is not None:
                self._add_also(test["also"])
        elif test.get("whole"):
            compile(test["code"], "<test>", "exec", dont_inherit=True)  # text that is not Python cannot be judged
            self.units.append({"test": test["id"], "kind": "opaque", "inputs": [], "code": test["code"]})
        elif kind == "assert":
            self._add_asserts(test["id"], ast.parse(test["code"]).body, [{}], whole=True)
        else:
            self._add_check(test["id"], ast.parse(test["code"]))

    def _add_also(self, source):
        """Adds another right answer to the last unit; nothing if the source has no value for these arguments."""
        code = compile("(%s\n)" % source, "<expected>", "eval", dont_inherit=True)
        try:
            self.units[-1]["also"] = self._expected(code)
        except Exception:
            pass

    def _input(self, args):
        self.inputs.append(args)
        return len(self.inputs) - 1

    def _add_equal(self, test, index, expected, tolerance):
        self.units.append(
            {"test": test, "kind": "equal", "inputs": [index], "expected": expected, "tolerance": tolerance}
        )

    def _expected(self, code):
        return encode(eval(code, dict(self.space)), LIMIT)

    # Test code -------------------------------------------------------------------------------------------------

    def _add_check(self, test, module):
        """`def check(candidate)`: each assert of its body is a unit, with the statements before it, and earlier asserts whose calls may matter to it."""
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
        units, before = [], Before(context)
        for statement in body:
            if (
                isinstance(statement, ast.Assign)
                and isinstance(statement.targets[0], ast.Name)
                and normal(ast.unparse(statement.value)) in aliases
            ):
                aliases.add(statement.targets[0].id)
                continue
            if isinstance(statement, ast.Assert) and isinstance(statement.test, ast.Constant) and statement.test.value:
                continue  # HumanEval's `assert True`
            if is_prelude(statement, aliases):
                before.add(statement)
            elif whole and units:
                units[-1][0].extend(before.all[units[-1][1] :] + [statement])
                units[-1][1] = len(before.all)
            else:
                unit = [before.leading(statement) + [statement], len(before.all)]
                if whole or not before.add_step(statement) or not is_step(statement, aliases):
                    units.append(unit)
            if before.steps > MAX_STEPS:
                return self._add_asserts(test, body, context, whole=True, names=names)
        if not units and before.all and (whole or before.steps):
            units.append([before.all, len(before.all)])
        if not units:
            raise Unusable("it asserts nothing")
        for number, (statements, _) in enumerate(units):
            self._add_unit(test if len(units) == 1 else "%s/%d" % (test, number), statements, aliases, names)

    def _add_unit(self, test, statements, aliases, names):
        statements = needed(statements, aliases)
        before = len(self.inputs)
        try:
            if len(statements) == 1 and self._add_equation(test, statements[0], aliases):
                return
            unit = self._split(statements, aliases)
        except (Opaque, NotPlain, AnswerTooLarge, CpuLimit, RecursionError):
            del self.inputs[before:]
            self.units.append({"test": test, "kind": "opaque", "inputs": [], "code": self._source(statements, names)})
            return
        number = len(self.units)
        self.judged[number] = unit
        self.units.append(
            {
                "test": test,
                "kind": "judge",
                "number": number,
                "inputs": unit.static + unit.dynamic,
                "code": self._source(statements, names),
                "guarded": unit.guarded,
            }
        )

    def _source(self, statements, names):
        """Test code that runs beside a program. `names`: the test's names for the entry point."""
        return "".join("%s = %s\n" % (name, self.entry) for name in names) + "\n".join(map(ast.unparse, statements))

    def _add_equation(self, test, statement, aliases):
        """`assert f(args) == expression`, either way round: the common case, compared without running code."""
        if not (isinstance(statement, ast.Assert) and isinstance(statement.test, ast.Compare)):
            return False
        compare = statement.test
        if len(compare.ops) != 1 or not isinstance(compare.ops[0], ast.Eq):
            return False
        for call, other in ((compare.left, compare.comparators[0]), (compare.comparators[0], compare.left)):
            if not is_call(call, aliases):
                continue
            code = compile(ast.Expression(other), "<expected>", "eval")
            if reads_names(code) and mentions(other, aliases):
                continue
            try:
                expected = self._expected(code)
            except NameError as error:
                raise Opaque(str(error)) from None
            self._add_equal(test, self._input(argument_source(call)), expected, 0)
            return True
        return False

    def _split(self, statements, aliases):
        names = names_bound(statements)
        replace = Replace(aliases, names)
        module = ast.Module([replace.visit(ast.parse(ast.unparse(s)).body[0]) for s in statements], [])
        if mentions(module, aliases) or (aliases & names):
            raise Opaque("the test uses the entry point without calling it")
        if not replace.static and not replace.sites:
            raise Opaque("the test does not call the entry point itself")
        known = set(dir(builtins)) | set(self.space) | names | {ANSWER, CALL}
        unknown = {n.id for n in ast.walk(module) if isinstance(n, ast.Name)} - known
        if unknown:
            raise Opaque("only the program defines " + ", ".join(sorted(unknown)))
        if any(_asks_for_object(n) for n in ast.walk(module)):
            raise Opaque("the test calls an answer or reads an attribute that no plain value has")
        code = compile(ast.fix_missing_locations(module), "<test>", "exec", dont_inherit=True)
        guarded = any(isinstance(n, (ast.Try, ast.With)) for n in ast.walk(module))
        static = [self._input(args) for args in replace.static]
        dynamic = []
        if replace.sites:
            agreeing = compile(ast.fix_missing_locations(Agree().visit(module)), "<test>", "exec", dont_inherit=True)
            calls = collect(agreeing, self.space, replace.sites, outside_calls(module) | shared_by_calls(replace.sites))
            dynamic = [self._input(args) for args in calls]
        return Unit(code, static, dynamic, guarded)

    def check(self, number, answers):
        """Judges answers to a unit that is judged here, by its `number`: see Unit.judge."""
        return self.judged[number].judge(self.space, self.inputs, answers)
