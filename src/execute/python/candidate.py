"""Runs programs on their inputs, in the process (or WebAssembly interpreter) set aside for them.

Knows inputs only. Reports one line per input: `index status cpu payload`. Status `v` (payload: canonical value), `e` (payload: [exception
class, message, built-in base class]), `m` (out of memory), `t` (it would never end); `r` before the answer to a rehearsed test (memoize.py).
Loading is reported with index -1. Does not limit or judge anything: guard.py and the trusted side do.
"""
import atexit
import builtins
import gc
import io
import random
import sys
import types

# As globals of this module: code that runs after a candidate must not look these up among the built-ins, which the candidate may have patched.
from builtins import BaseException, Exception, MemoryError, RecursionError, SystemExit, compile, eval, exec, range, slice, str, tuple, type
from time import process_time

from _json import encode_basestring_ascii as quote
from canon import encode
from imports import import_later
from suites import TESTS
from timer import thread_time

LOADING = -1  # the index of the report on loading
MAX_NAME, MAX_MESSAGE = 100, 500
MOST_ANSWERS = 100  # limit of all answers of a program, as a multiple of the limit of one answer
BUILT_IN = [kind for kind in vars(builtins).values() if type(kind) is type and issubclass(kind, BaseException)]
RESERVE = 1 << 18  # bytes that are freed to report that memory has run out: the program's globals keep what they hold
UNCOLLECTED = 8  # collect garbage after so many programs of a process: little is left once their variables are dropped
YOUNG = 20_000  # new objects that trigger a collection if programs share a process: trees and answers have few cycles


class Program:
    """
    A program's text and its inputs: start..stop-1 of a compiled suite, each with a budget of CPU seconds (`provisional`: the first input
    that needs more ends the program). If it need not be `alone`: its syntax `tree`, if it has one; `memoizer`, which takes its code object and
    returns what makes a Memo of its namespace (memoize.py); `watch`, which ends its endless loops (endless.py).
    """

    def __init__(self, suite, start, stop, text, budgets=(), provisional=False):
        self.suite, self.start, self.stop, self.text = suite, start, stop, text
        self.budgets, self.provisional = budgets, provisional
        self.alone, self.tree, self.memoizer, self.watch = True, None, None, None

    def compiled(self):
        try:
            return compile(self.text if self.tree is None else self.tree, "<candidate>", "exec", dont_inherit=True)
        except RecursionError:  # a syntax tree may nest less deeply than text
            return compile(self.text, "<candidate>", "exec", dont_inherit=True)


def run_all(programs, limit, emit, analyse, together):
    """
    Runs Programs one after another. An answer may have `limit` characters. `emit(bytes)` gets each line as soon as it is known. `analyse` adds
    to a program what only shareable ones have. If several run `together`, those that are not shareable are only reported: `-1 x 0 null`.
    """
    collect, clean, report = gc.collect, _cleaner() if together else None, None
    if together:
        gc.set_threshold(YOUNG, 20, 20)
    programs.reverse()
    while programs:
        program = programs.pop()
        analyse(program)
        if together and program.alone:
            emit(b"-1 x 0 null\n")
            continue
        report = report or reporter(emit, process_time if program.alone else thread_time)
        loaded = load(program, report)  # called at the same depth as `answer`, so that a program has the same stack in both
        if loaded:
            answer(program, *loaded, limit, report)
        if together:
            program = loaded = None
            clean()
            if len(programs) % UNCOLLECTED == 0:
                collect()


def _cleaner():
    """
    A function that drops a program's objects: its global variables, which its functions refer to, and what modules keep: the program's modules,
    compiled patterns, parameters of types.
    """
    import re
    import typing

    purge, cleanups, modules = re.purge, list(typing._cleanups), sys.modules
    main = modules["__main__"]

    def clean():
        for name in ("candidate", "__main__"):  # a stdin program has the second name
            module = modules.pop(name, main)
            if module is not main:
                module.__dict__.clear()
        modules["__main__"] = main
        purge()
        for forget in cleanups:
            forget()

    return clean


def reporter(emit, clock):
    """
    A function that reports on an input, with the CPU seconds since the previous report, or with `charge` instead. The clock of a process
    with a limit of CPU time moves in ticks: some inputs would seem to take milliseconds. Threads have exact clocks.
    """
    line, began = "%d %s %.6f %s\n", clock()

    def report(index, status, payload, charge=None):
        nonlocal began
        now = clock()
        emit((line % (index, status, now - began if charge is None else charge, payload)).encode("ascii"))
        began = now

    return report


