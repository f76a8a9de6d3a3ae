"""A seccomp filter for the process that runs a candidate: no new processes, sockets, signals to others, tracing.

Threads stay possible. The process installs it on itself just before the candidate's code; it cannot be taken off. If the file
systems are the host's (landlock.py), it also refuses what Landlock does not govern: SHARED, and UNTRUNCATED below Landlock's third level.
For Linux on x86-64 and AArch64; elsewhere `prepare` raises. The numbers are those of the kernel's headers: scripts/check-seccomp.py
compares them.
"""
import ctypes
import errno
import os
import struct

# AUDIT_ARCH, and the numbers of the calls below (linux/arch/*/include/*/unistd).
ARCHITECTURES = {
    "x86_64": (
        0xC000003E,
        {
            "clone": 56, "fork": 57, "vfork": 58, "execve": 59, "kill": 62, "fcntl": 72, "ioctl": 16,
            "ptrace": 101, "setpgid": 109, "setsid": 112, "sched_setparam": 142, "sched_setscheduler": 144,
            "prctl": 157, "chroot": 161, "sync": 162, "mount": 165, "tkill": 200, "sched_setaffinity": 203,
            "tgkill": 234, "mq_open": 240, "add_key": 248, "request_key": 249, "keyctl": 250, "ioprio_set": 251,
            "migrate_pages": 256, "unshare": 272, "move_pages": 279, "rt_sigqueueinfo": 129,
            "rt_tgsigqueueinfo": 297, "shmget": 29, "semget": 64, "msgget": 68, "socket": 41, "socketpair": 53,
            "perf_event_open": 298, "syncfs": 306, "setns": 308, "process_vm_readv": 310,
            "process_vm_writev": 311, "kcmp": 312, "sched_setattr": 314, "memfd_create": 319, "bpf": 321,
            "execveat": 322, "userfaultfd": 323, "pidfd_send_signal": 424, "io_uring_setup": 425,
            "pidfd_open": 434, "clone3": 435, "pidfd_getfd": 438, "process_madvise": 440,
            "process_mrelease": 448, "prlimit64": 302, "setpriority": 141,
        },
    ),
    "aarch64": (
        0xC00000B7,
        {
            "clone": 220, "execve": 221, "kill": 129, "fcntl": 25, "ioctl": 29, "ptrace": 117, "setpgid": 154,
            "setsid": 157, "sched_setparam": 118, "sched_setscheduler": 119, "prctl": 167, "chroot": 51,
            "sync": 81, "mount": 40, "tkill": 130, "sched_setaffinity": 122, "tgkill": 131, "mq_open": 180,
            "add_key": 217, "request_key": 218, "keyctl": 219, "ioprio_set": 30, "migrate_pages": 238,
            "unshare": 97, "move_pages": 239, "rt_sigqueueinfo": 138, "rt_tgsigqueueinfo": 240, "shmget": 194,
            "semget": 190, "msgget": 186, "socket": 198, "socketpair": 199, "perf_event_open": 241, "syncfs": 267, "setns": 268,
            "process_vm_readv": 270, "process_vm_writev": 271, "kcmp": 272, "sched_setattr": 274,
            "memfd_create": 279, "bpf": 280, "execveat": 281, "userfaultfd": 282, "pidfd_send_signal": 424,
            "io_uring_setup": 425, "pidfd_open": 434, "clone3": 435, "pidfd_getfd": 438, "process_madvise": 440,
            "process_mrelease": 448, "prlimit64": 261, "setpriority": 140,
        },
    ),
}
SHARED_ARCHITECTURES = {
    "x86_64": {
        "chmod": 90, "fchmod": 91, "fchmodat": 268, "fchmodat2": 452, "utime": 132, "utimes": 235, "futimesat": 261,
        "utimensat": 280, "fsync": 74, "fdatasync": 75, "msync": 26, "sync_file_range": 277, "setxattr": 188,
        "lsetxattr": 189, "fsetxattr": 190, "getxattr": 191, "lgetxattr": 192, "fgetxattr": 193, "listxattr": 194,
        "llistxattr": 195, "flistxattr": 196, "removexattr": 197, "lremovexattr": 198, "fremovexattr": 199,
        "setxattrat": 463, "getxattrat": 464, "listxattrat": 465, "removexattrat": 466, "fallocate": 285, "chown": 92,
        "fchown": 93, "lchown": 94, "fchownat": 260, "inotify_init": 253, "inotify_init1": 294, "fanotify_init": 300,
        "open_by_handle_at": 304, "file_setattr": 469, "syslog": 103, "ioctl": 16, "truncate": 76, "open": 2,
        "openat": 257, "openat2": 437,
    },
    "aarch64": {
        "fchmod": 52, "fchmodat": 53, "fchmodat2": 452, "utimensat": 88, "fsync": 82, "fdatasync": 83, "msync": 227,
        "sync_file_range": 84, "setxattr": 5, "lsetxattr": 6, "fsetxattr": 7, "getxattr": 8, "lgetxattr": 9,
        "fgetxattr": 10, "listxattr": 11, "llistxattr": 12, "flistxattr": 13, "removexattr": 14, "lremovexattr": 15,
        "fremovexattr": 16, "setxattrat": 463, "getxattrat": 464, "listxattrat": 465, "removexattrat": 466,
        "fallocate": 47, "fchown": 55, "fchownat": 54, "inotify_init1": 26, "fanotify_init": 262,
        "open_by_handle_at": 265, "file_setattr": 469, "syslog": 116, "ioctl": 29, "truncate": 45, "openat": 56,
        "openat2": 437,
    },
}  # fmt: skip
DONE = 0  # as an error number: the call reports success and does nothing
# A correct program may do these to its own files, as shutil.copy does, but no program may do them to the host's. Setting modes and times,
# and syncing, report success and do nothing. Extended attributes and preallocation fail as on a file system that has none.
SHARED = {
    **dict.fromkeys(("chmod", "fchmod", "fchmodat", "fchmodat2", "utime", "utimes", "futimesat", "utimensat"), DONE),
    **dict.fromkeys(("fsync", "fdatasync", "msync", "sync_file_range"), DONE),
    **{
        before + "xattr" + after: errno.EOPNOTSUPP
        for do in ("set", "get", "list", "remove")
        for before, after in ((do, ""), ("l" + do, ""), ("f" + do, ""), (do, "at"))
    },
    "fallocate": errno.EOPNOTSUPP,
    **dict.fromkeys(("chown", "fchown", "lchown", "fchownat", "file_setattr"), errno.EPERM),
    **dict.fromkeys(("inotify_init", "inotify_init1", "fanotify_init", "open_by_handle_at", "syslog"), errno.EPERM),
}
# Commands of file systems and devices: only those that Python itself uses. TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX,
# FIOCLEX, TCGETS2, FICLONE, FS_IOC_GETFLAGS. Others (flags, snapshots, verity) change files that are open for reading only.
SHARED_COMMANDS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451, 0x802C542A, 0x40049409, 0x80086601)
UNTRUNCATED = {"truncate": errno.EPERM, "openat2": errno.ENOSYS}
OPEN_FLAGS = {"open": 24, "openat": 32}  # their offsets in struct seccomp_data
O_ACCMODE, O_TRUNC = 3, 0x200
TRUNCATE_LEVEL = 3  # Landlock governs truncation from this level on
OWN_PROCESS_ONLY = ("kill", "tgkill", "prlimit64")
# Commands (second arguments) that make a descriptor signal another process: F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE, F_NOTIFY;
# FIOSETOWN, SIOCSPGRP. And types of socket pairs that can send to any socket: SOCK_DGRAM and SOCK_RAW, with all flags.
FORBIDDEN_COMMANDS = {
    "fcntl": (8, 10, 15, 1024, 1026),
    "ioctl": (0x8901, 0x8902),
    "socketpair": tuple(kind | flags for kind in (2, 3) for flags in (0, 0x800, 0x80000, 0x80800)),
}
FORKING = ("clone", "fork", "vfork", "prctl", "setpgid")  # calls of a process that forks others and puts a filter on them
CLONE_THREAD = 0x10000
ANY_PID = 0x7FABCDEF  # placeholder for the process's own number
USELESS = 255  # exit status of a fork that can still signal others despite its filter; not the number of an error
ALLOW, ERRNO = 0x7FFF0000, 0x00050000
LOAD, JUMP_EQ, JUMP_GE, JUMP_SET, RETURN, AND = 0x20, 0x15, 0x35, 0x45, 0x06, 0x54
NUMBER, ARCHITECTURE, FIRST, SECOND = 0, 4, 16, 24  # offsets in struct seccomp_data (arguments: their low halves)


