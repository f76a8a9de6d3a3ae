"""Replays calls with other code in their function, inside the sandbox. It is process 1 there; it has programs forked (replayed.py) and kills them.

Frames of JSON on stdin and stdout (frames.py), one reply to each: {"op": "open", "path", "module", "file", "functions": [{"line", "name"}],
"calls": [{"function", "arguments"}], "wallS"} loads a module and calls -> {"functions": [bool], "calls": [bool], "cpuS"} or {"why"};
{"op": "run", "program", "cpuS", "wallS", "bytes"} -> {"lines", "end", "cpuS", "wallS"}; {"op": "close"} -> {}. replayed.py describes a program.
This process sees programs and their answers, but the processes that run programs inherit none of them: what forks those was itself forked
before the first program came. Knows no expected answer and judges nothing.

usage: replay.py [MODULE...]     modules of packages to import once, before any project is loaded
"""
import json
import os
import select
import signal
import socket
import sys
import time

SCRIPTS, SCRATCH = "/codescore", "/scratch"
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, SCRIPTS]

import replayed  # noqa: E402
import seccomp  # noqa: E402
from folder import Folder  # noqa: E402
from frames import Frames, write_frame  # noqa: E402

GRACE_S = 60  # for forking and ending


class Lost(Exception):
    """The forking process does not answer."""


class Forks:
    def __init__(self, modules, programs_filter):
        self.channel, channel = socket.socketpair()
        commands, self.commands = os.pipe()
        replies, reply = os.pipe()
        if os.fork() == 0:
            try:
                for handle in (self.commands, replies, self.channel.fileno()):
                    os.close(handle)
                replayed.serve(Frames(commands), reply, channel, programs_filter, modules)
            finally:
                os._exit(1)
        os.close(commands)
        os.close(reply)
        channel.close()
        self.handle, self.replies = replies, Frames(replies)
        self.ask({"op": "ready"}, GRACE_S)

    def ask(self, command, seconds):
        write_frame(self.commands, json.dumps(command).encode())
        ready = select.poll()
        ready.register(self.handle, select.POLLIN)
        if not self.replies.data and not ready.poll(1000 * seconds):
            raise Lost
        return json.loads(self.replies.next(True))


def run(forks, folder, job):
    """Runs one program in its own process, which is killed at its limits. Its lines are bytes that nobody has checked."""
    began, own = time.monotonic(), time.process_time()
    program = os.memfd_create("program")
    os.write(program, json.dumps(job["program"]).encode())
    answers, answer = os.pipe()
    socket.send_fds(forks.channel, [b"."], [program, answer])
    os.close(program)
    os.close(answer)
    started = forks.ask({"op": "run", "cpuS": job["cpuS"]}, GRACE_S)
    if "why" in started:
        raise Lost
    pieces, size, end = [], 0, "ended"
    ready, deadline = select.poll(), began + job["wallS"]
    ready.register(answers, select.POLLIN)
    while True:
        left = deadline - time.monotonic()
        if left <= 0:
            end = "late"
            break
        if not ready.poll(1000 * left):
            continue
        piece = os.read(answers, 1 << 16)
        if not piece:
            break
        pieces.append(piece)
        size += len(piece)
        if size > job["bytes"]:
            end = "chokes"
            break
    try:
        if end != "ended":
            os.kill(started["pid"], signal.SIGKILL)
    except ProcessLookupError:
        pass
    os.close(answers)
    # A process that closed its end of the pipe but still runs is killed by `reap`.
    status, cpu, forking = forks.ask({"op": "reap"}, GRACE_S)["ended"]
    folder.clear()
    if end == "ended" and not (os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0):
        end = "late" if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU else "crashed"
    text = b"".join(pieces).decode("ascii", "replace")
    cpu += forking + time.process_time() - own
    return {"lines": text.split("\n"), "end": end, "cpuS": cpu, "wallS": time.monotonic() - began}


def main(modules):
    seccomp.forbid_tracing()
    programs_filter = seccomp.prepare()
    answers, frames = os.dup(1), Frames(os.dup(0))
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    forks, folder = Forks(modules, programs_filter), Folder(SCRATCH, True)
    write_frame(answers, json.dumps({"python": "%d.%d.%d" % sys.version_info[:3]}).encode())
    while True:
        job = json.loads(frames.next(True))
        if job["op"] == "run":
            reply = run(forks, folder, job)
        else:
            reply = forks.ask(job, job.get("wallS", GRACE_S))
            folder.clear()
        write_frame(answers, json.dumps(reply).encode())


if __name__ == "__main__":
    main(sys.argv[1:])
