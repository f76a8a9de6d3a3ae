"""The process that forks candidates, and what it shares with the guard that commands it.

It sees inputs and numbers only, no program's text and no answer, so that no candidate finds any in the memory that it inherits.
A forked process reads its programs itself, from a file that the guard has written and that it closes before it runs them. It reports through
shared memory, which costs no system call, until that is full, then through a pipe. Everything it sends is data. The descriptors that a
program has are made for its process only, because flags that it sets on them stay. The shared memory is cleared before each process.
Commands are frames (frames.py) of JSON: {"op": "suite", "drop", "key", "suite"}, no reply; {"op": "import", "names"} (packages.py), no reply;
{"op": "run", "programs": [[key, start, stop]], "limits", "together"} -> pid, with descriptors over `channel`: the pipe's end to write to, and
for stdio tests the files to read and to write; {"op": "end"} -> [wait status, CPU seconds].
"""
import gc
import json
import mmap
import os
import resource
import signal
import socket
import sys
import types

import candidate
import packages
from endless import Watch
from frames import Frames, write_frame
from shortcuts import analyse, can_share
from suites import compile_suite
from warm import warm_up

BOARD_SIZE = 1 << 18
WATCH = Watch()  # each forked process has a copy
MOST_HANDED = 3  # descriptors handed to a process
MOST_THREADS = 64


def filter_programs(landlock):
    """(A function that filters a forked process, None), or (None, why there is none). `landlock`: the level of it around this process, if any."""
    try:
        import seccomp

        seccomp.forbid_tracing()
        return seccomp.prepare(landlock), None
    except Exception as error:  # another system or architecture, a kernel that refuses, no ctypes in this build of Python
        return None, str(error)


class Shared:
    """
    What guard and zygote share. Made before the zygote is forked. `pid_namespace`: the two are alone in one, the guard as process 1.
    `filter` and `wall` (landlock.py): what a forked process puts on itself, or None. `level`: of Landlock around these processes, if any.
    """

    def __init__(self, pid_namespace, filter, wall, level):
        self.pid_namespace, self.filter, self.wall, self.level = pid_namespace, filter, wall, level
        self.board = mmap.mmap(-1, BOARD_SIZE)
        self.programs = temporary()
        self.channel, self.channel_of_zygote = socket.socketpair()


def temporary():
    """An open file without a name."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("shared")
    import tempfile

    handle, path = tempfile.mkstemp()
    os.unlink(path)
    return handle


def start(shared, serve):
    """Forks the zygote, whose loop is `serve(shared, commands, reply)`. Returns the handle for commands and the frames of its replies."""
    commands, command = os.pipe()
    replies, reply = os.pipe()
    parent = os.getpid()
    if os.fork() == 0:
        try:
            if shared.wall is not None:
                shared.wall.end_with_parent(parent)
            os.close(command)
            os.close(replies)
            shared.channel.close()
            warm_up()
            forget_modules()
            gc.collect()
            gc.freeze()
            gc.disable()  # it makes no cycles; a collection before a fork would only copy memory pages
            serve(shared, Frames(commands), reply)
        finally:
            os._exit(1)
    os.close(commands)
    os.close(reply)
    shared.channel_of_zygote.close()
    return command, Frames(replies)


def forget_modules():
    """Removes our own modules from where a program's imports would find them."""
    for name in ("attempt", "attributes", "candidate", "canon", "cell", "confine", "endless", "folder", "frames", "guard", "imports", "jobs", "landlock", "libraries",
                 "loops", "memoize", "notebook", "packages", "run", "seccomp", "shareable", "shortcuts", "state", "suites", "supervise", "timer", "warm", "zygote"):  # fmt: skip
        sys.modules.pop(name, None)
    sys.modules["__main__"] = types.ModuleType("__main__")
    sys.path.remove(os.path.dirname(os.path.abspath(__file__)))
    sys.argv[:] = [""]


