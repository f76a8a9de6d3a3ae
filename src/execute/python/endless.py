"""Endless loops, known for what they are before their time is up: most tests that time out never leave a loop like `while n != 0:
n = n // 10`, for n = -1.

In a shareable program (shareable.py) without state (memoize.py), how a `while` loop goes on hangs on the place in it and on the values of the
function's variables alone. So when it comes to a place a second time with the same values, without having been left, it will for ever.
A timer of CPU time looks at a test that takes long: it traces the lines of the loops at hand, a few hundred of them, and compares.
Variables that a loop only counts up, appends to or returns need not be the same. Values are compared where they are plain, small and of known
order; of all others nothing is said, and the test runs until its time is up.
"""
import ast
import signal
import sys
from collections import Counter
from graphlib import CycleError, TopologicalSorter

from memoize import stateless

TICK_S = 0.004  # of CPU time
LOOKS = (2, 6, 12)  # ticks of a test after which it is looked at
OUTERMOST = 6  # of these, the one at the outermost loop alone: what it calls may have loops that end
EVENTS = 400  # traced lines and calls of one look: a millisecond at most
MOST_VALUES, LONGEST, LARGEST = 400, 4000, 2**256
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
LINES = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return, ast.Assert, ast.Delete, ast.Pass, ast.Break, ast.Continue)
BRANCHES = (ast.While, ast.If)


class Endless(BaseException):
    """The test is in a loop that never ends."""


class Unlike(Exception):
    """Values that are not compared."""


def loops_of(tree, text):
    """A shareable program's `while` loops that may be watched: by name and line of their function, lists of Loops."""
    if "while" not in text or not stateless(tree) or _recurses(tree):
        return {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return {}
        if isinstance(node, ast.Compare) and any([isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops]):
            if not isinstance(node.comparators[-1], ast.Constant) or len(node.ops) > 1:
                return {}  # equal values may be two
    found = {}
    _collect(tree, None, found)
    return found


def _recurses(tree):
    """Whether a function may come to call itself: near the limit of recursion a look would end the program."""
    named = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            named.update({target.id: node.value for target in node.targets if isinstance(target, ast.Name)})
    graph = {name: {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and n.id in named} for name, node in named.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError:
        return True
    return False


def _collect(node, function, found):
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.While) and function and not child.orelse:
            found.setdefault(function, []).append(Loop(child))
        _collect(child, (child.name, child.lineno) if isinstance(child, ast.FunctionDef) else function, found)


class Loop:
    """Lines of a loop, those among them where only variables tell how it goes on, and the variables that do not count."""

    def __init__(self, loop):
        self.first, self.last = loop.lineno, loop.end_lineno
        self.places = {statement.lineno for statement in [loop, *loop.body] if _begins_once(statement)}
        grown = Counter([name for node in ast.walk(loop) for name in _grows(node)])
        returned = {part for node in ast.walk(loop) if isinstance(node, ast.Return) for part in ast.walk(node)}
        named = Counter([node.id for node in ast.walk(loop) if isinstance(node, ast.Name) and node not in returned])
        self.grown = {name for name, times in grown.items() if named[name] == times}


def _begins_once(statement):
    """Whether its line comes up when it begins, and not in its midst, where what is half done counts as well."""
    if not isinstance(statement, LINES + BRANCHES):
        return False
    line = statement.lineno
    parts = [node for node in ast.walk(statement) if getattr(node, "lineno", 0) == line and not (node is statement and isinstance(node, BRANCHES))]
    return all([node.end_lineno == line and not isinstance(node, COMPREHENSIONS) for node in parts])


def _grows(node):
    """The variable that a node counts up, or appends something small to."""
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and isinstance(node.op, (ast.Add, ast.Sub)):
        if isinstance(node.value, ast.Constant) and type(node.value.value) is int:
            return [node.target.id]
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute):
        call, function = node.value, node.value.func
        if function.attr == "append" and isinstance(function.value, ast.Name) and len(call.args) == 1 and not call.keywords:
            if isinstance(call.args[0], (ast.Name, ast.Constant)):
                return [function.value.id]
    return []


class Watch:
    """Watches one program at a time; raises Endless in it. `ticks` is to be put to 0 before each test."""

    Endless = Endless

    def __init__(self):
        self.loops, self.space, self.ticks, self.left = {}, None, 0, 0

    def takes(self, tree, text):
        """Whether a shareable program has loops that it may watch."""
        self.loops = loops_of(tree, text)
        return bool(self.loops)

    def begin(self, space):
        self.space = space
        signal.signal(signal.SIGVTALRM, self._tick)
        signal.setitimer(signal.ITIMER_VIRTUAL, TICK_S, TICK_S)

    def end(self):
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        sys.settrace(None)
        self.space = None

    def _tick(self, _signal, frame):
        self.ticks += 1
        if self.ticks not in LOOKS:
            return
        watched = []
        while frame is not None:
            if frame.f_globals is self.space:
                line, code = frame.f_lineno or 0, frame.f_code
                loops = self.loops.get((code.co_name, code.co_firstlineno), ())
                loops = [(loop, set()) for loop in loops if loop.first <= line <= loop.last]
                frame.f_trace = None
                if loops:
                    watched.append((frame, loops))
            frame = frame.f_back
        for frame, loops in watched[-1:] if self.ticks == OUTERMOST else watched:
            frame.f_trace = self._tracer(loops)
        if watched:
            self.left = EVENTS
            sys.settrace(self._called)

    def _called(self, _frame, _event, _what):
        self.left -= 1
        if self.left < 0:
            sys.settrace(None)

    def _tracer(self, loops):
        def trace(frame, event, what):
            self._called(frame, event, what)
            line = frame.f_lineno
            for loop, seen in loops if event == "line" else ():
                if not loop.first <= line <= loop.last:
                    seen.clear()
                elif line in loop.places:
                    try:
                        state = (frame.f_lasti, _state(frame.f_locals, loop.grown))
                    except Exception:  # Unlike; whatever else it is, a look is not what ends a program
                        sys.settrace(None)
                        return None
                    if state in seen:
                        sys.settrace(None)
                        raise Endless
                    seen.add(state)
            return trace

        return trace


def _state(variables, grown):
    """What a function's variables are, so that equal states go on alike: `is` among lists and dicts included."""
    numbers, left = {}, MOST_VALUES

    def of(value):
        nonlocal left
        left -= 1
        kind = type(value)
        if left < 0:
            raise Unlike
        if kind is int or kind is bool:
            if not -LARGEST < value < LARGEST:
                raise Unlike
            return kind, value
        if kind is float:
            if value != value:
                raise Unlike
            return kind, value.hex()  # tells 0.0 from -0.0
        if kind is str or kind is bytes:
            if len(value) > LONGEST:
                raise Unlike
            return kind, value
        if value is None:
            return None
        if kind is tuple:
            return kind, tuple([of(item) for item in value])
        if kind is list or kind is dict:
            if id(value) in numbers:
                return kind, numbers[id(value)]
            number = numbers[id(value)] = len(numbers)
            items = value if kind is list else [part for item in value.items() for part in item]
            return kind, number, tuple([of(item) for item in items])
        raise Unlike

    return tuple([(name, of(value)) for name, value in variables.items() if name not in grown])
