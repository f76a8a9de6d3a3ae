"""A program on the inputs of its suite: what is known of it so far, and when the rest counts as timeouts. Runs nothing."""

GRACE = 1.5  # times its budget that a test gets, unless `final`: to tell one near the limit from one that never ends


class Run:
    def __init__(self, suite, job):
        self.suite, self.code, self.budgets, self.limits = suite, job["code"], job["budgets"], job["limits"]
        self.provisional = job["provisional"]
        self.given_back = self.unshareable = False  # by shareable.py
        self.id, self.grace, self.first = job["id"], 1.0 if job["final"] else GRACE, job["from"]
        self.start()

    def start(self):
        self.results = [b"t 0 null"] * self.first["input"] + [None] * (len(self.suite["inputs"]) - self.first["input"])
        self.index, self.stop, self.loaded = self.first["input"], len(self.results), self.suite["mode"] == "stdin"
        self.spent, self.charged, self.slow, self.ended = 0.0, 0.0, self.first["timeouts"], 0

    def program(self, start):
        return [self.suite["key"], start, self.stop, self.code, self.budgets, self.provisional]

    def fill(self, first, line):
        self.results[first:] = [line] * (len(self.results) - first)
        self.index = len(self.results)

    def load(self, status, payload):
        """Takes the report on loading; a program that does not load does not load on any input."""
        self.loaded = True
        if status != b"v":
            self.fill(self.index, (b"l" if status == b"e" else status) + b" 0 " + payload)

    def take(self, status, used, text, payload):
        """Takes the answer to the next input."""
        budget = self.budgets[self.index]
        self.charged += used
        if status != b"t" and used > budget:
            status, payload = (b"t" if used >= self.grace * budget else b"n"), b"null"
        self.slow += status in b"tn"
        self.results[self.index] = status + b" " + text + b" " + payload
        self.index += 1

    def late_at(self, cpu):
        """The process was stopped in the next input."""
        self.results[self.index] = b"t %.6f null" % cpu
        self.index += 1
        self.slow += 1

    def stopped(self):
        """Whether the rest counts as timeouts."""
        if self.slow < self.limits["maxTimeouts"] and max(self.spent, self.charged) <= self.limits["candidateCpuS"]:
            return False
        self.fill(self.index, b"t 0 null")
        return True
