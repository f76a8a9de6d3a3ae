"""Runs one program on its inputs, in the process (or WebAssembly interpreter) that is given up to it.

Knows inputs only. Reports one line an input: `index status cpu payload`, status `v` (payload: canonical value), `e`
(payload: [exception class, message]), `m` (out of memory) or `t` (it would never end); `load` failures are reported for index -1.
Does not limit or judge anything: guard.py and the trusted side do.
"""
import atexit
import builtins
import gc
import io
import random
import sys
import types
from time import process_time

from _json import encode_basestring_ascii as quote
from canon import encode

MAX_MESSAGE = 500
YOUNG = 20_000  # new objects that set off a collection where programs share a process: trees and answers have few cycles


def run_all(programs, limit, emit, shareable, memoize, watch, together):
    """
    Runs [suite, start, stop, code, budgets, provisional] one after another. `shareable` gives the tree of a shareable program
    (shareable.py), `memoize` what remembers its answers (memoize.py), `watch` knows its endless loops (endless.py). Where several run `together`,
    those that are not shareable are only named: `-1 x 0 null`.
    """
    collect, clean, began = gc.collect, _cleaner() if together else None, process_time()
    if together:
        gc.set_threshold(YOUNG, 20, 20)
    programs.reverse()
    while programs:
        suite, start, stop, code, *budgets = programs.pop()
        tree = shareable(code) if suite["shareable"] else None
        if tree is None and together:
            emit(b"-1 x 0 null\n")
            continue
        pure = watched = None
        if tree is not None and suite["setup"] is None:
            pure, watched = memoize(tree, budgets), watch if watch.takes(tree, code) else None
        run(suite, code if tree is None else tree, start, stop, limit, emit, pure, began, code, watched)
        if together:
            began = process_time()  # what follows is part of the next program's loading
            suite = code = tree = pure = watched = budgets = None
            clean()
            collect()  # its functions and their namespace hold each other


def _cleaner():
    """What lets go of a program's objects where modules keep them: as itself, as patterns, as parameters of types."""
    import re
    import typing

    purge, cleanups, modules = re.purge, list(typing._cleanups), sys.modules

    def clean():
        modules.pop("candidate", None)
        purge()
        for forget in cleanups:
            forget()

    return clean


def compile_suite(suite):
    """Compiles a suite's inputs once, before any candidate runs: {"mode", "entry", "setup", "inputs"}."""
    mode, entry = suite["mode"], suite["entry"]
    sources = suite["inputs"]
    if mode == "call":
        inputs = [_compile_call(entry, source) for source in sources]
    elif mode == "exec":
        inputs = [_compile(source, "exec") for source in sources]
    else:
        inputs = list(sources)
    setup = _compile(suite["setup"], "exec") if suite["setup"].strip() else None
    return {"mode": mode, "inputs": inputs, "setup": setup}


def _compile_call(entry, source):
    return _compile("(%s)(%s\n)" % (entry, source), "eval")


def _compile(source, mode):
    """The code object, or the exception: an input that does not compile fails when it is reached."""
    try:
        return compile(source, "<test>", mode, dont_inherit=True)
    except Exception as error:
        return error


def run(suite, code, start, stop, limit, emit, pure=None, began=None, text=None, watch=None):
    """Loads the program (text or syntax tree) and runs inputs start..stop-1; `emit(bytes)` gets each line as soon as it is known.
    `pure` tells of the program's code object what remembers its answers, given its namespace (memoize.py); `watch` ends what would
    never end (endless.py).
    """
    # Everything used after the candidate has run is a local: patched builtins and modules cannot reach it.
    describe_, encode_, clock, eval_, exec_, type_ = describe, encode, process_time, eval, exec, type
    base, memory, endless = BaseException, MemoryError, watch.Endless if watch else ()
    setup, inputs, mode = suite["setup"], suite["inputs"], suite["mode"]
    line = "%d %s %.6f %s\n"
    if began is None:
        began = clock()

    def report(index, status, payload, used=None):
        nonlocal began
        now = clock()
        emit((line % (index, status, now - began if used is None else used, payload)).encode("ascii"))
        began = now

    name = "candidate" if mode != "stdin" else "__main__"
    module = types.ModuleType(name)
    space = module.__dict__
    space["__builtins__"] = builtins
    sys.modules[name] = module
    random.seed(0)
    index = -1
    try:
        try:
            program = compile(code, "<candidate>", "exec", dont_inherit=True)
        except RecursionError:  # a tree nests less deep than text may
            program = compile(text, "<candidate>", "exec", dont_inherit=True)
        pure = pure(program) if pure else None
        late = _try_setup(setup, space)
        exec_(program, space)
        if late:
            exec_(setup, space)
        del program, code, text, suite, module, setup, late
        memory_of = pure(space) if pure else None
        if mode == "stdin":
            _finish()
            report(start, "v", "null")
            return
    except memory:
        report(start if mode == "stdin" else -1, "m", "null")
        return
    except base as error:
        if mode == "stdin":
            _finish()
            if type_(error) is SystemExit and error.code in (None, 0):
                report(start, "v", "null")
                return
        report(start if mode == "stdin" else -1, "e", describe_(error))
        return
    report(-1, "v", "null")
    if watch:
        watch.begin(space)
    for index in range(start, stop):
        if watch:
            watch.ticks = 0
        try:
            source = inputs[index]
            if isinstance_exception(source):
                raise source
            known = None
            if memory_of is not None:
                known = memory_of.answer(source)
                if known is not None:
                    charge = memory_of.charge(known[1], index)
                    if charge is not None:
                        report(index, "v", encode_(known[0], limit), charge)
                        continue
                    report(index, "r", "null")
            if mode == "exec":
                value = exec_(source, dict_copy(space))
            else:
                value = eval_(source, space)
            text = encode_(value, limit)
            if known is not None and encode_(known[0], limit) != text:
                memory_of = None
            value = None
            report(index, "v", text)
        except memory:
            value = text = None
            report(index, "m", "null")
        except endless:
            value = text = None
            report(index, "t", "null")
        except base as error:
            value = text = None
            report(index, "e", describe_(error))
    if watch:
        watch.end()


def _try_setup(setup, space):
    """Runs the setup before the program; true when it must run after it (it uses what the program defines)."""
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
    """What ends a Python program: its threads, daemons aside (many answer from one with a larger stack), then `atexit`."""
    threading = sys.modules.get("threading")
    if threading is not None:
        for thread in threading.enumerate():
            if thread is not threading.current_thread() and not thread.daemon:
                thread.join()
    try:
        atexit._run_exitfuncs()
    except BaseException:
        pass
    _flush()


def _flush():
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):  # a program may have put another in front
        try:
            stream.flush()
        except BaseException:
            pass


def _bind():
    type_, str_, len_, base, name_of = type, str, len, BaseException, type.__dict__["__name__"].__get__
    mro_of = type.__dict__["__mro__"].__get__
    exception, copy = Exception, dict.copy
    cut = str.__getitem__

    def describe(error):
        """[class name, message] of an exception as JSON."""
        try:
            message = str_(error)
            if type_(message) is not str_:
                message = ""
        except base:
            message = ""
        name = name_of(type_(error))
        return "[" + quote(cut(name, slice(0, 100))) + "," + quote(cut(message, slice(0, MAX_MESSAGE))) + "]"

    def isinstance_exception(value):
        return exception in mro_of(type_(value))

    return describe, isinstance_exception, copy


describe, isinstance_exception, dict_copy = _bind()


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
