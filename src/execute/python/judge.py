"""The trusted side's Python: prepares a problem's tests and judges asserts. Never sees a candidate, only its answers.

Frames as in guard.py. {"op": "prepare", "key", "problem"} -> {"inputs": [args source], "units": [...], "skipped": [...]};
{"op": "check", "key", "units": [[unit, [answer line text, ...]], ...], "maxTimeouts", "seconds"} -> {"results": [...], "cpu"}, or {"unknown"}
if the problem is not prepared; after that many timeouts or CPU seconds the other units are timeouts;
{"op": "modules"} -> {"modules": [name, ...]}. Expected values are evaluated here, once per problem. split.py takes asserts apart.
"""
import json
import os
import pkgutil
import sys
import time
from importlib.util import find_spec

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [HERE] + [entry for entry in sys.path if entry != HERE]

import packages  # noqa: E402

packages.extend_path()

import split  # noqa: E402
from frames import Frames, write_frame  # noqa: E402

# Found by their files and the built-in table, without submodules. Listed now, because in WebAssembly no folder can be read later.
MODULES = sorted({module.name for module in pkgutil.iter_modules([path for path in sys.path if path != HERE])} | set(sys.builtin_module_names))
KEPT = 128  # problems; the trusted side prepares a forgotten one again


def handle(request, problems):
    if request["op"] == "modules":
        return {"modules": [name for name in MODULES if find_spec(name)]}  # in WebAssembly some are locked away
    if request["op"] == "prepare":
        prepared = split.Prepared(request["problem"])
        problems[request["key"]] = prepared
        while len(problems) > KEPT:
            problems.pop(next(iter(problems)))
        return {"inputs": prepared.inputs, "units": prepared.units, "skipped": prepared.skipped}
    prepared = problems.get(request["key"])
    if prepared is None:
        return {"unknown": True}
    results, began = [], time.process_time()
    for unit, answers in request["units"]:
        late = results.count("timeout") >= request["maxTimeouts"] or time.process_time() - began > request["seconds"]
        results.append("timeout" if late else prepared.check(unit, answers))
    return {"results": results, "cpu": time.process_time() - began}


def answer(text, problems):
    """Answers one request: JSON text to JSON text. A fault of ours is a reply too."""
    request = json.loads(text)
    try:
        reply = handle(request, problems)
    except Exception as error:
        reply = {"fault": "%s: %s" % (type(error).__name__, error)}
    reply["id"] = request["id"]
    return json.dumps(reply)


def give_up_being_first():
    """If this is process 1 of a namespace, which does not end at its limit of CPU time: goes on in a child, and ends with its status."""
    pid = os.fork() if os.getpid() == 1 else 0
    if pid:
        status = os.waitpid(pid, 0)[1]
        os._exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))


def main():
    give_up_being_first()
    jobs, answers = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    problems = {}
    requests = Frames(jobs)
    write_frame(answers, json.dumps({"python": "%d.%d.%d" % sys.version_info[:3]}).encode())
    while True:
        write_frame(answers, answer(requests.next(True), problems).encode())


if __name__ == "__main__":
    main()