def _step(code, k, yes=0, no=0):
    return struct.pack("HBBI", code, yes, no, k)  # struct sock_filter


def _program(audit, calls, pid, shared):
    steps = [
        _step(LOAD, ARCHITECTURE), _step(JUMP_EQ, audit, 1, 0), _step(RETURN, ERRNO | errno.EPERM),
        _step(LOAD, NUMBER),
        # The x32 calls of x86-64 have bit 30 set: they are the same calls under other numbers.
        _step(JUMP_GE, 0x40000000, 0, 1), _step(RETURN, ERRNO | errno.EPERM),
    ]  # fmt: skip
    for name, number in calls.items():
        if name == "clone":
            body = [
                _step(LOAD, FIRST), _step(JUMP_SET, CLONE_THREAD, 1, 0),
                _step(RETURN, ERRNO | errno.EAGAIN), _step(RETURN, ALLOW),
            ]  # fmt: skip
        elif name in OWN_PROCESS_ONLY:
            other = 0 if name == "prlimit64" else pid
            body = [
                _step(LOAD, FIRST), _step(JUMP_EQ, pid, 1, 0), _step(JUMP_EQ, other, 0, 1),
                _step(RETURN, ALLOW), _step(RETURN, ERRNO | errno.EPERM),
            ]  # fmt: skip
        elif name in FORBIDDEN_COMMANDS:
            body = [_step(LOAD, SECOND)]
            for command in FORBIDDEN_COMMANDS[name]:
                body += [_step(JUMP_EQ, command, 0, 1), _step(RETURN, ERRNO | errno.EPERM)]
            body.append(_step(RETURN, ALLOW))
        else:
            # clone3 hides its flags behind a pointer: "not implemented" makes libc use clone instead.
            body = [_step(RETURN, ERRNO | (errno.ENOSYS if name == "clone3" else errno.EPERM))]
        steps += [_step(JUMP_EQ, number, 0, len(body)), *body]
    for number, body in shared:
        steps += [_step(JUMP_EQ, number, 0, len(body)), *body]
    steps.append(_step(RETURN, ALLOW))
    return b"".join(steps)


