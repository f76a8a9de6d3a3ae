"""The loops of a program that may be watched (endless.py): how they continue depends only on their function's variables. On its syntax tree."""
import ast
from collections import Counter
from graphlib import CycleError, TopologicalSorter

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
LINES = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return, ast.Assert, ast.Delete, ast.Pass, ast.Break, ast.Continue)
BRANCHES = (ast.While, ast.If)
PLAIN_ANNOTATION = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Tuple, ast.List, ast.BinOp, ast.BitOr, ast.Load)
SORTING = ("max", "min", "sort", "sorted")  # they call their `key` and do not keep it


def may_be_watched(tree, text):
    """Whether the `while` loops of a shareable program may be watched."""
    if "while" not in text:
        return False
    nodes = list(ast.walk(tree))
    for node in nodes:
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return False
        if isinstance(node, ast.Compare) and not all(map(_of_values, node.ops, node.comparators)):
            return False
    return stateless(tree, nodes) and not _recurses(nodes)


def loops_of(tree):
    """The `while` loops of a program: lists of Loops, by name and line of their function."""
    found = {}
    _collect(tree, None, found)
    return found


def _of_values(op, side):
    """Whether a comparison gives the same result for equal values, even if they are two objects."""
    if isinstance(op, (ast.Is, ast.IsNot)):
        return isinstance(side, ast.Constant) and (side.value is None or side.value is True or side.value is False)
    return True


def stateless(tree, nodes):
    """Whether nothing of a program outlives a call, and nothing in it catches what a look raises. Only listed statements may be at its top level."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            if node.decorator_list or not _plain_signature(node):
                return False
        elif isinstance(node, ast.Assign):
            if not isinstance(node.value, ast.Constant) or not all([isinstance(target, ast.Name) for target in node.targets]):
                return False
        elif isinstance(node, ast.Expr):
            if not isinstance(node.value, ast.Constant):
                return False
        elif not isinstance(node, (ast.Import, ast.ImportFrom)):
            return False
    for node in nodes:
        if isinstance(node, (ast.Global, ast.Try)):
            return False
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            defaults = node.args.defaults + [value for value in node.args.kw_defaults if value]
            if not all([isinstance(value, ast.Constant) for value in defaults]):
                return False
    return True


def _plain_signature(function):
    """Whether the annotations of a function, which are evaluated outside of it, only name types."""
    args = function.args
    parameters = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
    annotations = [parameter.annotation for parameter in parameters if parameter] + [function.returns]
    return all([isinstance(node, PLAIN_ANNOTATION) for annotation in annotations if annotation for node in ast.walk(annotation)])


def _recurses(nodes):
    """
    Whether a function may call itself, directly or through others: near the limit of recursion a look would end the program. To tell, functions
    may only be called by name or used as a `key`: a function that is kept may be called from anywhere.
    """
    lambdas, called = [], set()
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            lambdas += [(target.id, node.value) for target in node.targets if isinstance(target, ast.Name)]
            called.add(node.value)
        elif isinstance(node, ast.Call):
            called.add(node.func)
            if (node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")) in SORTING:
                called.update([keyword.value for keyword in node.keywords if keyword.arg == "key"])
    functions = [(node.name, node) for node in nodes if isinstance(node, ast.FunctionDef)] + lambdas
    names, graph = {name for name, _ in functions}, {}
    if names.intersection(SORTING):
        return True
    for name, body in functions:  # two functions with one name count as one
        graph.setdefault(name, set()).update([n.id for n in ast.walk(body) if isinstance(n, ast.Name) and n.id in names])
    for node in nodes:
        if isinstance(node, ast.Lambda) or (isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Load)):
            if node not in called:
                return True
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
    """
    The lines of a loop; its `places`, the lines at which only variables decide how it continues; the variables that need not be equal, `grown`:
    those that it only appends to, `filled`, and those that it only adds to, `added`.
    """

    def __init__(self, loop):
        self.first, self.last = loop.lineno, loop.end_lineno
        self.places = {statement.lineno for statement in [loop, *loop.body] if isinstance(statement, LINES + BRANCHES)} - _midst(loop)
        nodes = list(ast.walk(loop))
        returned = {part for node in nodes if isinstance(node, ast.Return) for part in ast.walk(node)}
        named = Counter([node.id for node in nodes if isinstance(node, ast.Name) and node not in returned])
        filled, added = (Counter([name for node in nodes for name in names(node)]) for names in (_appends_to, _adds_to))
        self.grown = {name for name, times in (filled + added).items() if named[name] == times}
        self.filled, self.added = self.grown & set(filled), self.grown & set(added)


def _midst(loop):
    """Lines that may be reached in the middle of a statement, where what is half done counts as well."""
    lines = set()
    for node in ast.walk(loop):
        if isinstance(node, COMPREHENSIONS) or (isinstance(node, LINES) and node.end_lineno > node.lineno):
            lines.update(range(node.lineno, node.end_lineno + 1))
        elif isinstance(node, BRANCHES) and node.test.end_lineno > node.lineno:
            lines.update(range(node.lineno, node.test.end_lineno + 1))
    return lines


def _appends_to(node):
    """The variable of a statement `xs.append(value)`."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute):
        call, function = node.value, node.value.func
        if function.attr == "append" and isinstance(function.value, ast.Name) and len(call.args) == 1 and not call.keywords:
            return [function.value.id]
    return []


def _adds_to(node):
    """The variable of `x += value`, `x -= value`, `x = x + value` or `x = value + x`, once for each time that it is named."""
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and isinstance(node.op, (ast.Add, ast.Sub)):
        return [node.target.id]
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        name, first = node.targets[0].id, node.value
        if isinstance(first, ast.BinOp) and isinstance(first.op, ast.Add):
            last = first.right
            while isinstance(first, ast.BinOp) and isinstance(first.op, ast.Add):
                first = first.left
            if name in [side.id for side in (first, last) if isinstance(side, ast.Name)]:
                return [name, name]
    return []
