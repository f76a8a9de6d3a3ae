"""Skips the repeated work of pure tree recursion (naive Fibonacci and the like), but charges the time that the work would take.

Such functions take most of the time of labelling HumanEval, only to make the same calls again. This is for tests that do nothing but
call such a function with constants. `recursive` tells which functions qualify: it has a list of allowed syntax. They read their arguments,
themselves and a few built-ins, and a call evaluates each of their nodes at most once, on integers of bounded size. So equal
arguments have equal answers, nothing outside can tell which calls are made, and no call takes long by itself.

A twin of the function, in a separate namespace, runs with its calls remembered. The tree of the calls that would have been made is then
cut into parts of at most PART calls. The distinct parts are made as the program makes them, and timed. The time of a test is
the sum of its parts; the calls between them are bounded (LONGEST_CALL_S). If that sum is near the budget, or anything is
unusual (an exception, a large value, many distinct calls), the program runs as it is.
"""
import ast
import builtins
import signal
from opcode import opmap
from types import CodeType, FunctionType

from timer import set_timer, thread_time

PURE = set("abs bool int max min".split())
BODY = {
    getattr(ast, name)
    for name in "Return If Assign AugAssign Pass BoolOp And Or BinOp Add Sub Mult FloorDiv Mod BitAnd BitOr BitXor RShift "
    "UnaryOp UAdd USub Not Invert IfExp Compare Eq NotEq Lt LtE Gt GtE Is IsNot In NotIn Call Name Load Store Constant".split()
}  # fmt: skip
LONGEST_BODY = 150  # nodes
MOST_PRODUCTS = 3  # multiplications: x = x * x, again and again, makes large numbers
LARGEST = 2**62  # of a constant, an argument, an answer: with larger values calls take longer
LONGEST_CALL_S = 20e-6  # maximum time of one call alone: LONGEST_BODY nodes, on integers of a few hundred bits
PASSES_CONSTANTS = {
    opmap.get(name)
    for name in "CACHE RESUME PUSH_NULL LOAD_NAME LOAD_CONST LOAD_SMALL_INT PRECALL CALL CALL_FUNCTION RETURN_VALUE".split()
}  # fmt: skip

HIGHEST = 300  # depth of remembered calls: they fit into Python's 1000, though each takes two frames
MOST_CALLS = 2000  # of a twin in one test; beyond, remembering saves little
COUNTLESS = 10**12  # cap of counts of calls
WORTH = 20_000  # calls: a test with fewer runs as it is
PART, LEAST_PART = WORTH, 2_000  # maximum and minimum calls of a part that is timed; smaller ones are only bounded
MOST_TIMED = 100_000  # calls of all distinct parts of a test
RUNS = 3  # timings of a part; the median counts
SHARE = 0.25  # of a test's budget that all of this may take, so that the program is not stopped meanwhile
LEAST_BUDGET_S = 0.05  # with a smaller one, the clock that enforces the share is too coarse
HELD_TICK_S = 0.004  # how often to check whether the share is used up
SURE = 2.0, 3.0  # a time below budget / 2 is in time, one above 3 x budget is not; in between, the program runs
NEAR, LATE = 1.25, 2.0  # multiples of the budget: the time reported for a test near it, and for one beyond it (run.py)
MOST_MISFITS = 3  # tests that could not be estimated; after them the rest runs as it is
MOST_CHARGED_S = 15.0  # of a program, so that its whole time is not an estimate


def memoize(tree, budgets, provisional):
    """A function from the code object of a shareable program to what makes a Memo of its namespace, or to None if no function qualifies."""

    def fit(program):
        if not _calls_itself(program) or min(budgets, default=0) < LEAST_BUDGET_S:  # this avoids most walks over the tree
            return None
        names = recursive(tree)
        return (lambda space: Memo(names, space, budgets, provisional)) if names else None

    return fit


def _calls_itself(program):
    """Whether a function of a module reads its own name."""
    return any([code.co_name in code.co_names for code in program.co_consts if type(code) is CodeType])


