"""Confines a server with Landlock (landlock.py), for machines without namespaces, and runs it.

usage: confine.py PREFIX guard FOLDER [fact...]      runs guard.py; its programs write to a private folder that is made in FOLDER
       confine.py PREFIX notebook FOLDER [fact...]   runs notebook.py, likewise
       confine.py PREFIX judge                      runs judge.py, which writes to nothing
PREFIX: the prefix of the expected Python; another Python may start if the library of this one cannot be read. The fact landlock=LEVEL
lowers the level to that of an older kernel.
"""
import os
import sys

import packages
from folder import make_folder
from landlock import PR_SET_PDEATHSIG, READ, READ_FILE, SIGKILL, WRITE, Wall, give_up_privileges, level, prctl, readable

HERE = os.path.dirname(os.path.abspath(__file__))
STATM = "/proc/self/statm"
LEVEL = "landlock="


def close_inherited():
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 2:
            try:
                os.close(int(name))
            except OSError:
                pass  # the descriptor of the listing itself


def main(prefix, server, *arguments):
    if os.path.realpath(sys.base_prefix) != prefix:
        raise OSError("the library of this Python is not in %s but in %s" % (prefix, sys.base_prefix))
    close_inherited()
    known = level()
    if packages.FILES is not None and not os.access(packages.FILES, os.R_OK | os.X_OK):
        raise OSError("%s cannot be read" % packages.FILES)
    prctl(PR_SET_PDEATHSIG, SIGKILL)  # if the parent is gone already, it has closed our stdin
    os.setsid()
    give_up_privileges()
    outer = [*readable(), (HERE, READ)]
    if server == "judge":
        os.chdir("/")
        os.open(STATM, os.O_PATH)  # for judging.py; held open: if the kernel made it again, the rule would apply to another file
        Wall(known, [*outer, (STATM, READ_FILE)]).enter()
        import judge
        import seccomp

        seccomp.prepare(known)()
        judge.main()
        return
    parent, *facts = arguments
    known = min([known, *(int(fact[len(LEVEL) :]) for fact in facts if fact.startswith(LEVEL))])
    folder = make_folder(parent)
    os.environ["HOME"] = os.environ["TMPDIR"] = folder
    os.chdir(folder)
    Wall(known, [*outer, (folder, WRITE), ("/proc", READ)]).enter()
    if server == "notebook":
        import notebook as guard
    else:
        import guard

    guard.main([*facts, "folder=" + folder, LEVEL + str(known)])


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except OSError as error:
        sys.exit("OSError: %s" % (error.strerror or error))
