"""A fork server inside the sandbox: one warm interpreter, one forked process a candidate, killed at its limits.

usage: guard.py bwrap|none     frames on stdin and stdout: 4 bytes of length (big endian), then JSON.
Job: {"id", "suite"?: {"key", "mode", "entry", "setup", "inputs"}, "drop"?: [key], "key", "code", "budgets": [cpu s],
"limits": {...}}. Answer: {"id", "cpu"} and, after a newline, one line an input: `status cpu payload`
(`v`, `e`, `m` as in candidate.py, `l` an error on loading, `t` timeout). Knows nothing of expected values and never runs candidate code itself.
Whatever a candidate sends is data: a line that is not the next one expected ends that candidate, nothing else.
"""
import gc
import json
import mmap
import os
import resource
import select
import signal
import struct
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [HERE] + [entry for entry in sys.path if entry != HERE]

import candidate  # noqa: E402

# Imported before forking, because programs often use them and importing costs more than forking.
import bisect, cmath, collections, copy, dataclasses, datetime, decimal, enum, fractions, functools, hashlib, heapq  # noqa: E401, E402, F401, I001
import itertools, math, operator, queue, random, re, statistics, string, textwrap, typing, types, abc, io, ast  # noqa: E401, E402, F401, I001
import calendar, numbers, contextlib, array, traceback, inspect, threading  # noqa: E401, E402, F401, I001

try:
    import seccomp

    FILTER = seccomp.prepare()
    seccomp.forbid_tracing()
except Exception:  # no ctypes in this build of Python: namespaces and rlimits remain
    FILTER = None

TICK_MS = 10
IDLE_S = 1.0  # a test asleep for so long, beyond its CPU budget, will not wake up
ENDED = 3  # processes that may end without an answer before the rest counts as such
FRESH_DIRECTORY = "/tmp"
MALFORMED = b'e 0 ["MalformedAnswer","the program wrote among its own reports"]'


# Reports come through shared memory, which costs no system call, until it is full; then through the pipe.
BOARD_SIZE = 1 << 18
BOARD = mmap.mmap(-1, BOARD_SIZE)


