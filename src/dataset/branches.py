"""Runs a program with instrumented branches, so that a run tells which sides it took: of conditions, `and`, `or`, chained
comparisons, loops, handlers and cases, and which functions it entered.

The marks go into the syntax tree, not the bytecode. Every Python from 3.9 on then numbers the same branches, and no trace function
is needed (trace functions get no opcodes from 3.12 on). coverage.ts puts this text before the measured program, so only one
function here has a name in that program's namespace.
"""


def _codescore_branches(source):
    """Returns the marked code, the names that its namespace needs, and `measure(run)`, which lists the branches that `run()` takes."""
    import ast

    seen, reached = set(), {}

    def mark(branch, side="taken"):
        seen.add((branch, side))
        return True

    def side_of(branch, value):
        seen.add((branch, "true" if value else "false"))
        return value

    def operand(branch, place, value):
        reached[branch] = place
        return value

    def chain(branch, value):
        last = reached.pop(branch, 0)
        seen.add((branch, "true" if value else "false at %d" % last))
        return value

    names = {"_codescore_" + work.__name__: work for work in (mark, side_of, operand, chain)}

    def call(work, *arguments):
        arguments = [a if isinstance(a, ast.AST) else ast.Constant(a) for a in arguments]
        return ast.Call(ast.Name("_codescore_" + work.__name__, ast.Load()), arguments, [])

    class Marks(ast.NodeTransformer):
        count = 0

        def branch(self, node):
            self.count += 1
            return "%s %d" % (type(node).__name__, self.count)

        def condition(self, node):
            branch = self.branch(node)
            self.generic_visit(node)
            if not isinstance(node.test, ast.Constant):
                node.test = call(side_of, branch, node.test)
            return node

        visit_If = visit_While = visit_IfExp = visit_Assert = condition

        def block(self, node):
            branch = self.branch(node)
            self.generic_visit(node)
            function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            node.body.insert(1 if function and ast.get_docstring(node, False) is not None else 0, ast.Expr(call(mark, branch)))
            return node

        visit_FunctionDef = visit_AsyncFunctionDef = visit_ExceptHandler = block

        def visit_For(self, node):
            branch = self.branch(node)
            self.generic_visit(node)
            node.body.insert(0, ast.Expr(call(mark, branch)))
            node.orelse.insert(0, ast.Expr(call(mark, branch, "exhausted")))
            return node

        visit_AsyncFor = visit_For

        def visit_Lambda(self, node):
            branch = self.branch(node)
            self.generic_visit(node)
            node.body = ast.IfExp(call(mark, branch), node.body, ast.Constant(None))
            return node

        def visit_comprehension(self, node):
            branch = self.branch(node)
            self.generic_visit(node)
            tests = [call(side_of, "%s.%d" % (branch, i), test) for i, test in enumerate(node.ifs)]
            node.ifs = [call(mark, branch), *tests]
            return node

        def visit_BoolOp(self, node):
            branch = self.branch(node)
            self.generic_visit(node)
            *first, last = node.values
            node.values = [*(call(side_of, "%s.%d" % (branch, i), value) for i, value in enumerate(first)), last]
            return node

        def visit_Compare(self, node):
            branch = self.branch(node)
            self.generic_visit(node)
            if len(node.ops) == 1:
                return node
            first, *rest = node.comparators
            node.comparators = [first, *(call(operand, branch, i + 1, value) for i, value in enumerate(rest))]
            return call(chain, branch, node)

        def visit_Match(self, node):
            branch = self.branch(node)
            self.generic_visit(node)
            for i, case in enumerate(node.cases):
                if case.guard is not None:
                    case.guard = call(side_of, "%s.%d guard" % (branch, i), case.guard)
                case.body.insert(0, ast.Expr(call(mark, branch, "case %d" % i)))
            last = node.cases[-1]
            if last.guard is not None or not takes_all(last.pattern):
                node.cases.append(ast.match_case(ast.MatchAs(), None, [ast.Expr(call(mark, branch, "no case"))]))
            return node

    def takes_all(pattern):
        if isinstance(pattern, ast.MatchOr):
            return any(map(takes_all, pattern.patterns))
        return isinstance(pattern, ast.MatchAs) and (pattern.pattern is None or takes_all(pattern.pattern))

    def measure(run):
        seen.clear()
        run()
        return sorted(map(" ".join, seen))

    tree = ast.fix_missing_locations(Marks().visit(ast.parse(source)))
    return compile(tree, "<reference>", "exec", dont_inherit=True), names, measure
