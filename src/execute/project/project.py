"""Runs a project's test command once, on a private copy of the project with some of its files replaced.

Reads one JSON request on standard input, writes one JSON reply on standard output; see project.ts, which starts it in the
sandbox as process 1: when it ends, everything that the tests started ends too. Does not interpret the outcome.
"""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

KEPT_OUTPUT = 64_000
MOST_RECORDED = 192 << 20  # bytes of what record.py writes


def limit(which, most, grace=0):
    hard = resource.getrlimit(which)[1]
    top = most + grace if hard == resource.RLIM_INFINITY else min(most + grace, hard)
    resource.setrlimit(which, (min(most, top), top))


def set_limits(request):
    limit(resource.RLIMIT_CPU, request["cpuS"], 1)  # the soft limit comes first: SIGXCPU tells a timeout from other ends
    limit(resource.RLIMIT_AS, request["memoryMb"] << 20)
    limit(resource.RLIMIT_CORE, 0)
    limit(resource.RLIMIT_FSIZE, 256 << 20)
    if request["userNamespace"]:  # without one, the count covers all of the user's processes
        limit(resource.RLIMIT_NPROC, 256)


def kill_all(child, pid_namespace):
    try:
        if pid_namespace:
            os.kill(-1, signal.SIGKILL)  # from process 1 of a namespace: kills everything else in it
        else:
            os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def run(request, folder):
    shutil.copytree(request["original"], folder, symlinks=True, dirs_exist_ok=True)
    for path, text in request["changes"].items():
        with open(os.path.join(folder, path), "w", encoding="utf-8", newline="") as file:
            file.write(text)
    paths = [folder, os.path.join(folder, "src")]
    recorder = tempfile.mkdtemp(prefix="codescore-recorder-") if request["recorder"] else None
    if recorder:
        paths.insert(0, recorder)
        start_recorder(request["recorder"], recorder, folder)
    env = {**request["env"], "PYTHONPATH": os.pathsep.join(paths)}
    tail = bytearray()
    start = time.monotonic()
    child = subprocess.Popen(
        ["/bin/sh", "-c", request["command"]],
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        preexec_fn=lambda: set_limits(request),
    )

    def read():
        for piece in iter(lambda: child.stdout.read1(65536), b""):
            tail.extend(piece)
            del tail[:-KEPT_OUTPUT]

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        status = child.wait(request["wallS"])
    except subprocess.TimeoutExpired:
        status = None
    wall = time.monotonic() - start
    kill_all(child, request["pidNamespace"])
    child.wait()
    reader.join(2)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = bytes(tail).decode("utf-8", "replace")
    reply = {"status": status, "wallS": wall, "cpuS": used.ru_utime + used.ru_stime, "output": output}
    if recorder:
        reply["recorded"] = read_recorded(recorder)
        shutil.rmtree(recorder, ignore_errors=True)
    return reply


def start_recorder(recorder, folder, root):
    """Puts the files of record.py where every Python process of the tests finds them first."""
    for name, text in recorder["files"].items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    with open(os.path.join(folder, "settings.json"), "w", encoding="utf-8") as file:
        json.dump({**recorder["settings"], "root": root}, file)


def read_recorded(folder):
    """The files that processes left, largest first, up to MOST_RECORDED bytes."""
    names = [name for name in os.listdir(folder) if name.endswith(".json") and name != "settings.json"]
    sizes = sorted(((os.path.getsize(os.path.join(folder, name)), name) for name in names), reverse=True)
    found, left = [], MOST_RECORDED
    for size, name in sizes:
        left -= size
        if left >= 0:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                found.append(json.load(file))
    return found


def main():
    request = json.load(sys.stdin)
    folder = request["folder"] or tempfile.mkdtemp(prefix="codescore-project-")
    try:
        reply = run(request, folder)
    finally:
        if request["folder"] is None:
            shutil.rmtree(folder, ignore_errors=True)
    sys.stdout.write(json.dumps(reply))


main()