def _shared(calls, truncates):
    """[number, steps] of the calls that are also refused if files are the host's. `truncates`: Landlock governs truncation."""
    rules = SHARED if truncates else {**SHARED, **UNTRUNCATED}
    for name, number in calls.items():
        if name in rules:
            yield number, [_step(RETURN, ERRNO | rules[name])]
        elif name == "ioctl":
            known = [_step(JUMP_EQ, command, len(SHARED_COMMANDS) - i) for i, command in enumerate(SHARED_COMMANDS)]
            yield number, [_step(LOAD, SECOND), *known, _step(RETURN, ERRNO | errno.ENOTTY), _step(RETURN, ALLOW)]
        elif name in OPEN_FLAGS and not truncates:  # O_TRUNC only if the file is opened for writing: who may write to it may empty it
            yield number, [
                _step(LOAD, OPEN_FLAGS[name]), _step(JUMP_SET, O_TRUNC, 0, 4), _step(AND, O_ACCMODE),
                _step(JUMP_EQ, os.O_WRONLY, 2, 0), _step(JUMP_EQ, os.O_RDWR, 1, 0), _step(RETURN, ERRNO | errno.EPERM),
                _step(RETURN, ALLOW),
            ]  # fmt: skip


class _Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.c_char_p)]


def prepare(landlock=None, forks=False):
    """
    Returns a function that filters the calling process from then on. `landlock`: the level of Landlock around it, if its files are
    the host's. `forks`: it may fork processes that filter themselves further (state.py). Raises OSError if no fork of this process can be
    filtered.
    """
    system, machine = os.uname().sysname, os.uname().machine
    if system != "Linux" or machine not in ARCHITECTURES:
        known = " and ".join(ARCHITECTURES)
        raise OSError("the filter supports Linux on %s only; this is %s on %s" % (known, system, machine))
    audit, calls = ARCHITECTURES[machine]
    if forks:
        calls = {name: number for name, number in calls.items() if name not in FORKING}
    shared = []
    if landlock is not None:
        shared = list(_shared(SHARED_ARCHITECTURES[machine], landlock >= TRUNCATE_LEVEL))
        calls = {name: number for name, number in calls.items() if name != "ioctl"}
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4

    # Assembled once; a fork only inserts its own number.
    template, place = _program(audit, calls, ANY_PID, shared), struct.pack("I", ANY_PID)

    def install():
        program = template.replace(place, struct.pack("I", os.getpid()))
        steps = _Filter(len(program) // 8, program)
        PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
        if prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or prctl(
            PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(steps), 0, 0
        ):
            raise OSError(ctypes.get_errno(), "the kernel refused the seccomp filter")

    _rehearse(install)
    return install


def _rehearse(install):
    """Raises OSError unless a fork can install the filter and can then no longer signal this process."""
    pid = os.fork()
    if pid == 0:
        status = USELESS
        try:
            status = _try_out(install)
        finally:
            os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if status == USELESS:
        raise OSError("the filter does not stop a process from signalling others")
    if status != 0:
        raise OSError("the kernel refuses it: " + os.strerror(status))


def _try_out(install):
    try:
        install()
    except OSError as error:
        return error.errno
    try:
        os.kill(os.getppid(), 0)
    except PermissionError:
        return 0
    return USELESS


def forbid_tracing():
    """Keeps processes of the same user from reading or tracing the calling one and its forks (PR_SET_DUMPABLE 0)."""
    if os.name == "posix" and os.uname().sysname == "Linux":
        ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
