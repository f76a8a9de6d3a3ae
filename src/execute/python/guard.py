"""Runs candidates inside the sandbox: each in a process forked from a warm interpreter (zygote.py) and killed at its limits.

usage: guard.py [pid-namespace] [private-tmp] [folder=PATH] [seccomp] [landlock=LEVEL]     facts about the sandbox around it: it is process 1
of a namespace; /tmp is a separate file system; nobody else has files in that folder; no program runs without a seccomp filter (without this
fact, programs are filtered if a filter can be installed); the level of Landlock (confine.py then starts it).

protocol.ts describes what it reads from stdin and writes to stdout; jobs.py does the reading and writing. Jobs that wait at the same time and
whose programs are shareable (shareable.py) share a process, until one of them does anything but answer in time: that one continues alone.
Knows no expected values and never runs candidate code itself. Everything that a candidate sends is data: a line that is not
the next one expected ends that candidate, nothing else.
"""
import json
import os
import signal
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [HERE] + [entry for entry in sys.path if entry != HERE]
# The at-fork handlers of `threading` and `random` cost more per fork than the fork itself. The guard has no threads, and every
# program gets a seed.
register_at_fork, os.register_at_fork = os.register_at_fork, lambda **_handlers: None

import candidate  # noqa: E402
import packages  # noqa: E402
import zygote  # noqa: E402
from attempt import Attempt, Forks  # noqa: E402
from folder import Folder, links_to  # noqa: E402
from frames import write_frame  # noqa: E402
from jobs import Jobs  # noqa: E402
from supervise import BROKEN, CROWDED, DONE, ENDED, LATE, MOST_ANSWERS, THREADED, Supervisor  # noqa: E402

# Imported before forking, because programs often use them and importing costs more than forking.
import bisect, cmath, collections, copy, dataclasses, datetime, decimal, enum, fractions, functools, hashlib, heapq  # noqa: E401, E402, F401, I001
import itertools, math, operator, queue, random, re, statistics, string, textwrap, typing, types, abc, io, ast  # noqa: E401, E402, F401, I001
import calendar, numbers, contextlib, array, traceback, inspect, threading  # noqa: E401, E402, F401, I001

os.register_at_fork = register_at_fork
packages.extend_path()

PID_NAMESPACE, PRIVATE_TMP, FOLDER, SECCOMP, LANDLOCK = "pid-namespace", "private-tmp", "folder", "seccomp", "landlock"
MOST_ENDED = 3  # processes that may end without an answer before the remaining inputs count as such
TOGETHER = 32  # maximum number of shareable programs in one process
TOO_MANY = {
    CROWDED: b'e 0 ["FileLimit","the program made more files than the limit allows"]',
    THREADED: b'e 0 ["ThreadLimit","the program started more threads than the limit allows"]',
}
MALFORMED = b'e 0 ["MalformedAnswer","the program wrote into the channel for its reports"]'


def run_alone(run, forks, jobs, attempt=Attempt):
    """Runs all inputs of a program in processes that it shares with no other program. `attempt` makes each process."""
    apart = run.suite["mode"] in ("stdin", "exec")  # one process per test
    count = len(run.results)
    while run.index < count and not run.stopped():
        run.stop = run.index + 1 if apart else count
        begun = run.index
        run.loaded = run.suite["mode"] == "stdin"
        stdin = run.suite["inputs"][begun] if run.suite["mode"] == "stdin" else None
        if run.suite.get("files"):
            forks.folder.give(links_to(os.path.join(packages.FILES, run.suite["files"])))
        process = attempt(forks, [run.program(begun)], run.limits, False, stdin)
        _, how = Supervisor(process, [run], jobs, False).follow()
        status = process.end()
        if forks.folder is not None:
            forks.folder.clear()
        if stdin is not None:
            how = finish_stream(process, status, begun, how, run)
        run.spent += process.cpu
        if how == DONE:
            continue
        if how == BROKEN:
            run.fill(begun, MALFORMED)  # a program that forges reports gets no answers
        elif how == LATE:
            if run.loaded:
                run.late_at(process.cpu)
            else:
                run.fill(begun, b"t %.6f null" % process.cpu)
        else:
            line = TOO_MANY.get(how) or ending(status)
            run.ended += 1
            if run.suite["mode"] != "stdin" and (not run.loaded or run.ended >= MOST_ENDED):
                # The program does not load, or ends its process again and again: it would do so on every input.
                run.fill(begun if apart else run.index, line)
            else:
                run.results[run.index] = line
                run.index += 1