def load(program, report):
    """
    Runs the program itself; for a stdio program that is all. Returns its namespace and its Memo, if any; None if there is nothing to call.
    """
    stdin, setup = program.suite["mode"] == "stdin", program.suite["setup"]
    index = program.start if stdin else LOADING
    space = _namespace("__main__" if stdin else "candidate")
    reserve = bytes(RESERVE)
    try:
        code = program.compiled()
        if program.alone and not stdin:
            import_later(program.text)
        random.seed(0)
        memo_of = program.memoizer(code) if program.memoizer else None
        late = _try_setup(setup, space)
        exec(code, space)
        if late:
            exec(setup, space)
        if stdin:
            _finish()
            report(index, "v", "null")
            return None
        memo = memo_of(space) if memo_of else None
    except MemoryError:
        reserve = None
        report(index, "m", "null")
        return None
    except BaseException as error:
        if stdin:
            _finish()
        if stdin and type(error) is SystemExit and error.code in (None, 0):
            report(index, "v", "null")
        else:
            report(index, "e", describe(error))
        return None
    report(index, "v", "null")
    return space, memo


def answer(program, space, memo, limit, report):
    """Runs a loaded program on its inputs. If `memo` knows the answer and its time, the input is charged for and not run."""
    inputs, watch, is_test = program.suite["inputs"], program.watch, program.suite["mode"] in TESTS
    left = MOST_ANSWERS * limit
    endless = watch.Endless if watch else ()
    if watch:
        watch.begin(space)
    reserve = done = None
    for index in range(program.start, program.stop):
        if watch:
            watch.ticks = 0
        try:
            if reserve is None:
                reserve = bytes(RESERVE)
            source = inputs[index]
            if _is_exception(source):
                raise source
            known = memo.answer(source) if memo else None
            charge = memo.charge(known[1], index) if known else None
            if charge is not None:
                report(index, "v", encode(known[0], limit), charge)
                continue
            if memo:
                report(index, "r", "null")
            if type(source) is tuple:
                file, source = source
                if file is not done:  # once for all of its tests, as unittest does
                    exec(file, space)
                    done = file
            value = exec(source, space) if is_test else eval(source, space)
            text = encode(value, limit if limit < left else left)
            left -= length(text)
            if known and encode(known[0], limit) != text:
                memo = None
            value = None
            report(index, "v", text)
        except MemoryError:
            value = text = reserve = None
            report(index, "m", "null")
        except endless:
            value = text = None
            report(index, "t", "null")
        except BaseException as error:
            value = text = None
            report(index, "e", describe(error))
    if watch:
        watch.end()


def _namespace(name):
    """The namespace of a new module with this name."""
    module = sys.modules[name] = types.ModuleType(name)
    module.__dict__["__builtins__"] = builtins
    return module.__dict__


def _try_setup(setup, space):
    """Runs the setup before the program. Returns True if it must run after the program, because it uses what the program defines."""
    if setup is None:
        return False
    if isinstance(setup, Exception):
        raise setup
    try:
        exec(setup, space)
        return False
    except Exception:
        return True


def _finish():
    """Ends a program as Python does: joins its threads except daemons (many answer from one with a larger stack), then runs `atexit`."""
    threading = sys.modules.get("threading")
    if threading is not None:
        for thread in threading.enumerate():
            if thread is not threading.current_thread() and not thread.daemon:
                thread.join()
    try:
        atexit._run_exitfuncs()
    except BaseException:
        pass
    flush()


def flush():
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):  # a program may have replaced the first two
        try:
            stream.flush()
        except BaseException:
            pass


name_of, mro_of = type.__dict__["__name__"].__get__, type.__dict__["__mro__"].__get__
cut, length = str.__getitem__, str.__len__


def describe(error):
    """[class name, message, name of the built-in class that it is or extends] of an exception as JSON."""
    try:
        message = str(error)
        if type(message) is not str:
            message = ""
    except BaseException:
        message = ""
    parts = cut(name_of(type(error)), slice(0, MAX_NAME)), cut(message, slice(0, MAX_MESSAGE)), _built_in(mro_of(type(error)))
    return "[" + quote(parts[0]) + "," + quote(parts[1]) + "," + quote(parts[2]) + "]"


def _built_in(classes):
    for kind in classes:
        for known in BUILT_IN:
            if kind is known:
                return name_of(kind)
    return "BaseException"


def _is_exception(value):
    return Exception in mro_of(type(value))


def open_streams():
    """Fresh sys.stdin, stdout and stderr over descriptors 0, 1 and 2."""
    sys.stdin = sys.__stdin__ = io.open(0, encoding="utf-8", errors="surrogateescape", closefd=False)
    sys.stdout = sys.__stdout__ = io.open(1, "w", encoding="utf-8", errors="surrogateescape", closefd=False)
    sys.stderr = sys.__stderr__ = io.open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)


def add_site_builtins():
    """exit() and quit(), which `site` would define; programs for judges use them."""
    import _sitebuiltins

    builtins.exit = _sitebuiltins.Quitter("exit", "Ctrl-D (i.e. EOF)")
    builtins.quit = _sitebuiltins.Quitter("quit", "Ctrl-D (i.e. EOF)")
