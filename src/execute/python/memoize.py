"""Pure tree recursion (naive Fibonacci and its kin) without its repeated work, at the price in time that the work has.

Such functions take most of the time of labelling HumanEval, for nothing but the same calls again. In a shareable program (shareable.py)
without state, whose one recursive function reads nothing but its arguments and harmless built-ins, equal arguments have equal
answers: they are remembered within one test, and the calls are counted that would have been made. The test is charged for them at
the rate of a real run: one of the smaller calls is made both ways, which also compares the answers. Where the charge is near the
budget, or anything is unusual (an exception, a mutable or large value, many distinct calls), the program runs as it is, so a
verdict on time never hangs on the estimate's second digit.
"""
import ast
import sys
from time import thread_time
from types import CodeType

SCALARS = (int, str, bool, float, type(None))
PURE = set("abs bool float int max min".split())
FORBIDDEN = (ast.Attribute, ast.Lambda, ast.FunctionDef, ast.Global, ast.Nonlocal, ast.Try, ast.Yield, ast.YieldFrom)
FORBIDDEN += (ast.Import, ast.ImportFrom, ast.Delete)
# What may take longer than its own text: the time of one call tells that of another.
FORBIDDEN += (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Pow, ast.LShift, ast.JoinedStr)
DISPLAYS = (ast.List, ast.Tuple, ast.Set, ast.Dict)
LONGEST_BODY = 150  # nodes
MOST_PRODUCTS = 3  # x = x * x, over and over, makes large numbers
DEEPEST, HIGHEST = 600, 300  # frames while remembering, and calls within a remembered one: real ones fit into Python's 1000
LARGEST, LONGEST = 2**62, 200  # beyond, calls take the longer the larger their values
MOST_CALLS = 3000  # distinct calls of one test; beyond, remembering saves nothing
WORTH = 20_000  # calls: a test of fewer runs as it is
RATED = 2_000  # calls of a real run, at least, that tell the time of one
RUNS = 3  # of which the median counts
SURE = 2.0, 3.0  # a charge below budget / 2 is in time, one above 3 x budget is not; between, the program runs


def memoize(tree, budgets, provisional):
    """What tells, of the code object of a shareable program, what makes a Memo of its namespace; None where no function is fit."""

    def fit(program):
        if not _recursive(program):  # as most are not, it spares them the walks over the tree
            return None
        names = recursions(tree)
        return (lambda space: Memo(names, space, budgets, provisional)) if names else None

    return fit


def _recursive(program):
    """Whether a function of a module reads its own name."""
    return any([code.co_name in code.co_names for code in program.co_consts if type(code) is CodeType])


def recursions(tree):
    """Names of a shareable program's functions whose answers may be remembered."""
    if not stateless(tree):
        return []
    functions = [node for node in tree.body if type(node) is ast.FunctionDef]
    bound = {}
    for node in ast.walk(tree):
        for name in _binds(node):
            bound[name] = bound.get(name, 0) + 1
    found = [f.name for f in functions if bound[f.name] == 1 and _pure(f, bound) and _only_called(tree, f)]
    return found if len(found) == 1 else []  # the time of a call is that of one function


