"""Runs the cells of one notebook inside the sandbox.

The cells before the judged one run in the process that holds the state (state.py), the judged one in forks of it.

usage: as guard.py, with the same facts and first frame. CODESCORE_FILES: the folder with the notebook's data files, which are read-only; links
to them are in the folder that cells work in. Files that cells write there are kept for later cells; files that judged cells write are removed.

Each incoming frame is answered, in order:

    {"op": "import", "texts"}             imports modules that texts name, if they are on the early list (packages.py) -> {"status": "v"}
    {"op": "cell", "code", "cpuS", "memoryMb"}    runs a cell for its effects -> {"status": "v" | "e" | "m" | "t", "payload"}; after `t` it ends
    {"op": "run", "code", "names", "seconds", "limits"}    runs a cell in a fork -> a reply as in protocol.ts: lines for what it shows
                                          (cell.py, SHOWN), then for the variables of those names

Knows no expected values, and compares nothing.
"""
import json
import os
import signal
import sys
import tempfile
import time

import guard
import packages
import state
from attempt import Attempt, Forks
from cell import SHOWN
from folder import Folder, links_to, make_folder
from frames import Frames, write_frame
from run import Run

MOST_ANSWERED = 64 << 20  # bytes of everything that a cell reports
MOST_FILES = 10_000  # and MOST_KEPT bytes of them, which the cells before the judged one may leave
MOST_KEPT = 64 << 20
WALL_FACTOR, WALL_S = 4, 30  # wall time of a cell: at most this multiple of its CPU time, plus these seconds
TOO_LARGE = b'e 0 ["AnswerTooLarge","the answers of the cell together exceed the limit"]'


class CellAttempt(Attempt):
    """Kills its process from here: the state may not signal the processes that it forks."""

    def end(self):
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        return super().end()


class StateForks(Forks):
    def __init__(self, shared, folder):
        super().__init__(shared, folder, state.serve)
        self.pid = self.reply()
        self.clock = (~self.pid << 3) | 2  # clock_getcpuclockid(3)

    def wait(self, cpu_s):
        """Whether the state answers within this many CPU seconds. If not, it is killed."""
        began, cpu = time.monotonic(), self._cpu()
        while not self.replies.data and not self.replies.poller.poll(50):
            if self._cpu() - cpu > cpu_s or time.monotonic() - began > WALL_FACTOR * cpu_s + WALL_S:
                os.kill(self.pid, signal.SIGKILL)
                return False
        return True

    def _cpu(self):
        try:
            return time.clock_gettime(self.clock)
        except OSError:
            return 0.0


class Workplace:
    """The folder that cells work in, as the cells before the judged one left it."""

    def __init__(self, folder, files):
        self.folder, self.kept = folder, []
        self.links = links_to(files) if files else {}
        self.restore()

    def restore(self):
        self.folder.clear()
        self.folder.give(self.links)
        path = self.folder.path
        for name, what, mode in self.kept:
            place = os.path.join(path, name)
            if what is None:
                os.mkdir(place, 0o700)
            elif isinstance(what, str):
                if os.path.lexists(place):
                    os.unlink(place)
                os.symlink(what, place)
            else:
                if os.path.lexists(place):
                    os.unlink(place)  # a link to a data file, which a cell had replaced by its own file
                with open(place, "wb") as file:
                    file.write(what)
                os.chmod(place, mode)

    def keep(self):
        """Remembers the contents of the folder. Returns whether they are within the limits."""
        self.kept, left = [], MOST_KEPT
        missing = dict(self.links)
        for top, folders, files in os.walk(self.folder.path):
            for name in folders + files:
                place = os.path.join(top, name)
                inside = os.path.relpath(place, self.folder.path)
                if os.path.islink(place):
                    target = os.readlink(place)
                    if missing.pop(inside, None) != target:
                        self.kept.append((inside, target, 0))
                elif os.path.isdir(place):
                    self.kept.append((inside, None, 0))
                elif os.path.isfile(place):
                    with open(place, "rb") as file:
                        self.kept.append((inside, file.read(left + 1), os.stat(place).st_mode & 0o700))
                    left -= len(self.kept[-1][1])
                if left < 0 or len(self.kept) > MOST_FILES:
                    return False
        self.links = {name: target for name, target in self.links.items() if name not in missing}
        return True


class Nobody:
    """A stand-in for Jobs (jobs.py): nothing waits behind the current run."""

    @staticmethod
    def keep_moving(_beside):
        return False


def main(facts):
    frames, answers, hello, shared, folder = guard.set_up(facts)
    folder = folder or Folder(make_folder(tempfile.gettempdir()), False)
    os.chdir(folder.path)
    shared.filter_of_forks = None
    if shared.filter is not None:
        import seccomp

        shared.filter_of_forks = seccomp.prepare(shared.level, forks=True)
    forks = StateForks(shared, folder)
    place = Workplace(folder, packages.FILES)
    roots = packages.roots() if packages.FOLDERS else set()
    write_frame(answers, json.dumps(hello).encode())
    frames = Frames(frames)
    while True:
        job = json.loads(frames.next(True))
        if job["op"] == "run":
            answer = run(job, forks, roots)
            place.restore()
        else:
            answer = json.dumps(prepare(job, forks, place)).encode()
        write_frame(answers, answer)
        if not forks.pid:
            sys.exit(0)


def prepare(job, forks, place):
    """Lets the state import modules or run a cell."""
    if job["op"] == "import":
        early = set().union(*map(packages.named, job["texts"])) & packages.EARLY
        forks.send(op="import", names=sorted(early | {"numpy"}) if packages.FOLDERS else [])
    else:
        forks.send(op="cell", code=job["code"], memoryMb=job["memoryMb"])
    if not forks.wait(job["cpuS"]):
        forks.pid = None
        return {"status": "t", "payload": None}
    reply = forks.reply()
    if not place.keep():
        return {"status": "e", "payload": ["FileLimit", "the notebook's cells write more files than the limit allows"]}
    return reply


def run(job, forks, roots):
    """Runs the judged cell in a fork of the state."""
    names, code = job["names"], job["code"]
    suite = {"mode": "cell", "key": names, "inputs": [*SHOWN, *names]}
    imports = any(name.partition(".")[0] in roots for name in packages.named(code))
    given = {"budgets": [job["seconds"]] * len(suite["inputs"]), "provisional": False, "alone": False, "final": True}
    attempt = Run(suite, {"id": 0, "code": code, "limits": job["limits"], "from": {"input": 0, "timeouts": 0}, **given}, imports)
    guard.run_alone(attempt, forks, Nobody, CellAttempt)
    if attempt.bytes > MOST_ANSWERED:
        attempt.fill(0, TOO_LARGE)
    return b"\n".join([json.dumps({"id": 0, "cpu": attempt.spent}).encode(), *attempt.results])


if __name__ == "__main__":
    main(sys.argv[1:])
