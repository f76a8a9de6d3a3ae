"""The process that holds a notebook's state: it runs the cells before the judged one, and forks the processes that run the judged one.

It takes the place of the zygote (zygote.py), and what is said there about forked processes holds here. It sees the notebook's cells before the
judged one, but neither the judged one, nor later ones, nor any answer. The cells that it runs are by the notebook's author: they run behind the
wall and under the filter of programs, except that this process may fork. Commands: {"op": "import", "names"} and {"op": "cell", "code",
"memoryMb"}, which get {"status", "payload"}; {"op": "run", "programs": [[names, start, stop]], "limits"} -> pid; {"op": "end"} -> [wait
status, CPU seconds]: the process that commands has killed the fork, which this one may not.
"""
import gc
import json
import os
import resource
import socket
import sys

import cell
import packages
from candidate import describe
from frames import write_frame
from zygote import MOST_HANDED, address_space, emitter, limit

MOST_WRITTEN = 64 << 20  # bytes of one file


def serve(shared, commands, reply):
    state, bare = os.getpid(), address_space()
    gc.unfreeze()
    gc.enable()
    space = sys.modules["__main__"].__dict__
    sys.path.insert(0, os.getcwd())  # as in Jupyter: a notebook may import modules beside it
    write_frame(reply, b"%d" % state)
    pid, confined, forking = 0, False, False
    # A fork made by a cell ends at once, because it would read our commands. (The filter forbids starting other programs.)
    os.register_at_fork(after_in_child=lambda: None if forking else os._exit(1))
    while True:
        job = json.loads(commands.next(True))
        if job["op"] == "import":
            packages.import_all(job["names"])
            write_frame(reply, b'{"status": "v", "payload": null}')
        elif job["op"] == "cell":
            if not confined:
                confine(shared, job["memoryMb"], address_space())
                confined = True
            write_frame(reply, json.dumps(advance(job["code"], space)).encode())
        elif job["op"] == "run":
            if not confined:
                confine(shared, job["limits"]["memoryMb"], address_space())
                confined = True
            _, handed, _, _ = socket.recv_fds(shared.channel_of_zygote, 1, MOST_HANDED)
            [[names, start, _]] = job["programs"]
            gc.collect()
            forking = True
            pid = os.fork()
            forking = False
            if pid == 0:
                shared.channel_of_zygote.detach()
                child(shared, names, start, job["limits"], handed, state, max(0, address_space() - bare), space)
            for handle in handed:
                os.close(handle)
            write_frame(reply, b"%d" % pid)
        else:
            _, status, usage = os.wait4(pid, 0)
            write_frame(reply, json.dumps([status, usage.ru_utime + usage.ru_stime]).encode())
        del job


def confine(shared, memory_mb, bytes_now):
    """Puts this process behind the wall of programs, under their filter and limits. Its forks get narrower ones."""
    if shared.wall is not None:
        shared.wall.enter(os.getppid())
    for which, most in ((resource.RLIMIT_AS, (memory_mb << 20) + bytes_now), (resource.RLIMIT_FSIZE, MOST_WRITTEN), (resource.RLIMIT_CORE, 0)):
        hard = resource.getrlimit(which)[1]
        resource.setrlimit(which, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    if shared.filter_of_forks is not None:
        shared.filter_of_forks()


def advance(code, space):
    """Runs a cell of the notebook for its effects. What it shows is dropped."""
    try:
        cell.run(code, space)
        return {"status": "v", "payload": None}
    except MemoryError:
        return {"status": "m", "payload": None}
    except BaseException as error:
        return {"status": "e", "payload": json.loads(describe(error))}


def child(shared, names, start, limits, handed, state, early_bytes, space):
    """The forked process: gives up what it inherited except the state, limits itself and runs the cell. Never returns. See zygote.py."""
    try:
        if shared.wall is not None:
            shared.wall.enter(state)
        [text] = json.loads(os.pread(shared.programs, os.fstat(shared.programs).st_size, 0))
        null, [report] = os.open(os.devnull, os.O_RDWR), handed
        answers = 3
        for handle, number in ((null, 0), (null, 1), (null, 2), (report, answers)):
            os.dup2(handle, number)
        os.closerange(answers + 1, 256)
        limit(limits, shared.wall is None, early_bytes)
        if shared.filter is not None:
            shared.filter()
        report_on, leave, size, emit = cell.report_on, os._exit, limits["outputBytes"], emitter(shared.board, answers)
        code = text[0]
        del shared, text, limits
        report_on(code, names, start, space, size, emit)
        leave(0)
    finally:
        os._exit(99)
