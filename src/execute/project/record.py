"""Watches a project's tests from inside: which lines of its files run, or the calls of some of its functions.

project.py puts it on the path beside a `sitecustomize` that starts it in every Python process of the tests. settings.json beside it says what
to record; each process writes `lines-PID.json` or `calls-PID.json` beside it when it ends. Of a call it keeps: the arguments, pickled when the
call begins; the value, or the class of the exception, and the arguments afterwards, as canonical text; and the lines that ran. Only functions
that are not inside another function are recorded: one that a function makes is replayed with it.
"""
import atexit
import base64
import dis
import json
import os
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
MOST_TRIED = 3000  # calls looked at per function
MOST_KEPT = 300  # calls kept per function
MOST_BYTES = 200_000  # of the arguments of one call
MOST_SECONDS = 15.0  # CPU time for copying the arguments of one function
GENERATOR, COROUTINE = 0x20, 0x80 | 0x200  # bits of co_flags
RETURNS = ("RETURN_VALUE", "RETURN_CONST")


def start():
    with open(os.path.join(HERE, "settings.json"), encoding="utf-8") as file:
        settings = json.load(file)
    root = os.path.realpath(settings["root"]) + os.sep
    watch = (Lines if settings["mode"] == "lines" else Calls)(root, settings)
    atexit.register(leave, watch, settings["mode"])
    threading.settrace(watch.begin)
    sys.settrace(watch.begin)


def leave(watch, mode):
    sys.settrace(None)
    path = os.path.join(HERE, "%s-%d.json" % (mode, os.getpid()))
    with open(path + ".part", "w", encoding="utf-8") as file:
        json.dump(watch.found(), file)
    os.rename(path + ".part", path)


class Watch:
    """`begin` is the tracer of new frames. `look` decides once per code object whether and how it is traced."""

    def __init__(self, root):
        self.root, self.known = root, {}

    def begin(self, frame, event, _arg):
        if event != "call":
            return None
        code = frame.f_code
        known = self.known.get(id(code))
        if known is None:  # the code object is kept alive, so that no other one gets its id
            known = self.known[id(code)] = code, self.look(code)
        return None if known[1] is None else self.follow(known[1], frame)

    def path(self, code):
        """The path of the code's file within the project; None for files elsewhere."""
        path = os.path.abspath(code.co_filename)
        if not path.startswith(self.root):
            return None
        return path[len(self.root) :].replace(os.sep, "/")


class Lines(Watch):
    def __init__(self, root, settings):
        super().__init__(root)
        self.files = {path: set() for path in settings["files"]}

    def look(self, code):
        lines = self.files.get(self.path(code))
        if lines is None:
            return None

        def trace(frame, event, _arg):
            if event == "line":
                lines.add(frame.f_lineno)
            return trace

        return trace

    def follow(self, trace, _frame):
        return trace

    def found(self):
        return {path: sorted(lines) for path, lines in self.files.items()}


class Target:
    def __init__(self, number, code):
        self.number, self.kept, self.seen, self.tried, self.spent, self.module = number, [], set(), 0, 0.0, None
        count = code.co_argcount
        self.positional = code.co_varnames[:count]
        self.named = code.co_varnames[count : count + code.co_kwonlyargcount]
        count += code.co_kwonlyargcount
        self.rest = code.co_varnames[count] if code.co_flags & 4 else None
        self.more = code.co_varnames[count + (self.rest is not None)] if code.co_flags & 8 else None
        self.generates = bool(code.co_flags & GENERATOR)
        self.beginning = first_place(code) if self.generates else None

    @property
    def is_full(self):
        return self.tried >= MOST_TRIED or len(self.kept) >= MOST_KEPT or self.spent > MOST_SECONDS


def first_place(code):
    """`f_lasti` of a generator that begins to run."""
    for step in dis.get_instructions(code):
        if step.opname == "RESUME":
            return step.offset
    return -1  # before 3.11


