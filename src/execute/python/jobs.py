"""The guard's jobs: JSON frames that arrive on a pipe, and the answers to them, as protocol.ts defines them.

A guard that is held up by a program gives back the jobs that it has not begun, so that they do not wait for a slow neighbour while another
guard has nothing to do.
"""
import json
import time

from frames import Frames, write_frame
from packages import Imports
from run import Run
from zygote import can_share

HELD_UP_S = 0.2  # time after which a program, or those that share its process, hold others up: sixteen usual ones take a quarter of it


class Jobs:
    def __init__(self, handle, answers, forks):
        self.frames, self.answers, self.forks, self.suites = Frames(handle), answers, forks, {}
        self.imports = Imports(forks)
        self.begun, self.waiting = 0.0, []

    def next(self, wait):
        """The next program on its suite; None if no job is there and `wait` is false."""
        frame = self.frames.next(wait)
        if frame is None:
            return None
        job = json.loads(frame)
        suite, drop = job.get("suite"), job["drop"]
        if suite or drop:
            self.forks.send(op="suite", key=job["key"], suite=suite, drop=drop)
        for key in drop:
            self.suites.pop(key, None)
        if suite:
            self.suites[job["key"]] = suite
            suite["shareable"] = can_share(suite)
            suite["imports"] = self.imports.before([suite["setup"], *suite["inputs"]], suite["isolate"])
        suite = self.suites[job["key"]]
        return Run(suite, job, self.imports.before([job["code"]], suite["isolate"]) or suite["imports"])

    def begin(self, waiting):
        """Restarts the clock of `keep_moving`. `waiting`: runs that have not begun; giving them back removes them from this list."""
        self.begun, self.waiting = time.monotonic(), waiting

    def keep_moving(self, beside):
        """
        If the current programs have taken too long, gives back `beside`, the waiting runs and the jobs in the pipe. Returns whether it did.
        """
        if time.monotonic() - self.begun < HELD_UP_S:
            return False
        given = [*beside, *self.waiting]
        self.waiting.clear()
        while (run := self.next(False)) is not None:
            given.append(run)
        for run in given:
            run.given_back = True
            self._write(run, {"back": True}, [])
        return True

    def answer(self, run):
        self._write(run, {"cpu": run.spent}, run.results)

    def _write(self, run, head, lines):
        write_frame(self.answers, b"\n".join([json.dumps({"id": run.id, **head}).encode(), *lines]))
