"""Compiles the inputs of suites, once and before any candidate runs. Runs nothing."""
from functools import lru_cache

TESTS = ("exec", "script")  # modes whose inputs are test code
RUNS = "\nimport unittest as _unittest\n"  # what runs one test of a file begins with it (problems/unittest.ts)


def compile_suite(suite):
    """Compiles a suite's inputs once, before any candidate runs: {"mode", "entry", "setup", "inputs"}."""
    mode, entry = suite["mode"], suite["entry"]
    sources = suite["inputs"]
    if mode == "call":
        inputs = [_compile_call(entry, source) for source in sources]
    elif mode == "script":
        files = {}  # the text of a file of tests -> its code, the same object for all of its tests
        inputs = [_compile_script(source, files) for source in sources]
    elif mode == "exec":
        inputs = [_compile(source, "exec") for source in sources]
    else:
        inputs = list(sources)
    setup = _compile_setup(suite["setup"]) if suite["setup"].strip() else None
    return {"mode": mode, "inputs": inputs, "setup": setup}


def _compile_call(entry, source):
    return _compile("(%s)(%s\n)" % (entry, source), "eval")


@lru_cache(maxsize=64)  # many suites have the same setup
def _compile_setup(setup):
    return _compile(setup, "exec")


def _compile_script(source, files):
    """A pair: the code of the file of tests, and the code that runs one of them. The code alone if the source is no such file."""
    file, runs, run = source.rpartition(RUNS)
    if not runs:
        return _compile(source, "exec")
    if file not in files:
        files[file] = _compile(file, "exec")
    return files[file] if isinstance(files[file], Exception) else (files[file], _compile(runs + run, "exec"))


def _compile(source, mode):
    """The code object, or the exception: an input that does not compile fails when it is reached."""
    try:
        return compile(source, "<test>", mode, dont_inherit=True)
    except Exception as error:
        return error
