"""Compares the system call numbers of src/execute/python/seccomp.py with the kernel's headers. Run it by hand on one of the architectures.

usage: check-seccomp.py [ARM64_HEADERS]
Debian: apt-get install linux-libc-dev; apt-get download linux-libc-dev-arm64-cross && dpkg -x FILE.deb DIR, then
check-seccomp.py DIR/usr/aarch64-linux-gnu/include. Without the argument it uses the generic table, which arm64 shares.
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "src", "execute", "python"))
import seccomp  # noqa: E402

# <linux/audit.h> combines: 0x80000000 (64 bit) | 0x40000000 (little endian) | the machine number of <linux/elf-em.h>
AUDIT = {"x86_64": 0xC0000000 | 62, "aarch64": 0xC0000000 | 183}


def numbers(path):
    with open(path) as file:
        return {name: int(number) for name, number in re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", file.read())}


include = sys.argv[1] if len(sys.argv) > 1 else "/usr/include"
headers = {
    "x86_64": numbers("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": numbers(os.path.join(include, "asm-generic", "unistd.h")),
}
wrong = 0
for machine, (audit, refused) in seccomp.ARCHITECTURES.items():
    wrong += audit != AUDIT[machine]
    calls = {**refused, **seccomp.SHARED_ARCHITECTURES[machine]}
    unknown = [name for name in calls if name not in headers[machine]]  # newer than these headers
    for name, number in calls.items():
        if headers[machine].get(name, number) != number:
            print("%s: %s is %s, not %d" % (machine, name, headers[machine].get(name), number))
            wrong += 1
    # arm64 has only clone, and only the calls that take a directory descriptor
    old = {"fork", "vfork", "chmod", "utime", "utimes", "futimesat", "chown", "lchown", "inotify_init", "open"}
    missing = {**seccomp.ARCHITECTURES["x86_64"][1], **seccomp.SHARED_ARCHITECTURES["x86_64"]}.keys() - calls - old
    wrong += len(missing)
    print("%s: %d calls compared" % (machine, len(calls) - len(unknown)))
    for what, names in (("missing", missing), ("not in these headers", unknown)):
        if names:
            print("%s: %s %s" % (machine, what, ", ".join(sorted(names))))
sys.exit(1 if wrong else 0)
