"""Runs plain `unittest` on the programs from stdin: one process per task, in a separate folder, like BigCodeBench's harness. If this is root,
the processes have no right to pass over the permissions of files: some tasks test what happens without them.

stdin: [[id, program and tests], ...]; stdout: {id: {class.method: passed}}.
"""
import ctypes
import json
import os
import subprocess
import sys
import tempfile

RUN = """
import json, os, sys, types, unittest
module = types.ModuleType("__test__")
module.__file__ = "__test__.py"
sys.modules["__test__"] = module
passed = {}
try:
    exec(compile(open(sys.argv[1]).read(), "__test__.py", "exec"), module.__dict__)
    suite = unittest.TestLoader().loadTestsFromModule(module)
    result = unittest.TestResult()
    tests = [test for case in suite for test in case]
    passed = {type(t).__name__ + "." + t._testMethodName: True for t in tests}
    suite.run(result)
    for test, _ in result.failures + result.errors:
        test = getattr(test, "test_case", test)
        passed[type(test).__name__ + "." + getattr(test, "_testMethodName", "")] = False
except BaseException:
    pass
with open(sys.argv[2], "w") as file:
    json.dump(passed, file)
os._exit(0)
"""
SECONDS = 240
ENV = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "Agg", "PYTHONHASHSEED": "0"}

PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 24, 1, 2
libc = ctypes.CDLL(None)


def heed_permissions():
    for right in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
        libc.prctl(PR_CAPBSET_DROP, right, 0, 0, 0)


results = {}
for task, text in json.load(sys.stdin):
    with tempfile.TemporaryDirectory() as folder:
        program, answer, work = (os.path.join(folder, name) for name in ("program.py", "answer.json", "work"))
        os.mkdir(work)
        with open(program, "w") as file:
            file.write(text)
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        try:
            subprocess.run([sys.executable, "-c", RUN, program, answer], cwd=work, env={**os.environ, **ENV}, timeout=SECONDS,
                           preexec_fn=heed_permissions, **quiet)  # fmt: skip
            with open(answer) as file:
                results[task] = json.load(file)
        except (subprocess.TimeoutExpired, OSError):
            results[task] = {}
json.dump(results, sys.stdout)
