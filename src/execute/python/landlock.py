"""Landlock's rules, through raw system calls, whose numbers are the same on every architecture; and giving up privileges.

Two walls, one inside the other. The outer one is around the server: it reads the system, its own scripts and /proc, and writes to the folder
(a judge reads one file of /proc and writes to nothing). Each forked process puts on the inner one: it reads the system and a few files of /proc,
and writes to the folder. A process inside can neither trace nor (from level 6 on) signal any process outside. What Landlock does not govern,
seccomp.py refuses: there must be a filter.
"""
import ctypes
import errno
import os
import struct
import sys

import packages

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
VERSION, PATH_BENEATH = 1, 1
WRITE_FILE, READ_FILE, READ_DIR, REMOVE_DIR, REMOVE_FILE = 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5
MAKE_DIR, MAKE_REG, MAKE_FIFO, MAKE_SYM, REFER, TRUNCATE = 1 << 7, 1 << 8, 1 << 10, 1 << 12, 1 << 13, 1 << 14
READ = READ_FILE | READ_DIR
DEVICE = READ_FILE | WRITE_FILE
WRITE = READ | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | MAKE_FIFO | MAKE_SYM | REFER | TRUNCATE
FILE_ONLY = READ_FILE | WRITE_FILE | TRUNCATE  # all rights that a rule for a file may name
# What a level added: (rights on files, rights on TCP ports, scopes, what holds below that level)
LEVELS = {
    1: ((1 << 13) - 1, 0, 0, ""),
    2: (REFER, 0, 0, "moving files between folders (refused)"),
    3: (TRUNCATE, 0, 0, "truncation (only by the seccomp filter)"),
    4: (0, 3, 0, "TCP (only by the seccomp filter)"),
    5: (1 << 15, 0, 0, "device commands (only by the seccomp filter)"),
    6: (0, 0, 3, "signals and abstract sockets (only by the seccomp filter)"),
}
SYSTEM = ("/usr", "/lib", "/lib64", "/lib32", "/bin", "/sbin", "/etc/ld.so.cache")
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
KERNEL = ("/proc/meminfo", "/proc/cpuinfo", "/proc/stat", "/proc/loadavg", "/proc/uptime", "/proc/version")
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS = 1, 4, 38
CAPSET = {"x86_64": 126, "aarch64": 91}
SIGKILL = 9

_libc = ctypes.CDLL(None, use_errno=True)


def _call(number, *arguments):
    result = _libc.syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def prctl(option, value):
    if _libc.prctl(option, ctypes.c_ulong(value), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0)):
        raise OSError(ctypes.get_errno(), "the kernel refuses prctl(%d)" % option)


def level():
    """The level of this kernel's Landlock, at most the highest one known here. Raises OSError if there is none."""
    try:
        return min(_call(CREATE_RULESET, None, ctypes.c_size_t(0), VERSION), max(LEVELS))
    except OSError as error:
        known = {
            "ENOSYS": "this kernel has no Landlock (it needs Linux 5.13), or this process must not use it",
            "EOPNOTSUPP": "this kernel was started without the security module Landlock (lsm=landlock,...)",
        }
        raise OSError(error.errno, known.get(errno.errorcode.get(error.errno, ""), "Landlock is refused: " + error.strerror))


def lacking(known):
    """What this level's rules do not cover, and what covers it instead."""
    return [text for number, (_, _, _, text) in LEVELS.items() if number > known]


class Wall:
    """Rules, made once. Each `enter` puts them on the calling process, permanently. `paths`: (path, rights); paths that do not exist are left out."""

    def __init__(self, known, paths):
        rights, ports, scopes = (
            sum(each[place] for number, each in LEVELS.items() if number <= known) for place in range(3)
        )
        attributes = struct.pack("QQQ", rights, ports, scopes)[: 8 if known < 4 else 16 if known < 6 else 24]
        self.rules = _call(CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
        for path, granted in paths:
            if os.path.exists(path):
                handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
                granted &= rights if os.path.isdir(path) else rights & FILE_ONLY
                _call(ADD_RULE, self.rules, PATH_BENEATH, struct.pack("=Qi", granted, handle), 0)
                os.close(handle)

    def enter(self):
        _call(RESTRICT_SELF, self.rules, 0)


def readable():
    """(path, rights) of the system, this Python, its packages and data files, with links resolved; and of devices."""
    python = (sys.base_prefix, os.path.dirname(os.path.dirname(os.path.realpath(sys.executable))))
    paths = {os.path.realpath(path) for path in (*SYSTEM, *python, *packages.FOLDERS, *([packages.FILES] if packages.FILES else []))}
    return [(path, READ) for path in sorted(paths) if path != "/"] + [(path, DEVICE) for path in DEVICES]


class ProgramWall:
    """The wall that a process puts on itself before it runs programs. Made in the process that forks it."""

    def __init__(self, known, folder):
        self.wall = Wall(known, [*readable(), (folder, WRITE), *((path, READ_FILE) for path in KERNEL)])

    end_with_parent = staticmethod(lambda parent: die_with(parent))

    def enter(self, parent):
        """Call it in a process that `parent` has forked."""
        die_with(parent)
        prctl(PR_SET_DUMPABLE, 1)  # the guard reads its memory map; the other programs of this user are behind their own walls
        self.wall.enter()


def die_with(parent):
    """Ends this process when the one that forked it ends."""
    prctl(PR_SET_PDEATHSIG, SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def give_up_privileges():
    """Drops all capabilities, in case root could not become another user, and closes all ways to new ones."""
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    header = struct.pack("Ii", 0x20080522, 0)  # _LINUX_CAPABILITY_VERSION_3, this process
    _call(CAPSET[os.uname().machine], header, bytes(24))