class Calls(Watch):
    def __init__(self, root, settings):
        super().__init__(root)
        self.functions = {(f["file"], f["line"], f["name"]): number for number, f in enumerate(settings["functions"])}
        self.targets, self.secret = [], set()
        sys.path[:0] = [HERE, settings["scripts"]]
        import canon
        import outcome
        import pickled

        del sys.path[:2]
        for name in ("canon", "attributes", "libraries", "outcome", "pickled"):  # a project may have modules with these names
            sys.modules.pop(name, None)
        pickled.register()
        self.dump, self.class_name = pickled.dump, outcome.class_name
        self.has_iterators, _, self.text = outcome.bind(canon.encode, canon.AnswerTooLarge)
        self.returns = {dis.opmap[name] for name in RETURNS if name in dis.opmap}

    def look(self, code):
        number = self.functions.get((self.path(code), code.co_firstlineno, code.co_name))
        if number is None or code.co_flags & COROUTINE:
            return None
        target = Target(number, code)
        self.targets.append(target)
        self.secret.add(id(code))
        return target

    def follow(self, target, frame):
        if target.is_full or (target.generates and frame.f_lasti != target.beginning):  # it resumes after a `yield`
            return None
        target.tried += 1
        began = time.process_time()
        try:
            call = self.call(target, frame)
        finally:
            target.spent += time.process_time() - began
        return None if call is None else self.tracer(target, call)

    def call(self, target, frame):
        """The arguments as bytes, and as values; None if they cannot be copied, or if the same call is already known."""
        here = frame.f_locals
        try:
            positional = [here[name] for name in target.positional] + list(here[target.rest] if target.rest else ())
            named = {**{name: here[name] for name in target.named}, **(here[target.more] if target.more else {})}
            data = self.dump((positional, named), MOST_BYTES, self.secret)
        except (Exception, RecursionError):  # raised by a class of the project, or by pickle
            return None
        if data in target.seen:
            return None
        target.seen.add(data)
        target.module = frame.f_globals.get("__name__")
        return {"arguments": data, "values": positional + list(named.values())}

    def tracer(self, target, call):
        lines, error, is_over = set(), None, False

        def trace(frame, event, arg):
            nonlocal error, is_over
            if is_over:  # a generator keeps its tracer when it resumes
                return None
            if event == "line":
                lines.add(frame.f_lineno)
            elif event == "exception":
                error = arg[1]
            elif event == "return":
                began = time.process_time()
                raised = frame.f_code.co_code[frame.f_lasti] not in self.returns
                is_over = True
                self.keep(target, call, lines, error if raised and not target.generates else None, arg)
                target.spent += time.process_time() - began
                return None
            return trace

        return trace

    def keep(self, target, call, lines, error, value):
        if target.is_full:
            return
        # A generator has only begun, and running an iterator is up to the tests. Replaying will tell their results.
        open_end = target.generates or (error is None and self.has_iterators(value))
        outcome = None
        if not open_end:
            after = [self.text(item) for item in call["values"]]
            outcome = {"raised": self.class_name(error), "after": after} if error is not None else {"value": self.text(value), "after": after}
        target.kept.append(
            {
                "function": target.number,
                "module": target.module,
                "lines": sorted(lines),
                "arguments": base64.b64encode(call["arguments"]).decode("ascii"),
                "outcome": outcome,
            }
        )

    def found(self):
        calls = [call for target in self.targets for call in target.kept]
        return {"calls": calls, "path": sys.path, "modules": sorted(foreign(self.root))}


def foreign(root):
    """Names of loaded modules that are neither Python's own nor the project's, without those of the test tools."""
    own = getattr(sys, "stdlib_module_names", sys.builtin_module_names)
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if not isinstance(file, str) or name.partition(".")[0] in own or name.partition(".")[0] in TOOLS:
            continue
        if "site-packages" in file and not os.path.abspath(file).startswith((root, HERE)):
            yield name


TOOLS = {"pytest", "_pytest", "pluggy", "iniconfig", "py", "pygments", "hypothesis", "xdist", "sitecustomize", "_virtualenv", "pip", "setuptools"}
