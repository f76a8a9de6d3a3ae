"""The packages of an environment (--python): where they are looked for, and those that are imported once, before programs are forked.

Importing pandas takes half a second, and most programs of a problem want it. So the zygote imports what a program or its tests name, where
it is on the list below. The list is closed: these modules start no thread, and importing them changes nothing that a program which does not
import them can tell, but for its time. A name that is not on it is imported by the programs themselves, which get time for it (run.py).
"""
import importlib
import json
import os
import re
import sys

FOLDERS = json.loads(os.environ.pop("CODESCORE_PACKAGES", "[]"))
FILES = os.environ.pop("CODESCORE_FILES", None)  # a notebook's data files (notebook.py)
SCIPY = "cluster constants fft fftpack integrate interpolate io linalg ndimage optimize signal spatial special sparse stats"
SKLEARN = (
    "base cluster compose covariance datasets decomposition discriminant_analysis dummy ensemble exceptions feature_extraction "
    "feature_extraction.text feature_selection gaussian_process impute inspection isotonic kernel_ridge linear_model manifold metrics mixture "
    "model_selection multiclass multioutput naive_bayes neighbors neural_network pipeline preprocessing random_projection svm tree utils"
)
EARLY = {
    "numpy", "pandas", "scipy", "matplotlib", "matplotlib.pyplot", "mpl_toolkits.mplot3d", "sklearn", "sympy", "networkx", "PIL", "PIL.Image",
    "requests", "bs4", "statsmodels.api", "nltk", "unittest", "unittest.mock", "mock",
    *("scipy." + name for name in SCIPY.split()),
    *("sklearn." + name for name in SKLEARN.split()),
}  # fmt: skip
IMPORT = re.compile(r"^[ \t]*(?:from[ \t]+([\w.]{1,60})[ \t]+import\b(.{0,200})|import[ \t]+(.{1,200}))", re.M | re.A)
NAME = re.compile(r"[\w.]+", re.A)
MOST = 200  # names of a text that are looked at


def extend_path():
    """The packages come after the standard library, as in their environment."""
    sys.path.extend(folder for folder in FOLDERS if folder not in sys.path)


def named(text):
    """Names of modules that a program's text may import, as they stand in it; the program is not parsed, for it may be anything."""
    found = set()
    for match in IMPORT.finditer(text):
        module, parts, modules = match.groups()
        names = [module + "." + part for part in NAME.findall(parts)] + [module] if module else [m.strip().split(" ")[0] for m in modules.split(",")]
        for name in names:
            found.add(name)
        if len(found) > MOST:
            break
    return found


class Imports:
    """What a guard has its zygote import, each once."""

    def __init__(self, forks):
        self.forks, self.asked, self.roots = forks, set(), set()
        if FOLDERS:
            self.roots = roots()
            self._ask({"numpy"})  # whatever runs: its random numbers begin alike (see `import_all`)

    def before(self, texts, isolate):
        """Has imported what texts name, where it is early; returns whether they want any package at all."""
        if not FOLDERS:
            return False
        names = set().union(*map(named, texts))
        if not isolate:
            self._ask(names & EARLY)
        return any(name.partition(".")[0] in self.roots for name in names)

    def _ask(self, names):
        new = sorted(names - self.asked)
        if new:
            self.asked.update(new)
            self.forks.send(op="import", names=new)


def roots():
    """Names that the environment's folders have, without importing any."""
    found = set()
    for folder in FOLDERS:
        try:
            found.update(name.partition(".")[0] for name in os.listdir(folder))
        except OSError:
            pass
    return found


def import_all(names):
    """In the zygote. What cannot be imported is left for the programs, which say so."""
    for name in names:
        if name == "matplotlib.pyplot":
            names = [*names, "matplotlib.backends.backend_agg"]  # it is looked for at the first figure
    for name in names:
        try:
            importlib.import_module(name)
        except BaseException:
            pass
    if "numpy" in sys.modules:  # as `random`, which every program finds in one state
        try:
            sys.modules["numpy"].random.seed(0)
        except BaseException:
            pass