def stateless(tree):
    """Whether a test may run twice: nothing of a program outlives a call, and it catches nothing that remembering raises."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Global, ast.Try)):
            return False
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            defaults = node.args.defaults + [value for value in node.args.kw_defaults if value]
            if not all([isinstance(value, ast.Constant) for value in defaults]):
                return False
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            if node.decorator_list:
                return False
        elif isinstance(node, ast.Assign):
            if not isinstance(node.value, ast.Constant) or not all([isinstance(t, ast.Name) for t in node.targets]):
                return False
        elif not isinstance(node, (ast.Import, ast.ImportFrom)):
            if any([isinstance(n, ast.NamedExpr) or (isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)) for n in ast.walk(node)]):
                return False
    return True


def _only_called(tree, function):
    """Whether a function is only ever called, with so many positional arguments: it cannot be told from another then."""
    loads = sum([isinstance(n, ast.Name) and n.id == function.name for n in ast.walk(tree)])
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == function.name]
    return loads == len(calls) and not any([n.keywords for n in calls])


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
    """Whether a function bound once reads only arguments, locals, itself and built-ins that the program leaves alone."""
    args = function.args
    if function.decorator_list or args.vararg or args.kwarg or args.kwonlyargs or args.defaults or "*" in bound:
        return False
    own = {arg.arg for arg in args.args + args.posonlyargs}
    nodes = [node for statement in function.body for node in ast.walk(statement)]
    spoken_in = [node for node in nodes if isinstance(node, ast.Raise)]
    spoken_in += [statement for statement in function.body if isinstance(statement, (ast.Assert, ast.Expr))]
    text = [node for statement in spoken_in for node in ast.walk(statement)]
    spoken = sum([_text(node) for node in text])  # docstring, messages
    if len(nodes) - len(text) > LONGEST_BODY or sum([_text(node) for node in nodes]) != spoken:
        return False
    members = [side for node in nodes if type(node) is ast.Compare for side in node.comparators]
    if any([isinstance(node, DISPLAYS) and node not in members for node in nodes]):
        return False
    if sum([type(node) is ast.Mult for node in nodes]) > MOST_PRODUCTS:
        return False
    own |= {node.id for node in nodes if type(node) is ast.Name and type(node.ctx) is ast.Store}
    calls = 0
    for node in nodes:
        if isinstance(node, FORBIDDEN):
            return False
        if type(node) is ast.Subscript and type(node.ctx) is not ast.Load:
            return False
        if type(node) is ast.Name and type(node.ctx) is ast.Load and node.id not in own:
            if node.id == function.name:
                calls += 1
            elif node.id in bound or not (node.id in PURE or node.id.endswith("Error")):
                return False
    return calls > 1


def _text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes))


class Unfit(BaseException):
    """This test does not suit remembering."""


class Memo:
    """Remembers the answers of a loaded program's functions, one test at a time."""

    def __init__(self, names, space, budgets, provisional):
        self.budgets, self.provisional = budgets, provisional
        self.space, self.steps, self.rate, self.misfits, self.height = space, 0, 0.0, 0, 0
        self.real = {name: space[name] for name in names}
        self.caches = {name: {} for name in names}
        self.remembering = {name: self._remember(self.real[name], self.caches[name]) for name in names}

    def _remember(self, function, cache):
        def call(*args):
            key = (args, tuple([type(arg) for arg in args]))
            for kind in key[1]:
                if kind not in SCALARS or kind is str or kind is float:  # long ones take longer; -0.0 == 0.0
                    raise Unfit
            known = cache.get(key)
            if known is not None:
                self.steps += known[1]
                self.height = max(self.height, known[2])
                return known[0]
            if len(cache) >= MOST_CALLS:
                raise Unfit
            before = self.steps
            self.steps = before + 1
            around, self.height = self.height, 0
            value = function(*args)
            height = self.height + 1
            self.height = max(around, height)
            kind = type(value)
            if height > HIGHEST or kind not in SCALARS or (kind is int and not -LARGEST <= value <= LARGEST) or (kind is str and len(value) > LONGEST):
                raise Unfit
            cache[key] = (value, self.steps - before, height)
            return value

        return call

    def answer(self, source):
        """The value of a test and the calls it takes as the program stands; None where that cannot be had."""
        if self.misfits > 2:
            return None
        self.steps = 0
        for cache in self.caches.values():
            cache.clear()
        self.space.update(self.remembering)
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(DEEPEST)
        try:
            value = eval(source, self.space)
        except BaseException:
            self.misfits += 1
            return None
        finally:
            sys.setrecursionlimit(limit)
            self.space.update(self.real)
        return value, self.steps

    def charge(self, calls, index):
        """CPU seconds to charge instead of running; None where only running tells. Past a provisional budget is past it."""
        budget = self.budgets[index]
        if calls < WORTH or not self._rated():
            return None
        seconds = self.rate * calls
        if seconds * SURE[0] < budget or seconds > SURE[1] * budget:
            return seconds
        return 2 * budget if self.provisional else None

    def _rated(self):
        """Whether the time of a call is known: else the largest call that is quick enough is made as the program makes it."""
        if self.rate == 0.0:
            made = [(known[1], name, key) for name, cache in self.caches.items() for key, known in cache.items()]
            made = [entry for entry in made if RATED <= entry[0] <= WORTH]
            if not made:
                return False
            calls, name, key = max(made, key=lambda entry: entry[0])
            seconds = []
            for _ in range(RUNS):  # by the clock of the thread: that of a process with a limit of CPU time moves in ticks
                began = thread_time()
                value = self.real[name](*key[0])
                seconds.append(thread_time() - began)
            if value != self.caches[name][key][0]:
                self.misfits = 3
                return False
            self.rate = sorted(seconds)[RUNS // 2] / calls
        return self.rate > 0.0