def recursive(tree):
    """Names of a shareable program's functions whose answers may be remembered."""
    bound = {}
    for node in ast.walk(tree):
        for name in _binds(node):
            bound[name] = bound.get(name, 0) + 1
    functions = [node for node in tree.body if type(node) is ast.FunctionDef and bound[node.name] == 1]
    return [] if "*" in bound else [function.name for function in functions if _pure(function, bound)]


def _binds(node):
    kind = type(node)
    if kind is ast.FunctionDef:
        return [node.name]
    if kind is ast.Name and type(node.ctx) is not ast.Load:
        return [node.id]
    if kind is ast.arg:
        return [node.arg]
    if kind is ast.Import or kind is ast.ImportFrom:
        return [item.asname or item.name for item in node.names]
    if kind is ast.Global:
        return node.names
    return [node.name] if kind is ast.ExceptHandler and node.name else []


def _pure(function, bound):
    """Whether a function bound once is straight code over its arguments, itself (called at least twice) and built-ins that nothing rebinds."""
    args = function.args
    if function.decorator_list or args.vararg or args.kwarg or args.kwonlyargs or args.defaults:
        return False
    nodes = _evaluated(function.body)
    kinds = [type(node) for node in nodes]
    if len(nodes) > LONGEST_BODY or not BODY.issuperset(kinds) or kinds.count(ast.Mult) > MOST_PRODUCTS:
        return False
    own = {arg.arg for arg in args.args + args.posonlyargs} | {node.id for node in nodes if type(node) is ast.Name and type(node.ctx) is ast.Store}
    called = [node.func for node in nodes if type(node) is ast.Call]
    for node, kind in zip(nodes, kinds):
        if kind is ast.Call:
            if type(node.func) is not ast.Name or node.func.id in own or node.keywords:
                return False
        elif kind is ast.Name and node.id not in own:
            if node not in called or not (node.id == function.name or (node.id in PURE and node.id not in bound)):
                return False
        elif kind is ast.Constant and not _small(node.value):
            return False
        elif kind is ast.Compare and not all(map(_comparable, node.ops, node.comparators)):
            return False
    return sum([name.id == function.name for name in called]) > 1


def _evaluated(body):
    """The nodes that a call may evaluate. Without docstrings, and without what ends the test, because then nothing is remembered."""
    left, nodes = list(body), []
    while left:
        node = left.pop()
        kind = type(node)
        if kind is ast.Raise or (kind is ast.Expr and type(node.value) is ast.Constant):
            continue
        if kind is ast.Assert:
            left.append(node.test)
            continue
        nodes.append(node)
        if kind is ast.Compare and type(node.ops[-1]) in (ast.In, ast.NotIn) and isinstance(node.comparators[-1], (ast.Tuple, ast.List, ast.Set)):
            left += [node.left, *node.ops, *node.comparators[:-1], *node.comparators[-1].elts]
        else:
            left += ast.iter_child_nodes(node)
    return nodes


def _comparable(op, side):
    """Whether a comparison gives the same result for equal values: a remembered value is one object, the values of two calls are two."""
    kind = type(op)
    if kind is ast.Is or kind is ast.IsNot:
        return type(side) is ast.Constant and (side.value is None or type(side.value) is bool)
    return True


def _small(value):
    kind = type(value)
    return value is None or kind is bool or (kind is int and -LARGEST < value < LARGEST)


class Unfit(BaseException):
    """This test does not suit remembering."""


class Call:
    """A remembered call: its arguments and their types (`key`), the calls it `made` itself (repeated ones too), and the `total` it stands for."""

    __slots__ = ("key", "value", "made", "total")

    def __init__(self, key, value, made):
        self.key, self.value, self.made = key, value, made
        self.total = min(COUNTLESS, 1 + sum([call.total for call in made]))


