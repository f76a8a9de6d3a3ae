"""The processes that replay calls. The first has the packages of a project; a fork of it loads a module and its calls; forks of that fork
put a program into the functions and call them.

Every program can read what the first two know in the memory that it inherits. So they get a project without the bodies of the functions to
replay, and arguments, but no program's text and no answer. A program's process reads its own text from a descriptor and closes it first.
A program is {"functions": [{"number", "text", "path": ["class" | "block", ..., name]}], "calls": [number]}: texts of functions in their classes
and blocks, as in their file, and the calls to make, in that order. Output lines: `unfit REASON` if the text is another kind of function
than at its place, or `broken CLASS` if it does not compile; otherwise `ready`, one line of JSON per call, and one with the data of the
module. A program may itself have written anything that follows `ready`.
"""
import ast
import base64
import gc
import importlib
import io
import json
import os
import random
import resource
import signal
import socket
import sys
import time
import types

import canon
import outcome
import pickled
from frames import write_frame

TO_READ, TO_WRITE, ANSWERS = 0, 1, 3
MEMORY_MB = 4096
MOST_THREADS = 64
MOST_GLOBAL = 5000  # characters of one value of the module, and of the output of one call
DATA = (bool, int, float, complex, str, bytes, list, tuple, set, frozenset, dict)
SIGNATURE = ("co_argcount", "co_posonlyargcount", "co_kwonlyargcount")
ENCODE, TOO_LARGE = canon.encode, canon.AnswerTooLarge


def serve(commands, reply, channel, programs_filter, modules):
    """The first process: answers `ready`, and for each `open` forks a process that serves it until that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    forget_modules()
    for name in modules:
        try:
            importlib.import_module(name)
        except BaseException:  # it may only be importable after preparation by the tests
            pass
    while True:
        job = json.loads(commands.next(True))
        if job["op"] != "open":
            write_frame(reply, json.dumps({"why": "nothing is open"} if job["op"] == "run" else {}).encode())
            continue
        pid = os.fork()
        if pid == 0:
            try:
                serve_calls(job, commands, reply, channel, programs_filter)
            finally:
                os._exit(0)
        _, status = os.waitpid(pid, 0)
        if status != 0:
            write_frame(reply, json.dumps({"why": "the process that loads the module died"}).encode())


def forget_modules():
    """Removes our own modules from where a program's imports would find them: a project may have modules with these names."""
    for name in ("attributes", "canon", "folder", "frames", "libraries", "outcome", "pickled", "replayed", "replay", "seccomp"):
        sys.modules.pop(name, None)
    pickled.register()
    sys.modules["__main__"] = types.ModuleType("__main__")
    sys.argv[:] = [""]


def serve_calls(job, commands, reply, channel, programs_filter):
    try:
        space, functions, calls = load(job)
    except BaseException as error:
        why = "the module does not load without the function bodies: %s" % type(error).__name__
        write_frame(reply, json.dumps({"why": why}).encode())
        os._exit(0)
    gc.collect()
    gc.freeze()
    gc.disable()
    found = {"functions": [f is not None for f in functions], "calls": [call is not None for call in calls], "cpuS": time.process_time()}
    write_frame(reply, json.dumps(found).encode())
    pid = 0
    while True:
        job = json.loads(commands.next(True))
        if job["op"] == "close":
            write_frame(reply, b"{}")
            os._exit(0)
        began = time.process_time()
        if job["op"] == "reap":
            status, cpu = end(pid)
            write_frame(reply, json.dumps({"ended": [status, cpu, forking + time.process_time() - began]}).encode())
            continue
        _, handed, _, _ = socket.recv_fds(channel, 1, 2)
        pid = os.fork()
        if pid == 0:
            child(space, functions, calls, handed, job, programs_filter)
        for handle in handed:
            os.close(handle)
        forking = time.process_time() - began
        write_frame(reply, json.dumps({"pid": pid}).encode())


def end(pid):
    """Waits for a process that has ended or been killed. Kills one that only closed its pipe for answers."""
    for _ in range(50):
        done, status, usage = os.wait4(pid, os.WNOHANG)
        if done:
            return status, usage.ru_utime + usage.ru_stime
        time.sleep(0.001)
    os.kill(pid, signal.SIGKILL)
    _, status, usage = os.wait4(pid, 0)
    return status, usage.ru_utime + usage.ru_stime


def load(job):
    """The module's namespace, the function at each place, and the arguments of calls; None for each that is missing or ambiguous."""
    sys.path[:] = job["path"]
    space = vars(importlib.import_module(job["module"]))
    file = os.path.realpath(job["file"])
    if os.path.realpath(space.get("__file__") or "") != file:
        raise ImportError
    places = {(place["line"], place["name"]): number for number, place in enumerate(job["functions"])}
    found = [[] for _ in places]
    for x in gc.get_objects():
        if type(x) is not types.FunctionType:
            continue
        code = x.__code__
        number = places.get((code.co_firstlineno, code.co_name))
        if number is not None and os.path.realpath(code.co_filename) == file:
            found[number].append(x)
    functions = [those[0] if len(those) == 1 else None for those in found]
    calls = []
    for call in job["calls"]:
        try:
            positional, named = pickled.load(base64.b64decode(call["arguments"]))
            calls.append((call["function"], positional, named))
        except BaseException:
            calls.append(None)
    return space, functions, calls


