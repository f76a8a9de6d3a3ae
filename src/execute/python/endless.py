"""Detects endless loops before their time is up. Most tests that time out never leave a loop like `while n != 0: n = n // 10`, for n = -1.

In a shareable program (shareable.py) without state, how a `while` loop continues depends only on the place in it and on the values of the
function's variables. So if it reaches a place a second time with the same values, without having been left, it never ends.
A timer of CPU time looks at a test that takes long: it traces a few hundred lines of the running loops, and compares. Variables that a loop
only adds to, appends to or returns need not be equal. Values are compared if they are plain, small and of known order. If there are
others, nothing is decided, and the test runs until its time is up. The same holds if what a loop adds might fill the memory first.
"""
import signal
import sys

from loops import loops_of, may_be_watched
from timer import set_timer

try:
    import resource
except ImportError:  # in WebAssembly, where it is unknown how much memory is left
    resource = None

TICK_S = 0.004  # of CPU time
LOOKS = (2, 6, 12)  # ticks of a test at which a look begins
OUTERMOST = 6  # at this one, only the outermost loop is watched: the functions that it calls may have loops that end
EVENTS = 400  # traced lines and calls per look
EVENT_VALUES = 2000  # values compared per look: two milliseconds, including the events
MOST_VALUES, LONGEST, LARGEST = 400, 4000, 2**256
GRACE = 1.5  # a test may run for this multiple of its budget (run.py)
APPEND_S, SLOT_BYTES, OBJECT_BYTES = 25e-9, 9, 64  # minimum time of an append; size of an entry, and of a small object made for it
CHARACTER_BYTES = 8  # of a text that is copied when it gets longer
ROOM, SHORT = 0.75, 8  # the share of the memory left that may be filled; characters of a small object


class Endless(BaseException):
    """The test is in a loop that never ends."""


class Unlike(Exception):
    """Values that are not compared."""


class Watch:
    """Watches one program at a time and raises Endless in it. Set `ticks` to 0 before each test."""

    Endless = Endless

    def __init__(self):
        self.tree, self.loops, self.space, self.ticks, self.left, self.values, self.budget = None, {}, None, 0, 0, 0, 0.0

    def takes(self, tree, text, budgets):
        """Whether the loops of a shareable program may be watched. `budgets`: CPU seconds of its tests; empty if it must run unwatched."""
        self.tree, self.loops, self.budget = tree, None, max(budgets, default=0.0)
        return self.budget >= TICK_S * LOOKS[0] and may_be_watched(tree, text)

    def begin(self, space):
        self.space = space
        signal.signal(signal.SIGVTALRM, self._tick)
        set_timer(TICK_S)

    def end(self):
        set_timer(0)
        sys.settrace(None)
        self.tree = self.space = None

    def _tick(self, _signal, frame):
        if self.space is None:
            return
        self.ticks += 1
        if self.ticks not in LOOKS:
            return
        if self.loops is None:  # few programs run until the first look
            try:
                self.loops = loops_of(self.tree)
            except Exception:  # the program may have left too little memory
                self.loops = {}
        watched = []
        while frame is not None:
            if frame.f_globals is self.space:
                line, code = frame.f_lineno or 0, frame.f_code
                loops = self.loops.get((code.co_name, code.co_firstlineno), ())
                loops = [(loop, {}) for loop in loops if loop.first <= line <= loop.last]
                frame.f_trace = None
                if loops:
                    watched.append((frame, loops))
            frame = frame.f_back
        for frame, loops in watched[-1:] if self.ticks == OUTERMOST else watched:
            frame.f_trace = self._tracer(loops)
        if watched:
            self.left, self.values = EVENTS, EVENT_VALUES
            sys.settrace(self._called)

    def _called(self, _frame, _event, _what):
        self.left -= 1
        if self.left < 0:
            sys.settrace(None)

    def _tracer(self, loops):
        def trace(frame, event, what):
            self._called(frame, event, what)
            line = frame.f_lineno
            for loop, seen in loops if event == "line" else ():
                if not loop.first <= line <= loop.last:
                    seen.clear()
                elif line in loop.places:
                    try:
                        variables = frame.f_locals
                        values, self.values = _state(variables, loop.grown, self.values)
                        state, texts = (frame.f_lasti, values), _characters(variables, loop.added)
                        filled = [variables[name] for name in loop.filled if name in variables]
                        again = state in seen and self._has_room(filled, texts - seen[state])
                    except Exception:  # Unlike, or any other: a look must not end a program
                        sys.settrace(None)
                        return None
                    if again:
                        sys.settrace(None)
                        raise Endless
                    seen[state] = texts
            return trace

        return trace

    def _has_room(self, filled, characters):
        """
        Whether there is memory for everything that a loop may add until its time is up, if lists get one more entry at a time, and texts so many
        `characters`.
        """
        size = max([_entry_bytes(value) for value in filled], default=0) + CHARACTER_BYTES * characters
        if size == 0 or resource is None:
            return size == 0
        limit, _ = resource.getrlimit(resource.RLIMIT_AS)
        with open("/proc/self/statm", "rb") as file:
            used = int(file.read().split()[0]) * resource.getpagesize()
        return limit == resource.RLIM_INFINITY or size * GRACE * self.budget / APPEND_S < ROOM * (limit - used)


def _characters(variables, added):
    """The length of all texts among the variables that a loop adds to. Raises Unlike if one of these is neither a text nor a number."""
    count = 0
    for name in added:
        value = variables.get(name, 0)
        kind = type(value)
        if kind is str:
            count += len(value)
        elif kind is not int and kind is not float:
            raise Unlike
    return count


def _entry_bytes(filled):
    """Bytes that one more entry of a list takes, judged by its last entries. Raises Unlike unless it is a list of small values."""
    if type(filled) is not list:
        raise Unlike
    last = filled[-EVENTS:]
    for value in last:
        kind = type(value)
        small = (kind is int and -LARGEST < value < LARGEST) or (kind is str and len(value) <= SHORT)
        if not (small or value is None or kind is bool or kind is float):
            raise Unlike
    kept = all([value is None or (type(value) is int and -5 <= value <= 256) or type(value) is bool for value in last])
    return SLOT_BYTES + (0 if kept else OBJECT_BYTES)


def _state(variables, grown, most):
    """The values of a function's variables, such that equal states continue alike, and how many of the `most` values to compare are left."""
    numbers, left = {}, min(MOST_VALUES, most)
    first = left

    def of(value):
        nonlocal left
        left -= 1
        kind = type(value)
        if left < 0:
            raise Unlike
        if kind is int or kind is bool:
            if not -LARGEST < value < LARGEST:
                raise Unlike
            return kind, value
        if kind is float:
            if value != value:
                raise Unlike
            return kind, value.hex()  # tells 0.0 from -0.0
        if kind is str or kind is bytes:
            if len(value) > LONGEST:
                raise Unlike
            left -= len(value) >> 6
            return kind, value
        if value is None:
            return None
        if kind is tuple or kind is list or kind is dict:
            if len(value) > left:
                raise Unlike
            if kind is tuple:
                return kind, tuple([of(item) for item in value])
            if id(value) in numbers:  # the same object again
                return kind, numbers[id(value)]
            number = numbers[id(value)] = len(numbers)
            items = value if kind is list else [part for item in value.items() for part in item]
            return kind, number, tuple([of(item) for item in items])
        raise Unlike

    values = tuple([(name, of(value)) for name, value in variables.items() if name not in grown])
    return values, most - (first - left)
