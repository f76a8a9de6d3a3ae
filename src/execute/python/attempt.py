"""A forked process that runs programs, as the guard sees it: its reports, its CPU time, its end.

Judges and limits nothing; what the process sends is data.
"""
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
    The zygote, from the guard's side. One process at a time. `folder` (folder.py): where nobody else has files, or None. `shared`: with the
    zygote, whose loop `serve` is.
    """

    def __init__(self, shared, folder, serve=zygote.serve):
        self.shared, self.folder = shared, folder
        self.command, self.replies = zygote.start(shared, serve)

    def send(self, **job):
        write_frame(self.command, json.dumps(job).encode())

    def reply(self):
        return json.loads(self.replies.next(True))


class Attempt:
    """One process for programs: [suite key, start, stop, code, budgets, provisional]. `stdin`: the text of a stdio test."""

    def __init__(self, forks, programs, limits, together, stdin=None):
        self.forks, shared = forks, forks.shared
        self.board = shared.board
        self.board[:] = BLANK  # nobody reads what another one left there
        self.board[:8] = (8).to_bytes(8, "little")
        self.rest, self.seen, self.cpu, self.file_bytes = b"", 8, 0.0, limits["outputBytes"]
        self.most = zygote.BOARD_SIZE + limits["outputBytes"]  # bytes that are taken at a time: a process may write faster than it is read
        put(shared.programs, json.dumps([program[3:] for program in programs]).encode())
        self.reports, report = os.pipe()
        os.set_blocking(self.reports, False)
        handed = [report]
        if stdin is not None:
            self.output = open(zygote.temporary(), "rb", buffering=0)
            handed += [zygote.temporary(), os.dup(self.output.fileno())]
            put(handed[1], stdin.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode())  # halves of a character are none
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
        """Complete lines that have come since the last call; more may be left for the next one."""
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
        """Whether it has written more than any answer has, and not ended the line."""
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
        """Waits for its end, so long at most. Returns whether it has ended."""
        return bool(self.poller.poll(milliseconds)) or (self.handle is None and self._gone())

    def _gone(self):
        """Whether it has ended, where the kernel has no handles of processes."""
        found = self._stat()
        return found is not None and found[0] == b"Z"  # where there is no /proc either, its silence has to tell

    def _stat(self):
        """What the kernel says of it, from its state on; None where it says nothing."""
        try:
            with open("/proc/%d/stat" % self.pid, "rb") as file:
                return file.read().rsplit(b")", 1)[1].split()
        except OSError:
            return None

    def overdoes(self):
        """What it has made too many of, if anything."""
        folder = self.forks.folder
        if folder is not None and folder.crowded(self.pid, self.file_bytes):
            return CROWDED
        if self.forks.shared.wall is not None:  # elsewhere the kernel counts them
            found = self._stat()
            if found is not None and int(found[17]) > zygote.MOST_THREADS:
                return THREADED
        return None

    def end(self):
        """Kills it and all it left behind. Returns its wait status."""
        if self.handle is not None:
            os.close(self.handle)
        os.close(self.reports)
        self.forks.send(op="end")
        status, cpu = self.forks.reply()
        self.cpu = max(self.cpu, cpu)
        put(self.forks.shared.programs, b"")
        return status

    def printed(self, limit):
        """What a stdio program wrote, as JSON; None when it was `limit` bytes or more."""
        output = self.output.fileno()
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