class Unfit(Exception):
    pass


def compiled(function, old):
    """The code object of a program's function, to be put into `old`. Raises Unfit, and anything that compiling raises."""
    tree = ast.parse(function["text"])
    body = [statement for statement in tree.body if not isinstance(statement, ast.ImportFrom)]
    *outer, name = function["path"]
    in_class = False
    for kind in outer:
        if len(body) != 1 or not isinstance(body[0], ast.ClassDef if kind == "class" else ast.If):
            raise Unfit("it is more than one function")
        in_class, body = in_class or kind == "class", body[0].body
    if len(body) != 1 or type(body[0]) is not ast.FunctionDef or body[0].name != name:
        raise Unfit("it is more than one function")
    if "__class__" in old.__code__.co_freevars:  # makes the new code close over it too, as `super()` would
        body[0].body.append(ast.fix_missing_locations(ast.copy_location(ast.Expr(ast.Name("__class__", ast.Load())), body[0].body[-1])))
    code = inner(compile(tree, old.__code__.co_filename, "exec", dont_inherit=True), name)
    if code is None or code.co_freevars != old.__code__.co_freevars:
        raise Unfit("it closes over different names")
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
    same = all(getattr(code, key) == getattr(old.__code__, key) for key in SIGNATURE) and not (code.co_flags ^ old.__code__.co_flags) & 12
    if not same or code.co_varnames[:count] != old.__code__.co_varnames[:count] or code.co_flags & 0x280:
        raise Unfit("it takes different arguments")
    return code


def inner(code, name):
    """The code object of the only function in a module of classes and blocks."""
    for part in code.co_consts:
        if type(part) is types.CodeType:
            return part if part.co_name == name and part.co_flags & 2 else inner(part, name)  # functions have this flag, classes do not
    return None


def child(space, functions, calls, handed, job, programs_filter):
    """The forked process that runs a program. Never returns."""
    try:
        program, answers = handed
        text = os.pread(program, os.fstat(program).st_size, 0)
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(answers, ANSWERS + 40)
        for number in (0, 1, 2):
            os.dup2(null, number)
        os.dup2(ANSWERS + 40, ANSWERS)
        os.closerange(ANSWERS + 1, 256)
        limit(job["cpuS"])
        programs_filter()
        program = json.loads(text)
        del text, handed, job, programs_filter
        write, leave = os.write, os._exit
        try:
            codes = []
            for function in program["functions"]:
                old = functions[function["number"]]
                codes.append((old, compiled(function, old)))
        except Unfit as error:
            write(ANSWERS, b"unfit " + str(error).encode())
            leave(0)
        except BaseException as error:
            write(ANSWERS, b"broken " + type(error).__name__.encode())
            leave(0)
        for old, code in codes:
            old.__code__ = code
        calls = [calls[number] for number in program["calls"]]
        del codes, program
        say(b"ready\n")
        random.seed(0)
        gc.enable()
        replay(space, functions, calls)
        leave(0)
    finally:
        os._exit(99)


def limit(cpu_s):
    cpu = int(cpu_s) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_MB << 20,) * 2)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 20,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    resource.setrlimit(resource.RLIMIT_NPROC, (MOST_THREADS,) * 2)


def _bind():
    # Bound now, so that a program that patches something only changes its own answers.
    write, view, dumps, text_io = os.write, memoryview, json.dumps, io.StringIO
    has_iterators, settle, text = outcome.bind(ENCODE, TOO_LARGE)
    class_name, base = outcome.class_name, BaseException
    streams, data, kind_of, most = sys, frozenset(map(id, DATA)), type, MOST_GLOBAL
    encode, failures, identity, clock = ENCODE, (TOO_LARGE, Exception), id, time.process_time

    def say(line):
        left = view(line)
        while left:
            left = left[write(ANSWERS, left) :]

    def replay(space, functions, calls):
        for number, positional, named in calls:
            began = clock()
            given = [*positional, *named.values()]
            streams.stdout = printed = text_io()
            try:
                found = {"value": text(settle(functions[number](*positional, **named)))}
            except base as error:
                found = {"raised": class_name(error)}
            found["after"] = [text(item) for item in given]
            try:
                found["printed"] = text_io.getvalue(printed)[:most]
            except base:
                found["printed"] = None
            found["cpu"] = clock() - began
            say(dumps(found).encode("ascii") + b"\n")
        say(dumps(globals_of(space)).encode("ascii") + b"\n")

    def globals_of(space):
        """The module's names that stand for data, with the canonical text of the data."""
        found = {}
        for name, value in list(space.items()):
            if kind_of(name) is not str or name[:2] == "__" or identity(kind_of(value)) not in data:
                continue
            try:
                found[name] = encode(value, most)
            except failures:
                pass
        return found

    return say, replay


say, replay = _bind()