class Memo:
    """Remembers the answers of a loaded program's functions, one test at a time."""

    def __init__(self, names, space, budgets, provisional):
        self.functions = {name: space[name] for name in names}
        self.budgets, self.provisional = budgets, provisional
        self.name, self.known, self.made, self.seconds = None, {}, [], {}
        self.left, self.depth, self.misfits, self.charged = 0, 0, 0, 0.0

    def answer(self, source):
        """The value of a test and its Call; None if remembering does not work for it."""
        if self.misfits >= MOST_MISFITS or not self._is_call(source):
            return None
        self.known, self.made, self.left, self.depth = {}, [], MOST_CALLS, 0
        if not self._held(lambda: eval(source, {self.name: self._remembered, "__builtins__": builtins})):
            self.misfits += 1
            return None
        call = self.made[-1]
        return (call.value, call) if len(self.made) == 1 else None  # f(f(3)) makes two

    def _is_call(self, source):
        """Whether a test calls a function with constants, and does nothing else."""
        if len(source.co_names) != 1 or not PASSES_CONSTANTS.issuperset(source.co_code[::2]):
            return False
        name = source.co_names[0]
        if name not in self.functions:
            return False
        if name != self.name:
            self.name, self.seconds = name, {}
            code = self.functions[name].__code__.replace()  # a copy, because the interpreter adapts code to the values it meets
            self.twin = FunctionType(code, {name: self._remembered, "__builtins__": builtins})
        return True

    def _held(self, work):
        """Does some work within its share of time. Returns whether it was completed."""
        held, until = True, thread_time() + SHARE / 2 * min(self.budgets)

        def stop(_signal, _frame):
            if held and thread_time() >= until:
                raise Unfit

        try:
            try:
                signal.signal(signal.SIGVTALRM, stop)
                set_timer(HELD_TICK_S)
                work()
                return True
            finally:
                held = False
                set_timer(0)
        except BaseException:
            return False

    def _remembered(self, *args):
        self.left -= 1
        key = (args, tuple([type(arg) for arg in args]))
        if self.left < 0 or not all([_small(arg) for arg in args]):
            raise Unfit
        call = self.known.get(key)
        if call is None:
            around, self.made = self.made, []
            self.depth += 1
            if self.depth > HIGHEST:
                raise Unfit
            value = self.twin(*args)
            self.depth -= 1
            if not _small(value):
                raise Unfit
            call = self.known[key] = Call(key, value, self.made)
            self.made = around
        self.made.append(call)
        return call.value

    def charge(self, call, index):
        """CPU seconds to charge instead of running the test; None if only running tells. `call`: the one of the last answer."""
        budget = self.budgets[index]
        if call.total < WORTH or self.charged > MOST_CHARGED_S:
            return None
        parts, between = self._parts(call)
        if parts is None or not self._held(lambda: self._time(parts)):
            self.misfits += 1
            return None
        least = sum([times * self.seconds[part.key] for part, times in parts])
        most = least + between * LONGEST_CALL_S
        if most * SURE[0] < budget:
            self.charged += most
            return most
        if least > SURE[1] * budget:
            return LATE * budget
        return NEAR * budget if self.provisional else None

    def _parts(self, root):
        """The parts of a call that are timed, each with its number of occurrences (None if they are too many), and the number of all other calls."""
        times, parts, between, sizes = {root: 1}, [], 0, 0
        for call in reversed(list(self.known.values())):  # callers first: a call ends after those that it makes
            often = times.get(call, 0)
            if call.total > PART:
                between += often
                for made in call.made:
                    times[made] = min(COUNTLESS, times.get(made, 0) + often)
            elif call.total < LEAST_PART:
                between += often * call.total
            elif often:
                parts.append((call, often))
                sizes += call.total
        return (parts if sizes <= MOST_TIMED else None), between

    def _time(self, parts):
        """Makes the calls as the program makes them, and measures their time."""
        function = self.functions[self.name]
        for part, _ in parts:
            if part.key in self.seconds:
                continue
            seconds = []
            for _ in range(RUNS):  # by the clock of the thread: the clock of a process with a limit of CPU time moves in ticks
                began = thread_time()
                value = function(*part.key[0])
                seconds.append(thread_time() - began)
                if value != part.value or type(value) is not type(part.value):
                    raise Unfit
            self.seconds[part.key] = sorted(seconds)[RUNS // 2]
