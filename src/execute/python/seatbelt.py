"""Starts a server under macOS's sandbox-exec. Written from profiles by Apple and others; we never ran it.

usage: seatbelt.py guard|judge FOLDER       the server's programs write to a private folder that is made in FOLDER

Limits of the profile: server and programs share one, because no profile can be put on inside another. So it has to let the zygote
fork and signal. A program may therefore end its own server (this gives no label: it counts as a fault of the sandbox) and start
processes, up to RLIMIT_NPROC. It cannot start any program but this Python, and it reaches no process outside.
"""
import os
import sys

from folder import make_folder

HERE = os.path.dirname(os.path.abspath(__file__))
FLAGS = ("-s", "-S", "-B", "-X", "utf8")
READABLE = ("/usr/lib", "/usr/share", "/System/Library", "/System/Volumes/Preboot/Cryptexes", "/Library/Apple", "/private/var/db/dyld")
DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
PROFILE = """(version 1)
(deny default)
(allow process-fork)
(allow process-exec (literal (param "PYTHON")))
(allow signal (target same-sandbox))
(allow sysctl-read)
(allow file-read-metadata)
(allow file-read* (literal "/") %s)
(allow file-read* file-write-data %s)
(allow file-read* file-write* (subpath (param "FOLDER")))
"""


def profile():
    python = (os.path.realpath(sys.base_prefix), os.path.dirname(os.path.dirname(os.path.realpath(sys.executable))))
    read = " ".join('(subpath "%s")' % path for path in sorted({*READABLE, *python, HERE}))
    return PROFILE % (read, " ".join('(literal "%s")' % path for path in DEVICES))


def main(server, parent):
    folder, python = os.path.realpath(make_folder(parent)), os.path.realpath(sys.executable)
    os.environ["HOME"] = os.environ["TMPDIR"] = folder
    os.chdir(folder)
    facts = ["folder=" + folder] if server == "guard" else []
    defined = ["-D", "PYTHON=" + python, "-D", "FOLDER=" + folder]
    script = os.path.join(HERE, server + ".py")
    os.execv("/usr/bin/sandbox-exec", ["sandbox-exec", *defined, "-p", profile(), python, *FLAGS, script, *facts])


if __name__ == "__main__":
    main(*sys.argv[1:])