class Attempt:
    """One forked process of a candidate."""

    def __init__(self, suite, code, start, stop, limits):
        self.answers, write = os.pipe()
        BOARD[:8] = (8).to_bytes(8, "little")
        self.files = None
        if suite["mode"] == "stdin":
            self.files = (temporary(), temporary())
            os.write(self.files[0], suite["inputs"][start].encode("utf-8", "surrogateescape"))
            os.lseek(self.files[0], 0, os.SEEK_SET)
        self.pid = os.fork()
        if self.pid == 0:
            child(suite, code, start, stop, limits, write, self.files)
        os.close(write)
        os.set_blocking(self.answers, False)
        self.rest, self.seen = b"", 8
        self.clock = (~self.pid << 3) | 2  # clock_getcpuclockid(3)
        self.cpu = 0.0

    def lines(self):
        """The complete lines that have come since the last call."""
        end = min(int.from_bytes(BOARD[:8], "little"), BOARD_SIZE)
        if end > self.seen:
            self.rest += BOARD[self.seen : end]
            self.seen = end
        while True:
            try:
                piece = os.read(self.answers, 1 << 20)
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

    def asleep(self):
        try:
            with open("/proc/%d/stat" % self.pid, "rb") as file:
                return file.read().rsplit(b")", 1)[1].split()[0] == b"S"
        except OSError:
            return True

    def end(self, everything):
        """Kills the process and, in a sandbox of our own, all it left behind. Returns its wait status."""
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        _, status, usage = os.wait4(self.pid, 0)
        self.cpu = max(self.cpu, usage.ru_utime + usage.ru_stime)
        try:
            if everything:
                os.kill(-1, signal.SIGKILL)
            else:
                os.killpg(self.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        return status

    def output(self, limit):
        size = min(os.fstat(self.files[1]).st_size, limit)
        return os.pread(self.files[1], size, 0).decode("utf-8", "replace")

    def close(self):
        os.close(self.answers)
        for file in self.files or ():
            os.close(file)


def temporary():
    if hasattr(os, "memfd_create"):
        return os.memfd_create("stream")
    import tempfile

    handle, path = tempfile.mkstemp()
    os.unlink(path)
    return handle


def child(suite, code, start, stop, limits, write, files):
    """The forked process: gives up what it inherited, limits itself and runs the program. Never returns."""
    try:
        gc.enable()
        os.setsid()
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(files[0] if files else null, 0)
        os.dup2(files[1] if files else null, 1)
        os.dup2(null, 2)
        answers = 3
        os.dup2(write, answers)
        os.closerange(answers + 1, 256)
        if files:
            candidate.open_streams()
        limit(limits)
        if FILTER is not None:
            FILTER()
        emit = reporter(answers)
        for name in ("canon", "candidate", "seccomp", "guard"):
            sys.modules.pop(name, None)
        sys.path.remove(HERE)
        sys.argv[:] = [""]
        run, end = candidate.run, os._exit
        run(suite, code, start, stop, limits["outputBytes"], emit)
        end(0)
    finally:
        os._exit(99)


def reporter(answers):
    board, size, write, view, length = BOARD, BOARD_SIZE, os.write, memoryview, len
    place = view(board).cast("Q")
    at = 8

    def emit(line):
        nonlocal at
        end = at + length(line)
        if end <= size:
            board[at:end] = line
            place[0] = at = end
            return
        at = size + 1  # from now on through the pipe, so that the order is kept
        left = view(line)
        while left:
            left = left[write(answers, left) :]

    return emit


def limit(limits):
    def set_limit(which, soft, hard=None):
        try:
            resource.setrlimit(which, (soft, soft if hard is None else hard))
        except (ValueError, OSError):
            pass

    cpu = int(limits["candidateCpuS"]) + 2
    set_limit(resource.RLIMIT_CPU, cpu, cpu + 1)
    set_limit(resource.RLIMIT_AS, limits["memoryMb"] << 20)
    set_limit(resource.RLIMIT_FSIZE, limits["outputBytes"])
    set_limit(resource.RLIMIT_CORE, 0)
    set_limit(resource.RLIMIT_NOFILE, 64)
    # Threads count as processes; the filter forbids the latter, this bounds the former.
    set_limit(resource.RLIMIT_NPROC, 64)


def run_job(suite, job, alone):
    """All inputs of a suite on one program. Returns its lines and the CPU seconds used."""
    limits, budgets = job["limits"], job["budgets"]
    count = len(suite["inputs"])
    results = [None] * count
    apart = suite["mode"] != "call"  # one process a test
    spent, timeouts, ended, index = 0.0, 0, 0, 0
    while index < count:
        if timeouts >= limits["maxTimeouts"] or spent > limits["candidateCpuS"]:
            results[index] = b"t 0 null"
            index += 1
            continue
        stop = index + 1 if apart else count
        begun = index
        attempt = Attempt(suite, job["code"], index, stop, limits)
        try:
            index, how, loaded = watch(attempt, suite, index, stop, budgets, limits, spent, results)
            status = attempt.end(alone)
            if alone:
                clear(FRESH_DIRECTORY)
            if suite["mode"] == "stdin":
                how = finish_stream(attempt, status, begun, how, results, limits)
                index = begun + 1
        finally:
            attempt.close()
        spent += attempt.cpu
        if how == "done":
            continue
        if how == "broken":
            results[begun:] = [MALFORMED] * (count - begun)  # who forges reports has no answers
            break
        if how == "timeout":
            line = b"t %.6f null" % attempt.cpu
            timeouts += 1
        else:
            line = ending(status)
            ended += 1
        if suite["mode"] == "stdin":
            results[begun] = line
        elif not loaded or (ended >= ENDED and how != "timeout"):
            # The program itself does not load, or ends its process again and again: so it would on every input.
            first = begun if apart else index
            results[first:] = [line] * (count - first)
            index = count
        else:
            results[index] = line
            index += 1
    return results, spent


def watch(attempt, suite, index, stop, budgets, limits, spent, results):
    """Waits for an attempt's answers. Returns the next index, how it ended, and whether the program loaded."""
    poller = select.poll()
    handle = -1
    try:
        handle = os.pidfd_open(attempt.pid)
    except (AttributeError, OSError):
        pass
    poller.register(handle if handle >= 0 else attempt.answers, select.POLLIN)
    stream = suite["mode"] == "stdin"
    loaded = stream
    mark, idle, begun = 0.0, 0.0, time.monotonic()  # CPU at the last answer; wall seconds asleep since; of the answer
    last = begun
    try:
        while True:
            over = bool(poller.poll(TICK_MS))
            if over and handle < 0:
                over = os.waitid(os.P_PID, attempt.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
            cpu = attempt.cpu_now()
            for line in attempt.lines():
                parts = line.split(b" ", 3)
                if len(parts) != 4 or parts[1] not in (b"v", b"e", b"m"):
                    return index, "broken", loaded
                expected = -1 if not loaded else index
                if index >= stop or parts[0] != b"%d" % expected:
                    return index, "broken", loaded
                used = seconds(parts[2])
                if len(parts[3]) > limits["outputBytes"] + 5000 or not parts[3].isascii():
                    return index, "broken", loaded
                mark, idle, begun = min(cpu, mark + used), 0.0, time.monotonic()
                if not loaded:
                    loaded = True
                    if parts[1] != b"v":  # the program does not load: so on every input
                        line = (b"l" if parts[1] == b"e" else parts[1]) + b" 0 " + parts[3]
                        results[index:] = [line] * (len(results) - index)
                        return len(results), "done", True
                    continue
                if used > budgets[index]:
                    return index, "timeout", loaded
                results[index] = parts[1] + b" " + parts[2] + b" " + parts[3]
                index += 1
            if over:
                return index, "done" if index >= stop else "ended", loaded
            budget = budgets[index] if loaded and index < stop else max(limits["loadCpuS"], 0)
            now = time.monotonic()
            idle = idle + now - last if attempt.asleep() and cpu - mark < budget else idle
            last = now
            if (
                cpu - mark > budget
                or spent + cpu > limits["candidateCpuS"]
                or idle > max(IDLE_S, budget)
                or now - begun > 30 + 20 * budget
            ):
                return index, "timeout", loaded
    finally:
        if handle >= 0:
            os.close(handle)


def finish_stream(attempt, status, index, how, results, limits):
    """A stdio program's answer is what it printed; one that ends its own process with status 0 is done as well."""
    if how == "timeout" or how == "broken":
        return how
    line = results[index]
    if line is None and not (os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0):
        return "ended"
    if line is None or line.startswith(b"v"):
        if os.fstat(attempt.files[1]).st_size >= limits["outputBytes"]:
            results[index] = b'e %.6f ["OutputLimit","more was printed than the limit of output allows"]' % attempt.cpu
        else:
            text = json.dumps(attempt.output(limits["outputBytes"]))
            results[index] = b"v %.6f %s" % (attempt.cpu, text.encode("ascii"))
    return "done"


def seconds(text):
    try:
        value = float(text)
        return value if 0 <= value < 1e6 else 0.0
    except ValueError:
        return 0.0


def ending(status):
    """The line of a process that ended without an answer."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number == signal.SIGXCPU:
            return b"t 0 null"
        if number == signal.SIGKILL:  # by the kernel's memory killer, or by its own hand
            return b'e 0 ["Killed","the process was killed"]'
        name = signal.Signals(number).name if number in signal.Signals.__members__.values() else str(number)
        return b'e 0 ["Crash","the process died of %s"]' % name.encode("ascii")
    return b'e 0 ["Exit","the process ended with status %d and no answer"]' % os.WEXITSTATUS(status)


def clear(directory):
    """Empties the private scratch directory, so that nothing reaches the next candidate."""
    with os.scandir(directory) as entries:
        names = [entry.path for entry in entries]
    if names:
        import shutil

        for path in names:
            if os.path.isdir(path) and not os.path.islink(path):
                os.chmod(path, 0o700)
                shutil.rmtree(path, ignore_errors=True)
            else:
                os.unlink(path)


def read_exactly(handle, size):
    parts = []
    while size:
        piece = os.read(handle, min(size, 1 << 20))
        if not piece:
            os._exit(0)  # the pool is gone
        parts.append(piece)
        size -= len(piece)
    return b"".join(parts)


def write_all(handle, data):
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def main(kind):
    jobs, answers = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    candidate.open_streams()
    candidate.add_site_builtins()
    suites = {}
    gc.collect()
    gc.freeze()
    gc.disable()  # the server makes no cycles; a collection before a fork would only copy pages
    hello = json.dumps({"python": "%d.%d.%d" % sys.version_info[:3], "seccomp": FILTER is not None}).encode()
    write_all(answers, struct.pack(">I", len(hello)) + hello)
    while True:
        (size,) = struct.unpack(">I", read_exactly(jobs, 4))
        job = json.loads(read_exactly(jobs, size))
        for key in job.get("drop", ()):
            suites.pop(key, None)
        if "suite" in job:
            suites[job["key"]] = candidate.compile_suite(job["suite"])
        lines, cpu = run_job(suites[job["key"]], job, kind == "bwrap")
        body = json.dumps({"id": job["id"], "cpu": cpu}).encode() + b"\n" + b"\n".join(lines)
        write_all(answers, struct.pack(">I", len(body)) + body)


if __name__ == "__main__":
    main(sys.argv[1])
