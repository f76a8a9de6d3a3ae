"""A forked process that runs programs, as the guard sees it: its reports, its CPU time, its end.

Judges and limits nothing; what the process sends is data.
"""
import json
import os
import select
import time

import zygote
from frames import write_frame


class Forks:
    """
    The zygote, from the guard's side. One process at a time. `private_tmp`: nobody else has files in /tmp, so that it can be
    emptied after each program.
    """

    def __init__(self, pid_namespace, private_tmp):
        self.private_tmp = private_tmp
        self.shared, self.command, self.replies = zygote.start(pid_namespace)

    def send(self, **job):
        write_frame(self.command, json.dumps(job).encode())

    def reply(self):
        return json.loads(self.replies.next(True))


class Attempt:
    """One process for programs: [suite key, start, stop, code, budgets, provisional]. `stdin`: the text of a stdio test."""

    def __init__(self, forks, programs, limits, together, stdin=None):
        self.forks, shared = forks, forks.shared
        self.board = shared.board
        used = min(int.from_bytes(self.board[:8], "little"), zygote.BOARD_SIZE)
        self.board[:used] = bytes(used)  # nobody reads what another one answered
        self.board[:8] = (8).to_bytes(8, "little")
        self.rest, self.seen, self.cpu = b"", 8, 0.0
        self.lines()  # what the process before it left in the pipe
        self.rest = b""
        put(shared.programs, json.dumps([program[3:] for program in programs]).encode())
        if stdin is not None:
            put(shared.input, stdin.encode("utf-8", "surrogateescape"))
            put(shared.output, b"")
        inputs = [program[:3] for program in programs]
        forks.send(op="run", programs=inputs, limits=limits, together=together, streams=stdin is not None)
        self.pid = forks.reply()
        self.clock = (~self.pid << 3) | 2  # clock_getcpuclockid(3)
        self.handle, self.poller = open_process(self.pid), select.poll()
        if self.handle is not None:
            self.poller.register(self.handle, select.POLLIN)

    def lines(self):
        """The complete lines that have come since the last call."""
        end = min(int.from_bytes(self.board[:8], "little"), zygote.BOARD_SIZE)
        if end > self.seen:
            self.rest += self.board[self.seen : end]
            self.seen = end
        while True:
            try:
                piece = os.read(self.forks.shared.reports, 1 << 20)
            except BlockingIOError:
                break
            if not piece:
                break
            self.rest += piece
        *lines, self.rest = self.rest.split(b"\n")
        return lines

    def cpu_now(self):
        try:
            self.cpu = max(self.cpu, time.clock_gettime(self.clock))
        except OSError:
            pass
        return self.cpu

    def idle(self):
        """Whether it does nothing: asleep, stopped, or gone."""
        try:
            with open("/proc/%d/stat" % self.pid, "rb") as file:
                return file.read().rsplit(b")", 1)[1].split()[0] != b"R"
        except OSError:
            return True

    def wait(self, milliseconds):
        """Waits for its end, so long at most. Returns whether it has ended."""
        return bool(self.poller.poll(milliseconds)) or (self.handle is None and self._gone())

    def _gone(self):
        """Whether it has ended, where the kernel has no handles of processes."""
        try:
            with open("/proc/%d/stat" % self.pid, "rb") as file:
                return file.read().rsplit(b")", 1)[1].split()[0] == b"Z"
        except OSError:
            return False  # no /proc either: its silence has to tell

    def end(self):
        """Kills it and all it left behind. Returns its wait status."""
        if self.handle is not None:
            os.close(self.handle)
        self.forks.send(op="end")
        status, cpu = self.forks.reply()
        self.cpu = max(self.cpu, cpu)
        put(self.forks.shared.programs, b"")
        return status

    def printed(self, limit):
        """What a stdio program wrote, as JSON; None when it was `limit` bytes or more."""
        output = self.forks.shared.output
        size = os.fstat(output).st_size
        if size >= limit:
            return None
        return json.dumps(os.pread(output, size, 0).decode("utf-8", "replace")).encode("ascii")


def open_process(pid):
    """A handle of a process; None where the kernel has none."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


def put(file, data):
    """Makes `data` all that a file holds, and reads and writes begin at its start."""
    os.ftruncate(file, 0)
    os.lseek(file, 0, os.SEEK_SET)
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]
    os.lseek(file, 0, os.SEEK_SET)
