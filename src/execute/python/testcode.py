"""Questions about test code and rewrites of it, on its syntax tree. Runs nothing.

`aliases` are the sources by which test code names the entry point (`f`, `candidate`, `s.run`).
"""
import ast
import collections
import types

ANSWER, CALL = "__answer__", "__call__"


def unparse(node):
    """ast.unparse, which takes most of the time of preparing a problem, with a fast path for most arguments."""
    kind = type(node)
    if kind is ast.Name:
        return node.id
    if kind is ast.Constant and type(node.value) in (int, str, bool) and node.kind is None:
        return repr(node.value)
    if kind is ast.List:
        return "[" + ", ".join(map(unparse, node.elts)) + "]"
    return ast.unparse(node)


def normal(expression):
    return ast.unparse(ast.parse(expression.strip(), mode="eval"))


def is_call(node, aliases):
    return isinstance(node, ast.Call) and unparse(node.func) in aliases


def mentions(tree, aliases):
    return any(isinstance(n, (ast.Name, ast.Attribute)) and unparse(n) in aliases for n in ast.walk(tree))


def reads_names(code):
    """Whether a compiled expression reads names, or contains nested code that may (a lambda's)."""
    return bool(code.co_names) or any(isinstance(value, types.CodeType) for value in code.co_consts)


def argument_source(call):
    return ", ".join(map(unparse, [*call.args, *call.keywords]))


def is_prelude(statement, aliases):
    """Whether a statement only prepares: an import, an assignment, a definition, a docstring, `pass`."""
    if isinstance(statement, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Pass)):
        return True
    if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        return True
    return isinstance(statement, ast.Expr) and not mentions(statement, aliases)


def needed(statements, aliases):
    """The statements without definitions that no later statement uses."""
    if len(statements) == 1:
        return statements
    kept, used = [], set()
    for statement in reversed(statements):
        defines = isinstance(statement, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)) or (
            isinstance(statement, ast.Assign)
            and all(isinstance(t, ast.Name) for t in statement.targets)
            and not mentions(statement, aliases)
        )
        if defines and kept and not (names_bound([statement]) & used or "*" in names_bound([statement])):
            continue
        kept.append(statement)
        used |= {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)}
    return kept[::-1]


def names_bound(statements):
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


def outside_calls(module):
    """Names read anywhere except in the arguments of a replaced call."""
    inside = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == CALL:
            inside.update(id(n) for n in ast.walk(node))
    return {
        n.id
        for n in ast.walk(module)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and id(n) not in inside
    }


def shared_by_calls(sites):
    """Names of values that several of the replaced calls get (`sites` of Replace): the first call may change them for the next."""
    times = collections.Counter(name for names, _ in sites for name in names)
    return {name for name, count in times.items() if count > 1}


class Agree(ast.NodeTransformer):
    """Turns asserts into expressions, which are evaluated but cannot fail."""

    def visit_Assert(self, node):
        return ast.Expr(node.test)


class Replace(ast.NodeTransformer):
    """Replaces the outermost calls of the entry point by answers. `static`: sources of arguments that use nothing local; `sites`: the other calls."""

    def __init__(self, aliases, bound):
        self.aliases, self.bound = aliases, bound
        self.static, self.sites = [], []  # a site: the local names that its arguments share with the rest, and which of them are new objects

    def visit_Call(self, node):
        if not is_call(node, self.aliases):
            return self.generic_visit(node)
        names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        if not names & self.bound:
            self.static.append(argument_source(node))
            return ast.Call(ast.Name(ANSWER, ast.Load()), [ast.Constant(len(self.static) - 1)], [])
        arguments = [*node.args, *[k.value for k in node.keywords]]
        shared = set()
        for argument in arguments:
            if not isinstance(argument, ast.Call):  # `f(copy(x))` gets a new value
                shared.update(n.id for n in ast.walk(argument) if isinstance(n, ast.Name) and n.id in self.bound)
        fresh = [isinstance(a, (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.ListComp)) for a in arguments]
        if any(isinstance(a, ast.Starred) for a in arguments) or any(k.arg is None for k in node.keywords):
            fresh = []
        self.sites.append((shared, fresh))
        number = ast.Constant(len(self.sites) - 1)
        node = self.generic_visit(node)
        return ast.Call(ast.Name(CALL, ast.Load()), [number, *node.args], node.keywords)
