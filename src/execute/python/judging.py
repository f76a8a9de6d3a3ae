"""Runs test code whose calls of the program are replaced: by a stand-in that agrees with everything, to find out the
inputs of calls in loops, and later by a candidate's answers, to judge. Never sees a candidate's code.
"""
import builtins
import random
import _signal as signal  # `signal` makes enumeration members of the numbers, in every call

from canon import AnswerTooLarge
from plain import Foreign, NotPlain, decode, source
from testcode import ANSWER, CALL

MAX_CALLS = 10_000
SECONDS = 5  # of CPU for one test's own code


class Opaque(Exception):
    """The test cannot be judged on plain answers."""


class CpuLimit(BaseException):
    pass


class limited:
    """Bounds the CPU time of test code where the platform can (test files are not always to be trusted either)."""

    def __enter__(self):
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGVTALRM, _stop)
            signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)

    def __exit__(self, *_):
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _stop(*_):
    raise CpuLimit()


class Agreeable:
    """Stands for an unknown answer while inputs are collected: every operation works, every comparison holds."""

    def _self(self, *_args, **_named):
        return self

    def _true(self, *_args):
        return True

    __getattr__ = __call__ = __getitem__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _self
    __truediv__ = __rtruediv__ = __floordiv__ = __mod__ = __pow__ = __neg__ = __abs__ = __round__ = __and__ = _self
    __or__ = __xor__ = __invert__ = _self
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __bool__ = _true

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


class Unit:
    """Statements with calls replaced, and the inputs (places in the suite) whose answers they need, in order."""

    def __init__(self, code, static, dynamic, guarded):
        self.code, self.static, self.dynamic, self.guarded = code, static, dynamic, guarded

    def judge(self, space, inputs, answers):
        """`pass`, `fail`, `opaque` (must run whole) or [exception class, message] on answer texts.

        An answer is canonical text, or [exception class, message] where the candidate raised.
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
            with limited():
                _run(self.code, space, lambda index: _value(static[index]), call)
        except AssertionError:
            return "fail"
        except (Opaque, NotPlain):
            return "opaque"
        except (Exception, CpuLimit) as error:
            return [type(error).__name__, str(error)[:500]]
        return "pass"


_IMMUTABLE = frozenset((type(None), bool, int, float, complex, str, bytes, range, Agreeable, Foreign))


def collect(code, space, sites, outside):
    """Argument sources of the calls in loops, in the order in which the code makes them."""
    calls = []

    def stand_in(number, *args, **named):
        if len(calls) >= MAX_CALLS:
            raise Opaque("too many calls")
        names, fresh = sites[number]
        for place, value in enumerate([*args, *named.values()] if names & outside else ()):
            # A display is new in each call, its members are not.
            inside = place < len(fresh) and fresh[place] and type(value) in (list, set, tuple, dict)
            for item in [*value, *(value.values() if type(value) is dict else ())] if inside else [value]:
                if type(item) not in _IMMUTABLE:
                    raise Opaque("an argument is used again after the call, which may have changed it")
        calls.append(_given(args, named))
        return Agreeable()

    try:
        _run(code, space, lambda _index: Agreeable(), stand_in)
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
    kind = getattr(builtins, text[0], None)
    if not (isinstance(kind, type) and issubclass(kind, Exception)):
        raise Opaque("an exception of the program's own")
    raise kind(text[1])
