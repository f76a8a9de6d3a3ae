"""The folder that programs may write to. It is made and removed with a server, emptied after each program no matter what the program did
there, and watched while one runs."""
import fcntl
import os
import signal
import time

MOST_FILES = 10_000  # a program that makes more, links included, fills the kernel's memory
MOST_BYTES = 64 << 20  # the same as in bubblewrap's separate file system
MOST_DEPTH = 200  # of nested folders
PAUSE = 2  # the pause before the next look, as a multiple of the time that the last one took
OFTEN = 5  # every fifth look also counts hidden files, which costs more
FALLBACK = ("/tmp", "/var/tmp")  # used if the requested folder cannot be written, for example by a process that has just given up root
TRIES = 50  # attempts to remove the folder, 0.1 s apart: a process that writes there may be about to end
DELETED = b" (deleted)"
SET_FLAGS = 0x40086602  # FS_IOC_SETFLAGS of linux/fs.h


class Folder:
    """`alone`: the folder is a separate file system, which knows how much is in it and limits the bytes."""

    def __init__(self, path, alone):
        self.path, self.alone = path, alone
        self.next, self.looks = 0.0, 0  # when it is time to look again
        self.given = {}  # links that are not the program's: name -> target

    def clear(self):
        self.given = {}
        clear(self.path)

    def give(self, links):
        """Puts links into the folder: {name: target}."""
        self.given = links
        for name, target in links.items():
            os.symlink(target, os.path.join(self.path, name))

    def crowded(self, pid, file_bytes):
        """Whether the process has put more into the folder than it may. A file has at most `file_bytes` bytes."""
        if self.alone:
            left = os.statvfs(self.path)
            return left.f_files - left.f_ffree > MOST_FILES + len(self.given)
        began = time.monotonic()
        if began < self.next:
            return False
        self.looks += 1
        found = is_full(self.path, self.given) or (self.looks % OFTEN == 0 and file_bytes * hidden(self.path, pid) > MOST_BYTES)
        self.next = time.monotonic() + PAUSE * (time.monotonic() - began)
        return found


class TooMany(Exception):
    pass


def links_to(files):
    """The links that show all that is in the folder `files`, which is read-only."""
    return {name: os.path.join(files, name) for name in sorted(os.listdir(files))}


def is_full(directory, given):
    """Whether the folder holds more than a program may have, besides the links `given`. Exact only while its contents do not change."""
    files = size = 0

    def look(handle, depth):
        nonlocal files, size
        try:
            with os.scandir(handle) as entries:
                for entry in entries:
                    found = status(entry)
                    if found is None or (depth == 1 and entry.name in given and entry.is_symlink()):
                        continue
                    files, size = files + 1, size + 512 * found.st_blocks
                    nested = entry.is_dir(follow_symlinks=False)
                    if files > MOST_FILES or size > MOST_BYTES or (nested and depth == MOST_DEPTH):
                        raise TooMany
                    below = open_folder(entry.name, handle) if nested else None
                    if below is not None:
                        look(below, depth + 1)
        finally:
            os.close(handle)

    try:
        look(os.open(directory, os.O_RDONLY | os.O_DIRECTORY), 1)
        return False
    except TooMany:
        return True


def status(entry):
    try:
        return entry.stat(follow_symlinks=False)
    except OSError:
        return None  # it is gone


def open_folder(name, above):
    """A handle of the folder `name` within the folder of the handle `above`; None if it is gone."""
    flags = os.O_DIRECTORY | os.O_NOFOLLOW
    try:
        handle = os.open(name, os.O_PATH | flags, dir_fd=above)
    except OSError:
        return None
    try:
        path = "/proc/self/fd/%d" % handle
        try:
            return os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        except PermissionError:  # its mode forbids reading; the handle still refers to this folder, so no other one is changed
            os.chmod(path, 0o700)
            return os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return None
    finally:
        os.close(handle)


def hidden(directory, pid):
    """How many files of the folder a process has deleted but keeps mapped in its memory. (Deleted files that it has open are few.)"""
    try:
        with open("/proc/%d/maps" % pid, "rb") as file:
            text = file.read()
    except OSError:
        return 0  # it has ended
    if DELETED not in text:
        return 0
    before = os.fsencode(directory) + b"/"
    return len({line.split(None, 5)[4] for line in text.splitlines() if line.endswith(DELETED) and before in line})


def clear(directory):
    """Empties the folder, for any depth, names, modes and times, so that nothing reaches the next candidate."""
    top = os.fsencode(directory)
    os.chmod(top, 0o700)
    for name in os.listxattr(top) if hasattr(os, "listxattr") else ():
        os.removexattr(top, name)
    forget_flags(top)
    handle, above = os.open(top, os.O_RDONLY | os.O_DIRECTORY), []
    below = empty(handle)
    # Goes down and up with one handle: any depth works, and no folder has to be moved, which Landlock on early kernels forbids.
    while below or above:
        if below:
            name = below.pop()
            os.chmod(name, 0o700, dir_fd=handle)
            handle = step(handle, name)
            above.append((name, below))
            below = empty(handle)
        else:
            handle = step(handle, "..")
            name, below = above.pop()
            os.rmdir(name, dir_fd=handle)
    os.close(handle)
    os.utime(top, (0, 0))


def step(handle, name):
    """Goes from one folder to another, by a name in it. Closes the old handle."""
    there = os.open(name, os.O_RDONLY | os.O_DIRECTORY, dir_fd=handle)
    os.close(handle)
    return there


def empty(handle):
    """Deletes everything except folders. Returns the folders' names."""
    below = []
    with os.scandir(handle) as entries:
        for entry in list(entries):
            if entry.is_dir(follow_symlinks=False):
                below.append(entry.name)
            else:
                os.unlink(entry.name, dir_fd=handle)
    return below


def forget_flags(directory):
    """Clears the flags of chattr, if the file system has them: a user may set some (no dump, no access time)."""
    handle = os.open(directory, os.O_RDONLY)
    try:
        fcntl.ioctl(handle, SET_FLAGS, bytes(8))
    except OSError:
        pass
    finally:
        os.close(handle)


def make_folder(parent):
    """Makes a folder that nobody else can enter. A process that outlives all others of this server removes it."""
    name = "codescore-" + os.urandom(8).hex()
    for number, place in enumerate((parent, *FALLBACK)):
        path = os.path.join(os.path.realpath(place), name)
        try:
            os.mkdir(path, 0o700)
            break
        except OSError as error:
            if number == len(FALLBACK):
                raise OSError(error.errno, "cannot create a folder in %s or %s" % (parent, " or ".join(FALLBACK)))
    waits, held = os.pipe()  # the server and its forks hold the other end
    if os.fork() == 0:
        try:
            os.close(held)
            remove_after(waits, path)
        finally:
            os._exit(0)
    os.close(waits)
    os.set_inheritable(held, True)  # also after this process has executed another program
    return path


def remove_after(waits, path):
    os.setsid()
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    null = os.open(os.devnull, os.O_RDWR)
    for handle in range(3):
        os.dup2(null, handle)
    os.read(waits, 1)
    for _ in range(TRIES):
        try:
            clear(path)
            os.rmdir(path)
            return
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(0.1)