def serve(shared, commands, reply):
    suites, pid, zygote, bare, early_bytes = {}, 0, os.getpid(), address_space(), 0
    while True:
        job = json.loads(commands.next(True))
        if job["op"] == "suite":
            for key in job["drop"]:
                suites.pop(key, None)
            if job["suite"] is not None:
                suites[job["key"]] = suite = compile_suite(job["suite"])
                suite["shareable"] = can_share(job["suite"])
                gc.freeze()
        elif job["op"] == "import":
            packages.import_all(job["names"])
            gc.collect()
            gc.freeze()
            early_bytes = address_space() - bare
        elif job["op"] == "run":
            _, handed, _, _ = socket.recv_fds(shared.channel_of_zygote, 1, MOST_HANDED)
            pid = os.fork()
            if pid == 0:
                shared.channel_of_zygote.detach()  # `child` closes the descriptor with all others; it must not be closed a second time
                programs = [[suites[key], start, stop] for key, start, stop in job["programs"]]
                child(shared, programs, job["limits"], job["together"], handed, zygote, early_bytes)
            for handle in handed:
                os.close(handle)
            write_frame(reply, b"%d" % pid)
        else:
            write_frame(reply, json.dumps(end(pid, shared.pid_namespace)).encode())
        del job


def end(pid, pid_namespace):
    """Kills a process and what it left behind: its whole group, or everything in a namespace of our own."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    _, status, usage = os.wait4(pid, 0)
    try:
        if pid_namespace:
            os.kill(-1, signal.SIGKILL)  # all but this process and the guard, which is process 1 here
        else:
            os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
    return [status, usage.ru_utime + usage.ru_stime]


def child(shared, programs, limits, together, handed, zygote, early_bytes):
    """The forked process: gives up what it inherited except what it is handed, limits itself and runs the programs. Never returns."""
    try:
        gc.enable()
        if shared.wall is not None:
            shared.wall.enter(zygote)
        if not shared.pid_namespace:
            os.setpgid(0, 0)  # not needed in a namespace, where everything left over is killed, in any group
        texts = json.loads(os.pread(shared.programs, os.fstat(shared.programs).st_size, 0))
        null, (report, *streams) = os.open(os.devnull, os.O_RDWR), handed
        source, target = streams or (null, null)
        answers = 3
        for handle, number in ((source, 0), (target, 1), (null, 2), (report, answers)):
            os.dup2(handle, number)
        os.closerange(answers + 1, 256)
        if streams:
            candidate.open_streams()
        limit(limits, shared.wall is None, early_bytes)
        if shared.filter is not None:
            shared.filter()
        programs = [candidate.Program(*inputs, *text) for inputs, text in zip(programs, texts)]
        run_all, leave, size, emit = candidate.run_all, os._exit, limits["outputBytes"], emitter(shared.board, answers)
        del shared, limits, texts
        run_all(programs, size, emit, lambda program: analyse(program, WATCH), together)
        leave(0)
    finally:
        os._exit(99)


def emitter(board, answers):
    size, write, view, length = BOARD_SIZE, os.write, memoryview, len
    place = view(board).cast("Q")
    at = 8

    def emit(line):
        nonlocal at
        end = at + length(line)
        if end <= size:
            board[at:end] = line
            place[0] = at = end
            return
        at = size + 1  # from now on everything goes through the pipe, so that the order is kept
        left = view(line)
        while left:
            left = left[write(answers, left) :]

    return emit


def address_space():
    """Bytes of address space that this process uses; 0 if that is unknown."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 0


def limit(limits, threads, early_bytes):
    """
    Sets the limits of this process. `threads`: the kernel must count threads, which it does for all of a user's processes together.
    `early_bytes`: memory of early imports, which is not the program's own.
    """

    def set_limit(which, soft, hard=None):
        try:
            resource.setrlimit(which, (soft, soft if hard is None else hard))
        except (ValueError, OSError):
            pass

    cpu = int(limits["candidateCpuS"]) + 2
    set_limit(resource.RLIMIT_CPU, cpu, cpu + 1)
    set_limit(resource.RLIMIT_AS, (limits["memoryMb"] << 20) + early_bytes)
    set_limit(resource.RLIMIT_FSIZE, limits["outputBytes"])
    set_limit(resource.RLIMIT_CORE, 0)
    set_limit(resource.RLIMIT_NOFILE, 64)
    if threads:  # they count as processes: the filter forbids processes, this limits threads
        set_limit(resource.RLIMIT_NPROC, MOST_THREADS)
