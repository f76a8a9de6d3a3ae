"""Runs test code in which the calls of the program are replaced: first by a stand-in that agrees with everything, to find the
inputs of calls in loops; later by a candidate's answers, to judge them. Never sees a candidate's code.
"""
import builtins
import math
import os
import random
import time
import _signal as signal  # `signal` turns the numbers into enumeration members, in every call

try:
    import resource
except ImportError:  # in WebAssembly, where host.mjs sets the limits
    resource = None

from canon import AnswerTooLarge
from plain import Foreign, NotPlain, decode, source
from testcode import ANSWER, CALL

MAX_CALLS = 10_000
SECONDS = 5  # of CPU for a test's own code while inputs are collected
JUDGING = 2  # of CPU when it judges a candidate's answers
HARD_SECONDS = 1  # added for loops in C, which no signal handler interrupts: after these the process ends
MEMORY = 512 << 20  # bytes that it may add


class Opaque(BaseException):
    """The test cannot be judged on plain answers. A BaseException, so that the test's own `except Exception` does not catch it."""


class CpuLimit(BaseException):
    pass


class limited:
    """
    Limits CPU time and memory of test code if the platform can: test files cannot always be trusted, and they work on a candidate's
    answers. Raises CpuLimit and MemoryError.
    """

    def __init__(self, seconds=SECONDS):
        self.seconds = seconds

    def __enter__(self):
        if resource is not None:
            _limit(resource.RLIMIT_CPU, math.ceil(time.process_time()) + self.seconds + HARD_SECONDS)
            _limit(resource.RLIMIT_AS, _address_space() + MEMORY)
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGVTALRM, _stop)
            signal.setitimer(signal.ITIMER_VIRTUAL, self.seconds)

    def __exit__(self, *_):
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        if resource is not None:
            _limit(resource.RLIMIT_AS, resource.RLIM_INFINITY)
            _limit(resource.RLIMIT_CPU, resource.RLIM_INFINITY)  # reading the next request is not limited


def _limit(which, most):
    hard = resource.getrlimit(which)[1]
    try:
        resource.setrlimit(which, (most if hard == resource.RLIM_INFINITY else hard if most == resource.RLIM_INFINITY else min(most, hard), hard))
    except (ValueError, OSError):
        pass


def _address_space():
    """Bytes of address space that this process uses. If that is unknown, MEMORY, which is a small amount."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return MEMORY


def _stop(*_):
    raise CpuLimit()


class Agreeable:
    """Stands for an unknown answer while inputs are collected: every operation works, every comparison holds (`truth`)."""

    truth = True

    def _self(self, *_args, **_named):
        return self

    def _truth(self, *_args):
        return self.truth

    __getattr__ = __call__ = __getitem__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _self
    __truediv__ = __rtruediv__ = __floordiv__ = __mod__ = __pow__ = __neg__ = __abs__ = __round__ = __and__ = _self
    __or__ = __xor__ = __invert__ = _self
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __bool__ = _truth

    def __hash__(self):
        return 0

    def __iter__(self):
        return iter(())

    def __len__(self):
        return 0

    def __int__(self):
        return 0

    __index__ = __int__

    def __float__(self):
        return 0.0


class Disagreeable(Agreeable):
    """The same, but no comparison holds."""

    truth = False


class Unit:
    """Statements with calls replaced, and the inputs (indices into the suite) whose answers they need, in order."""

    def __init__(self, code, static, dynamic, guarded):
        self.code, self.static, self.dynamic, self.guarded = code, static, dynamic, guarded

    def judge(self, space, inputs, answers):
        """
        Judges answers: `pass`, `fail`, `timeout`, `memory` or [exception class, message]; `opaque` if these answers do not suffice: the
        test needs the objects themselves, or makes calls that the answers do not belong to.

        An answer is canonical text, or [exception class, message, its built-in base] if the candidate raised.
        """
        static = answers[: len(self.static)]
        dynamic = iter(zip(self.dynamic, answers[len(self.static) :]))

        def call(_site, *args, **named):
            given = _given(args, named)
            index, text = next(dynamic, (None, None))
            if index is None or inputs[index] != given:
                raise Opaque("the calls depend on the answers")
            return _value(text)

        try:
            with limited(JUDGING):
                _run(self.code, space, lambda index: _value(static[index]), call)
        except AssertionError:
            return "fail"
        except (Opaque, NotPlain):
            return "opaque"
        except CpuLimit:
            return "timeout"
        except MemoryError:
            return "memory"
        except BaseException as error:
            return [type(error).__name__, _message(error)]
        return "pass"


def _message(error):
    try:
        return str(error)[:500]
    except (Exception, NotPlain):  # the message shows an answer, as a KeyError shows its key
        return ""


_IMMUTABLE = frozenset((type(None), bool, int, float, complex, str, bytes, range, Agreeable, Disagreeable, Foreign))


def collect(code, space, sites, outside):
    """Argument sources of the calls in loops, in the order in which the code makes them. Raises Opaque if they depend on the answers."""
    calls = _collect(code, space, sites, outside, Agreeable)
    others = _collect(code, space, sites, outside, Disagreeable)
    if others != calls[: len(others)]:  # a test may end early, but not make other calls
        raise Opaque("the calls depend on the answers")
    return calls


def _collect(code, space, sites, outside, stand_for):
    calls = []

    def stand_in(number, *args, **named):
        if len(calls) >= MAX_CALLS:
            raise Opaque("too many calls")
        names, fresh = sites[number]
        for place, value in enumerate([*args, *named.values()] if names & outside else ()):
            # The list, set, tuple or dict that a display makes is new in each call, but its members are not.
            inside = place < len(fresh) and fresh[place] and type(value) in (list, set, tuple, dict)
            for item in [*value, *(value.values() if type(value) is dict else ())] if inside else [value]:
                if type(item) not in _IMMUTABLE:
                    raise Opaque("an argument is used again after the call, which may have changed it")
        calls.append(_given(args, named))
        return stand_for()

    try:
        _run(code, space, lambda _index: stand_for(), stand_in)
    except (Opaque, NotPlain, AnswerTooLarge, RecursionError):
        raise
    except Exception as error:
        raise Opaque(str(error)) from None
    return calls


def _run(code, space, answer, call):
    random.seed(0)
    exec(code, {**space, ANSWER: answer, CALL: call})


def _given(args, named):
    return ", ".join([source(a) for a in args] + ["%s=%s" % (k, source(v)) for k, v in named.items()])


def _value(text):
    if isinstance(text, str):
        return decode(text)
    name, message, base = text
    kind = getattr(builtins, base, None)
    if not (isinstance(kind, type) and issubclass(kind, BaseException)):
        kind = Exception
    raise _exception(name, message, base, kind)


# Arguments of exceptions that need more than a message: UnicodeDecodeError and similar ones, ExceptionGroup.
_OTHER_ARGUMENTS = (("utf-8", b"", 0, 0, ""), ("utf-8", "", 0, 0, ""), ("", 0, 0, ""), ("", [Exception()]))


def _exception(name, message, base, kind):
    """An exception with a candidate's text: of the built-in class `kind`, or if the candidate's class was another, of a subclass with its name."""
    try:
        return (kind if name == base else type(name, (kind,), {}))(message)
    except TypeError:
        pass
    shown = type(name, (kind,), {"__str__": lambda _self: message})
    for arguments in _OTHER_ARGUMENTS:
        try:
            return shown(*arguments)
        except TypeError:
            continue
    return Exception(message)