def run_together(runs, forks, jobs):
    """
    Runs shareable programs in one process. One that uses up its time continues alone; one that ends the process starts again
    alone, as do those that are not shareable.
    """
    left = runs
    while left:
        process = Attempt(forks, [run.program(run.index) for run in left], left[0].limits, True)
        place, how = Supervisor(process, left, jobs, True).follow()
        process.end()
        if how == BROKEN:  # then no report from that process can be believed
            for run in runs:
                run.start()
            return
        left = [run for run in left if not run.given_back]
        if place == len(left):
            return
        run = left[place]
        if how == LATE and run.loaded:
            run.late_at(process.cpu)
        elif how != DONE:
            run.start()
        left = left[place + 1 :]


def finish_stream(process, status, index, how, run):
    """A stdio program's answer is what it printed. A program that ends its own process with status 0 is done as well."""
    if how in (LATE, BROKEN, *TOO_MANY):
        run.index = index
        return how
    line = run.results[index]
    if line is None and not (os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0):
        run.index = index
        return ENDED
    if line is None or line[:1] in b"vn":
        text = process.printed(run.limits["outputBytes"])
        if text is None:
            run.results[index] = b'e %.6f ["OutputLimit","the program printed more than the limit allows"]' % process.cpu
        elif run.printed + len(text) > MOST_ANSWERS * run.limits["outputBytes"]:
            run.results[index] = b'e %.6f ["AnswerTooLarge","the answers of the program together exceed the limit"]' % process.cpu
        else:
            run.printed += len(text)
            run.results[index] = b"%s %.6f %s" % (b"v" if line is None else line[:1], process.cpu, text)
    run.index = index + 1
    return DONE


def ending(status):
    """The result line of a process that ended without an answer."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number == signal.SIGXCPU:
            return b"t 0 null"
        if number == signal.SIGKILL:  # by the kernel when memory ran out, or by the process itself
            return b'e 0 ["Killed","the process was killed"]'
        name = signal.Signals(number).name if number in signal.Signals.__members__.values() else str(number)
        return b'e 0 ["Crash","the process died of %s"]' % name.encode("ascii")
    return b'e 0 ["Exit","the process ended with status %d without an answer"]' % os.WEXITSTATUS(status)


def set_up(facts):
    """
    Turns this process into a guard of the sandbox that `facts` describe. Returns the handle of incoming frames, the handle of answers, the
    first frame, what is shared with the zygote, and the folder (folder.py), if any.
    """
    known = (PID_NAMESPACE, PRIVATE_TMP, FOLDER, SECCOMP, LANDLOCK)
    facts = dict(fact.partition("=")[::2] for fact in facts)
    for fact in facts:
        if fact not in known:
            sys.exit("expected facts among %s, got %s" % (", ".join(known), fact))
    if PID_NAMESPACE in facts and os.getpid() != 1:
        sys.exit("expected to be process 1 of a namespace (%s), got process %d" % (PID_NAMESPACE, os.getpid()))
    level = int(facts[LANDLOCK]) if LANDLOCK in facts else None
    programs_filter, unfiltered = zygote.filter_programs(level)
    if SECCOMP in facts and unfiltered is not None:
        sys.exit("the seccomp filter cannot be installed: " + unfiltered)
    answers = os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    frames = os.dup(0)
    os.dup2(null, 0)
    os.dup2(null, 1)
    candidate.open_streams()
    candidate.add_site_builtins()
    folder = Folder("/tmp", True) if PRIVATE_TMP in facts else Folder(facts[FOLDER], False) if FOLDER in facts else None
    hello = {"python": "%d.%d.%d" % sys.version_info[:3], "unfiltered": unfiltered}
    wall = None
    if level is not None:
        import landlock

        wall = landlock.ProgramWall(level, folder.path)
        hello["landlock"] = {"abi": level, "lacking": landlock.lacking(level)}
    return frames, answers, hello, zygote.Shared(PID_NAMESPACE in facts, programs_filter, wall, level), folder


def main(facts):
    frames, answers, hello, shared, folder = set_up(facts)
    forks = Forks(shared, folder)
    jobs = Jobs(frames, answers, forks)
    write_frame(answers, json.dumps(hello).encode())

    def finish(run):
        jobs.begin(waiting)
        run_alone(run, forks, jobs)
        jobs.answer(run)

    while True:
        runs = [jobs.next(True)]
        while len(runs) < TOGETHER and (run := jobs.next(False)) is not None:
            runs.append(run)
        together = [run for run in runs if run.suite["shareable"]]
        if len(together) < 2:
            together = []
        waiting = [run for run in runs if run not in together]
        jobs.begin(waiting)
        run_together(together, forks, jobs)
        together = [run for run in together if not run.given_back]
        waiting[:0] = [run for run in together if run.unshareable]
        for run in together:
            if not run.unshareable:
                finish(run)
        while waiting:
            finish(waiting.pop(0))


if __name__ == "__main__":
    main(sys.argv[1:])
