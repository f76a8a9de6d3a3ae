"""What comes before an assert of `check(candidate)`. Each assert is a test of its own, but a test may need the calls of earlier ones: after
`c = candidate()`, the test `assert c.hit() == 2` needs `assert c.hit() == 1`, whose call is then made without being judged.
"""
import ast

from testcode import Agree

# Steps that one check may have. Each test repeats all that matter to it, so more would cost too much: such a check is one test.
MAX_STEPS = 100
# Calls that change nothing.
PURE = set("abs all any bool dict enumerate float frozenset hasattr int isinstance len list max min print range repr reversed round set sorted str sum tuple type zip".split())


class Before:
    """The statements before a test, in order. Those that other tests call are steps, and only matter to tests that use what they may change."""

    def __init__(self, statements):
        self.all = list(statements)
        self.steps = 0
        self._changed = {}  # id of a step: names of what it may change
        self._names = {}

    def add(self, statement):
        self.all.append(statement)

    def add_step(self, statement):
        """Adds a test, or a call that asserts nothing, for the tests after it, if it may change a value. Its asserts no longer fail."""
        changed = self._state() & changed_by(statement)
        if not changed:
            return False
        step = ast.fix_missing_locations(Agree().visit(ast.parse(ast.unparse(statement)).body[0]))
        self._changed[id(step)] = changed
        self.all.append(step)
        self.steps += 1
        return True

    def leading(self, statement):
        """The statements that a test needs before it, and others that only define."""
        used, kept = set(self._names_of(statement)), []
        for one in reversed(self.all):
            changed = self._changed.get(id(one))
            if changed and not changed & used:
                continue
            kept.append(one)
            bound = assigned(one)
            if bound & used and isinstance(one, ast.Assign):
                used -= bound  # a new value: what changed the old one does not matter
                used |= self._names_of(one.value)
            elif changed or bound & used:
                used |= self._names_of(one)
        return kept[::-1]

    def _state(self):
        """Names of values that a call may change."""
        return {
            name
            for one in self.all
            if isinstance(one, (ast.Assign, ast.AnnAssign)) and one.value is not None and not is_constant(one.value)
            for name in assigned(one)
        }

    def _names_of(self, node):
        if id(node) not in self._names:
            self._names[id(node)] = node, {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        return self._names[id(node)][1]


def assigned(statement):
    """The variables that an assignment binds, members of a tuple among them."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    nodes = [n for t in targets for n in (t.elts if isinstance(t, (ast.Tuple, ast.List)) else [t])]
    return {n.id for n in nodes if isinstance(n, ast.Name)}


def is_constant(value):
    """Whether no call can change a value: numbers, texts, tuples of them, and what operators make of them."""
    return all(isinstance(n, (ast.Constant, ast.Tuple, ast.UnaryOp, ast.BinOp, ast.operator, ast.unaryop, ast.expr_context)) for n in ast.walk(value))


def changed_by(statement):
    """Names of what the calls in a statement may change: their arguments, and the objects whose methods they are."""
    names = set()
    for call in ast.walk(statement):
        if isinstance(call, ast.Call) and not (isinstance(call.func, ast.Name) and call.func.id in PURE):
            parts = [call.func, *call.args, *call.keywords]
            names |= {n.id for part in parts for n in ast.walk(part) if isinstance(n, ast.Name)}
    return names
