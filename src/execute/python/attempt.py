"""A forked process that runs programs, as the guard sees it: its reports, its CPU time, its end.

Judges and limits nothing; what the process sends is only data.
"""
import fcntl
import json
import os
import select
import socket
import time

import zygote
from frames import write_frame
from supervise import CROWDED, THREADED

BLANK = bytes(zygote.BOARD_SIZE)

class Forks:
    """
    The guard's side of the zygote. Runs one process at a time. `folder` (folder.py): a folder where nobody else has files, or None. `shared`:
    what is shared with the zygote. `serve`: the zygote's loop.
    """

    def __init__(self, shared, folder, serve=zygote.serve):
        self.shared, self.folder = shared, folder
        self.command, self.replies = zygote.start(shared, serve)

    def send(self, **job):
        write_frame(self.command, json.dumps(job).encode())

    def reply(self):
        return json.loads(self.replies.next(True))


F_SETPIPE_SZ = 1031  # fcntl.F_SETPIPE_SZ is in Python 3.10 and later
PIPE_SIZE = 1 << 20  # the most that Linux allows without privileges


def enlarge(pipe):
    """
    Lets a pipe hold a large answer. The guard reads it at intervals; a process that must wait for room is slow and may count as late. If the
    system refuses, the pipe stays small.
    """
    try:
        fcntl.fcntl(pipe, F_SETPIPE_SZ, PIPE_SIZE)
    except OSError:
        pass


class Attempt:
    """One process that runs programs, each [suite key, start, stop, code, budgets, provisional]. `stdin`: the text of a stdio test."""

    def __init__(self, forks, programs, limits, together, stdin=None):
        self.forks, shared = forks, forks.shared
        self.board = shared.board
        self.board[:] = BLANK  # no process may read what an earlier one left there
        self.board[:8] = (8).to_bytes(8, "little")
        self.rest, self.seen, self.cpu, self.file_bytes = b"", 8, 0.0, limits["outputBytes"]
        self.most = zygote.BOARD_SIZE + limits["outputBytes"]  # maximum bytes read at a time: a process may write faster than it is read
        put(shared.programs, json.dumps([program[3:] for program in programs]).encode())
        self.reports, report = os.pipe()
        os.set_blocking(self.reports, False)
        enlarge(report)
        handed = [report]
        if stdin is not None:
            self.output = open(zygote.temporary(), "rb", buffering=0)
            handed += [zygote.temporary(), os.dup(self.output.fileno())]
            put(handed[1], stdin.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode())  # replaces lone surrogates
        socket.send_fds(shared.channel, [b"."], handed)
        for handle in handed:
            os.close(handle)
        forks.send(op="run", programs=[program[:3] for program in programs], limits=limits, together=together)
        self.pid = forks.reply()
        self.clock = (~self.pid << 3) | 2  # clock_getcpuclockid(3)
        self.handle, self.poller = open_process(self.pid), select.poll()
        if self.handle is not None:
            self.poller.register(self.handle, select.POLLIN)

    def lines(self):
        """The complete lines that have arrived since the last call. More may be waiting for the next call."""
        end = min(int.from_bytes(self.board[:8], "little"), zygote.BOARD_SIZE)
        if end > self.seen:
            self.rest += self.board[self.seen : end]
            self.seen = end
        pieces, size = [self.rest], len(self.rest)
        while size < self.most:
            try:
                piece = os.read(self.reports, 1 << 16)
            except BlockingIOError:
                break
            if not piece:
                break
            pieces.append(piece)
            size += len(piece)
        self.rest = b"".join(pieces)
        *lines, self.rest = self.rest.split(b"\n")
        return lines

    def chokes(self):
        """Whether it has written more bytes than any answer may have, without ending the line."""
        return len(self.rest) >= self.most

    def cpu_now(self):
        try:
            self.cpu = max(self.cpu, time.clock_gettime(self.clock))
        except OSError:
            pass
        return self.cpu

    def idle(self):
        """Whether it does nothing: asleep, stopped, or gone."""
        found = self._stat()
        return found is None or found[0] != b"R"

    def wait(self, milliseconds):
        """Waits for its end, at most this long. Returns whether it has ended."""
        return bool(self.poller.poll(milliseconds)) or (self.handle is None and self._gone())

    def _gone(self):
        """Whether it has ended, for kernels without process handles."""
        found = self._stat()
        return found is not None and found[0] == b"Z"  # without /proc too, only its silence shows the end

    def _stat(self):
        """The fields of its /proc/PID/stat from the state on; None if there are none."""
        try:
            with open("/proc/%d/stat" % self.pid, "rb") as file:
                return file.read().rsplit(b")", 1)[1].split()
        except OSError:
            return None

    def overdoes(self):
        """CROWDED or THREADED if it has made too many files or threads; otherwise None."""
        folder = self.forks.folder
        if folder is not None and folder.crowded(self.pid, self.file_bytes):
            return CROWDED
        if self.forks.shared.wall is not None:  # without a wall the kernel limits them (zygote.py, `limit`)
            found = self._stat()
            if found is not None and int(found[17]) > zygote.MOST_THREADS:
                return THREADED
        return None

    def end(self):
        """Kills it and everything that it left behind. Returns its wait status."""
        if self.handle is not None:
            os.close(self.handle)
        os.close(self.reports)
        self.forks.send(op="end")
        status, cpu = self.forks.reply()
        self.cpu = max(self.cpu, cpu)
        put(self.forks.shared.programs, b"")
        return status

    def printed(self, limit):
        """The output of a stdio program as JSON; None if it has `limit` bytes or more."""
        output = self.output.fileno()
        size = os.fstat(output).st_size
        if size >= limit:
            return None
        return json.dumps(os.pread(output, size, 0).decode("utf-8", "replace")).encode("ascii")


def open_process(pid):
    """A handle of a process; None if the kernel has no such handles."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


def put(file, data):
    """Replaces the contents of a file by `data` and goes back to its start."""
    os.ftruncate(file, 0)
    os.lseek(file, 0, os.SEEK_SET)
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]
    os.lseek(file, 0, os.SEEK_SET)
