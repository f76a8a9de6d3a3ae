"""Follows a forked process through its programs, until it has answered or one of them must stop. Runs and kills nothing."""
import time

DONE = "done"  # all runs are complete, or the current one must stop
LATE = "late"  # the current run has used up its time
CROWDED = "crowded"  # the current run has made too many files
THREADED = "threaded"  # the current run has started too many threads
ENDED = "ended"  # the process ended without an answer
BROKEN = "broken"  # the process sent an invalid report

TICK_MS = 10
BUSY_S = 0.004  # a process that used this much CPU since the last look is not asleep
WALL_S = 30  # wall seconds of one test regardless of its CPU time; twenty times its budget are added
MORE_BYTES = 5000  # a payload may be this much longer than an answer: names of types
ERROR_BYTES = 10_000  # of class and message, escaped; an error on loading is copied to every test
MOST_ANSWERS = 110  # limit of everything a program reports, as a multiple of one answer's; candidate.py stops a little before


class Supervisor:
    """
    `runs` (run.py) are in the process one after another; the current one is loading or at one of its inputs. If they run
    `together`, a run that is not shareable is skipped, and only the budgets of single tests count.
    """

    def __init__(self, process, runs, jobs, together):
        self.process, self.runs, self.jobs, self.together = process, runs, jobs, together
        self.count, self.place, self.rehearsed = len(runs), 0, None
        self.marked = 0.0  # CPU seconds of the process at its last answer
        self.answered = self.looked = time.monotonic()
        self.cpu, self.asleep = 0.0, 0.0  # CPU seconds at the last look; wall seconds asleep since the last answer

    def follow(self):
        """Follows the process to its end. Returns the number of complete runs and how it ended."""
        wait, end = TICK_MS, None
        while end is None:
            gone = self.process.wait(wait)
            cpu = self.process.cpu_now()
            end = self._read(cpu) or (ENDED if gone else None) or self.process.overdoes()
            if end is None:
                if self.jobs.keep_moving(self.runs[self.place + 1 :]):
                    self.runs = self.runs[: self.place + 1]
                left = self._time_left(cpu)
                if left is None:
                    end = LATE
                else:
                    wait = min(TICK_MS, 1 + int(1000 * max(0.0, left)))
        return self.place, end

    def _read(self, cpu):
        """Takes the reports that have arrived. Returns how it ended, if a report ends it."""
        lines = self.process.lines()
        if lines:
            self.asleep, self.answered = 0.0, time.monotonic()
        for line in lines:
            end = self._take(line, cpu)
            if end is not None:
                return end
        if self.process.chokes():
            return BROKEN
        return DONE if self.place == len(self.runs) else None

    def _take(self, line, cpu):
        """Takes one report. It must be the next one of the current run, otherwise it is invalid."""
        if self.place == len(self.runs):
            return DONE if len(self.runs) < self.count else BROKEN  # the process has reached the next run, which was given back
        run, parts = self.runs[self.place], line.split(b" ", 3)
        if len(parts) != 4:
            return BROKEN
        number, status, text, payload = parts
        if len(payload) > (run.limits["outputBytes"] + MORE_BYTES if status == b"v" else ERROR_BYTES):
            return BROKEN
        if number != (b"%d" % run.index if run.loaded else b"-1") or not payload.isascii():
            return BROKEN
        used = seconds(text)
        self.marked = min(cpu, self.marked + used)
        run.bytes += len(payload)
        if run.bytes > MOST_ANSWERS * run.limits["outputBytes"]:
            return BROKEN
        if self.together and status == b"m":
            return ENDED  # the memory of the other programs may have caused this
        if run.loaded:
            return self._answered(run, status, used, payload)
        return self._loaded(run, status, payload)

    def _loaded(self, run, status, payload):
        """Takes the report on loading."""
        if self.together and status == b"x":
            run.unshareable = True
            self.place += 1
            return None
        if status not in (b"v", b"e", b"m"):
            return BROKEN
        run.load(status, payload)
        return self._go_on(run)

    def _answered(self, run, status, used, payload):
        """Takes the report on an input."""
        if status == b"r" and self.rehearsed != (self.place, run.index):
            self.rehearsed = self.place, run.index  # once per test (memoize.py); its time does not count for the test
            return None
        if status not in (b"v", b"e", b"m", b"t"):
            return BROKEN
        run.take(status, used, payload)
        return DONE if run.stopped() else self._go_on(run)

    def _go_on(self, run):
        """Moves on to the next run if this one is complete."""
        if run.index >= run.stop:
            self.place += 1

    def _time_left(self, cpu):
        """CPU seconds that the current run may still use before it must answer; None if its time is up, asleep or awake."""
        run, now = self.runs[self.place], time.monotonic()
        budget, used = run.grace * budget_of(run), cpu - self.marked
        if used < budget and cpu - self.cpu < BUSY_S and self.process.idle():
            self.asleep += now - self.looked
            run.asleep += now - self.looked
        self.looked, self.cpu = now, cpu
        if used > budget or self.asleep > max(run.idle_s, budget) or run.sleeps_on() or now - self.answered > WALL_S + 20 * budget:
            return None
        if not self.together and run.spent + cpu > run.limits["candidateCpuS"]:
            return None
        return budget - used


def budget_of(run):
    return run.budgets[run.index] if run.loaded and run.index < run.stop else run.limits["loadCpuS"]


def seconds(text):
    try:
        value = float(text)
        return value if 0 <= value < 1e6 else 0.0
    except ValueError:
        return 0.0
