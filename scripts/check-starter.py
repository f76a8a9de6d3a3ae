#!/usr/bin/env python3
"""Checks datasets/starter: every solution of every problem must pass every given test.

Also checks that ids are unique, that every problem has 3 to 6 tests and 1 to 3 solutions that differ after their names are normalised,
that docstring examples hold, and that the first test of a stdio problem is the example of its statement.
Does not check agreement on inputs beyond the given ones (the test expander does). The programs are our own, so they
run in a plain child process with a time limit, without a sandbox. Standard library only; exits with 1 on any failure.

    python3 scripts/check-starter.py [FOLDER]
"""
import ast
import builtins
import json
import re
import subprocess
import sys
from pathlib import Path

TIMEOUT_S = 10  # all solutions of one problem on all of its tests
# Runs in the child: the programs of each problem on all its tests, each in a fresh namespace. Prints the failures as JSON.
RUNNER = """
import contextlib, io, json, sys
jobs = json.load(sys.stdin)
def run(program, test):
    space, out = {"__name__": "__main__"}, io.StringIO()
    sys.stdin = io.StringIO(test.get("stdin", ""))
    with contextlib.redirect_stdout(out):
        exec(program, space)
        if "examples" in test:
            import doctest
            docstring = doctest.DocTestParser().get_doctest(test["examples"], space, "docstring", None, 0)
            assert len(docstring.examples) >= 2, "fewer than two examples in the docstring"
            assert doctest.DocTestRunner(verbose=False).run(docstring).failed == 0, out.getvalue()
        elif "code" in test:
            exec(test["code"], space)
    if "stdout" in test:
        lines = [[line.split() for line in text.strip().splitlines()] for text in (out.getvalue(), test["stdout"])]
        assert lines[0] == lines[1], f"printed {out.getvalue()!r}, expected {test['stdout']!r}"
def failures(programs, tests):
    for i, program in enumerate(programs, 1):
        for j, test in enumerate(tests, 1):
            try:
                run(program, test)
            except BaseException as error:
                yield [i, f"test {j}: {type(error).__name__}: {error}"]
found = [list(failures(*job)) for job in jobs]
print(json.dumps(found), file=sys.__stdout__)
"""


def read(style, row):
    """One row as (id, solutions, given tests, further checks)."""
    if style == "mbpp":
        tests = [{"code": line} for line in row["test_list"]]
        return row["task_id"], [row["code"], *row["references"]], tests, []
    if style == "humaneval":
        check = ast.parse(row["test"]).body[0]
        if not all(isinstance(statement, ast.Assert) for statement in check.body):
            raise ValueError(f"{row['task_id']}: check() should hold asserts only")
        tests = [{"code": f"candidate = {row['entry_point']}\n{ast.unparse(call)}"} for call in check.body]
        whole = row["prompt"] + row["canonical_solution"]
        function = ast.parse(whole).body[-1]
        return row["task_id"], [whole, *row["references"]], tests, [{"examples": ast.get_docstring(function)}]
    io = json.loads(row["input_output"])
    tests = [{"stdin": i, "stdout": o} for i, o in zip(io["inputs"], io["outputs"])]
    example = re.search(r"-----Example-----\n\nInput\n(.*?)\n\nOutput\n(.*?)(\n\n|\Z)", row["question"], re.DOTALL)
    first = (io["inputs"][0].split(), io["outputs"][0].split())
    if example is None or (example[1].split(), example[2].split()) != first or len(io["inputs"]) != len(io["outputs"]):
        raise ValueError(f"{row['problem_id']}: the first test is not the statement's example, or an output is missing")
    return row["problem_id"], json.loads(row["solutions"]), tests, []


class Anonymous(ast.NodeTransformer):
    """Replaces every name that is not a builtin by a number, in order of appearance. Drops docstrings and annotations."""

    def __init__(self):
        self.numbers = {}

    def rename(self, name):
        return name if hasattr(builtins, name) else f"n{self.numbers.setdefault(name, len(self.numbers))}"

    def visit_Name(self, node):
        return ast.Name(self.rename(node.id), node.ctx)

    def visit_arg(self, node):
        return ast.arg(self.rename(node.arg), None)

    def visit_FunctionDef(self, node):
        node.name, node.returns = self.rename(node.name), None
        if ast.get_docstring(node) is not None:
            node.body = node.body[1:]
        return self.generic_visit(node)


def shape(program):
    try:
        tree = Anonymous().visit(ast.parse(program))
    except SyntaxError:
        return program  # running it reports the error
    return ast.dump(ast.Module([node for node in tree.body if getattr(node, "module", "") != "typing"], []))


def run(jobs):
    """For each problem (programs, tests): pairs (number of the program, message), one for each test that it fails."""
    command = [sys.executable, "-I", "-S", "-c", RUNNER]
    try:
        child = subprocess.run(command, input=json.dumps(jobs), capture_output=True, encoding="utf-8", timeout=TIMEOUT_S)
        return json.loads(child.stdout)
    except (subprocess.TimeoutExpired, json.JSONDecodeError) as error:
        if len(jobs) > 1:  # find out which problem fails
            return [wrong for job in jobs for wrong in run([job])]
        reason = f"took more than {TIMEOUT_S} s" if isinstance(error, subprocess.TimeoutExpired) else child.stderr
        return [[(i, f"all solutions together: {reason}") for i in range(1, len(jobs[0][0]) + 1)]]


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent / "datasets" / "starter")
    failures, seen, totals = [], set(), []
    print(f"{'problem':<14}{'solutions':>10}{'tests':>7}{'passed':>9}")
    for style in ("mbpp", "humaneval", "apps"):
        lines = (folder / f"{style}-style.jsonl").read_text(encoding="utf-8").splitlines()
        counts = [len(lines), 0, 0, 0]
        rows = [read(style, json.loads(line)) for line in lines]
        found = run([(solutions, tests + checks) for _, solutions, tests, checks in rows])
        for (problem_id, solutions, tests, _), wrong in zip(rows, found):
            problems = ["the id is not unique"] if problem_id in seen else []
            seen.add(problem_id)
            if not 1 <= len(solutions) <= 3:
                problems.append(f"expected 1 to 3 solutions, got {len(solutions)}")
            if not 3 <= len(tests) <= 6:
                problems.append(f"expected 3 to 6 tests, got {len(tests)}")
            if len(set(map(shape, solutions))) < len(solutions):
                problems.append("two solutions differ in nothing but their names")
            problems += [f"solution {i}: {message}" for i, message in wrong]
            passed = len(solutions) - len({i for i, _ in wrong})
            print(f"{problem_id:<14}{len(solutions):>10}{len(tests):>7}{passed:>5} of {len(solutions)}")
            failures += [f"{problem_id}: {problem}" for problem in problems]
            counts = [a + b for a, b in zip(counts, (0, len(solutions), len(tests), passed))]
        totals.append((style, *counts))
    print(f"\n{'style':<12}{'problems':>9}{'solutions':>10}{'tests':>7}{'passed all':>11}")
    for row in [*totals, ("all", *map(sum, list(zip(*totals))[1:]))]:
        print(f"{row[0]:<12}{row[1]:>9}{row[2]:>10}{row[3]:>7}{row[4]:>11}")
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, ValueError, KeyError, SyntaxError) as error:
        sys.exit(f"check-starter: {type(error).__name__}: {error}")
