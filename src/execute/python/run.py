"""One run of a program on the inputs of its suite: what is known of it so far, and when the rest counts as timeouts. Runs nothing itself."""

ASLEEP_S = 3.0  # wall seconds that a program may be asleep in all tests together, or its largest budget if that is more
IDLE_S = 1.0  # wall seconds asleep after which a test will not wake up, or its budget if that is more
PATIENT = 10  # factor of both for tests that come as a script, which wait for what they start
BRIEF_S = 0.5  # a look at a loop that may be endless (endless.py) takes milliseconds, which only matters for smaller budgets
GRACE = 1.5  # a test gets this multiple of its budget, unless `final`, to tell one near the limit from one that never ends


IMPORT_CPU_S = 10  # added to the time for loading a program that imports packages: some are not imported early (packages.py)


class Run:
    """`imports`: whether the program or its tests import packages of the environment."""

    def __init__(self, suite, job, imports):
        self.suite, self.code, self.budgets, self.limits = suite, job["code"], job["budgets"], job["limits"]
        self.patience = PATIENT if self.suite["mode"] == "script" else 1
        if imports:
            self.limits = {**self.limits, "loadCpuS": self.limits["loadCpuS"] + IMPORT_CPU_S}
        self.provisional, self.alone = job["provisional"], job["alone"]
        self.given_back = self.unshareable = False  # the latter: found by shareable.py
        self.id, self.grace, self.first = job["id"], 1.0 if job["final"] else GRACE, job["from"]
        self.start()

    def start(self):
        self.results = [b"t 0 null"] * self.first["input"] + [None] * (len(self.suite["inputs"]) - self.first["input"])
        self.index, self.stop, self.loaded = self.first["input"], len(self.results), self.suite["mode"] == "stdin"
        self.spent, self.charged, self.slow, self.ended, self.asleep = 0.0, 0.0, self.first["timeouts"], 0, 0.0
        self.bytes = self.printed = 0  # of all payloads; of all texts that stdio programs printed
        self.stopped()  # the inputs before may already have had too many timeouts

    def program(self, start):
        """What a process is told of this run. Without budgets the program runs without shortcuts: so it does alone, if its budgets are brief."""
        plain = self.alone and max(self.budgets, default=0) < BRIEF_S
        return [self.suite["key"], start, self.stop, self.code, [] if plain else self.budgets, self.provisional]

    def fill(self, first, line):
        self.results[first:] = [line] * (len(self.results) - first)
        self.index = len(self.results)

    def load(self, status, payload):
        """Takes the report on loading. A program that does not load fails on every input."""
        self.loaded = True
        if status != b"v":
            self.fill(self.index, (b"l" if status == b"e" else status) + b" 0 " + payload)

    def take(self, status, used, payload):
        """Takes the answer to the next input."""
        budget = self.budgets[self.index]
        if status != b"t" and used > budget:
            status, payload = (b"t" if used >= self.grace * budget else b"n"), b"null"
        self.charged += self.grace * budget if status == b"t" else used  # it would have run until it was stopped
        self.slow += status in b"tn"
        self.results[self.index] = b"%s %.6f %s" % (status, used, payload)  # the time as it was parsed, not as the program wrote it
        self.index += 1

    def late_at(self, cpu):
        """Records that the process was stopped in the next input."""
        self.results[self.index] = b"t %.6f null" % cpu
        self.index += 1
        self.slow += 1

    @property
    def idle_s(self):
        """Wall seconds that a test may be asleep, or its budget if that is more."""
        return IDLE_S * self.patience

    def sleeps_on(self):
        """Whether the program has been asleep for so long that it only holds others up."""
        return self.asleep > max(ASLEEP_S * self.patience, *self.budgets)

    def stopped(self):
        """Whether the rest counts as timeouts."""
        in_time = self.slow < self.limits["maxTimeouts"] and max(self.spent, self.charged) <= self.limits["candidateCpuS"]
        if in_time and not self.sleeps_on():
            return False
        self.fill(self.index, b"t 0 null")
        return True
