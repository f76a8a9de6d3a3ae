"""The modules that a program's text imports, found by a pattern. The text is not parsed, because it may not be Python."""
import importlib
import re
import sys
from time import process_time

IMPORT = re.compile(r"^([ \t]*)(?:from[ \t]+([\w.]{1,60})[ \t]+import\b(.{0,200})|import[ \t]+(.{1,200}))", re.M | re.A)
NAME = re.compile(r"[\w.]+", re.A)
MOST = 200  # names taken from one text
# The modules left out print, or open a browser or a window. Before Python 3.10 the set is empty.
STANDARD = getattr(sys, "stdlib_module_names", frozenset()) - {"antigravity", "idlelib", "this", "tkinter", "turtle", "turtledemo"}
LATER_S = 1.0 if sys.platform == "emscripten" else 0.4  # maximum CPU seconds of `import_later`. By default a program may take 1 s to load, 2 s in WebAssembly


def named(text, only_indented=False):
    """Names of modules that a text may import, parts of packages included."""
    found = set()
    for match in IMPORT.finditer(text):
        indent, module, parts, modules = match.groups()
        if only_indented and not indent:
            continue
        if module:
            found.update([module], (module + "." + part for part in NAME.findall(parts)))
        else:
            found.update(m.strip().split(" ")[0] for m in modules.split(","))
        if len(found) > MOST:
            break
    return found


def import_later(text):
    """
    Imports the modules of the standard library that a program imports only when it is called. Otherwise its first call would pay for them:
    `asyncio` or `unittest.mock` take longer than a call may. What fails is left to the program, which reports it.
    """
    end = process_time() + LATER_S
    names = named(text, True)
    packages = [name[:at] for name in names for at in range(len(name)) if name[at] == "."]
    for name in sorted(names.union(packages)):  # packages before their parts
        package, _, part = name.rpartition(".")
        if name in sys.modules or name.partition(".")[0] not in STANDARD:
            continue
        if package and (not hasattr(sys.modules.get(package), "__path__") or hasattr(sys.modules[package], part)):
            continue  # no module, but something in one
        if process_time() > end:
            break
        try:
            importlib.import_module(name)
        except BaseException:
            pass
