"""The packages of an environment (--python): where they are found, and which are imported once, before programs are forked.

Importing pandas takes half a second, and most programs of a problem need it. So the zygote imports the modules that a program or its tests
name, if they are on the list below. The list is closed: these modules start no thread, and importing them changes nothing that a program which
does not import them could observe, except time. The programs themselves import all other modules, and get time for it (run.py).
"""
import importlib
import json
import os
import sys

from imports import named

FOLDERS = json.loads(os.environ.pop("CODESCORE_PACKAGES", "[]"))
FILES = os.environ.pop("CODESCORE_FILES", None)  # the folder with data files (guard.py, notebook.py)
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


def extend_path():
    """The packages come after the standard library, as in their environment."""
    sys.path.extend(folder for folder in FOLDERS if folder not in sys.path)


class Imports:
    """The early imports of a guard's zygote, each requested once."""

    def __init__(self, forks):
        self.forks, self.asked, self.roots = forks, set(), set()
        if FOLDERS:
            self.roots = roots()
            self._ask({"numpy"})  # for all programs, so that its random numbers begin alike (see `import_all`)

    def before(self, texts, isolate):
        """Imports the early modules that texts name, unless `isolate`. Returns whether the texts name any package of the environment."""
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
    """Names of modules in the environment's folders, found without importing any."""
    found = set()
    for folder in FOLDERS:
        try:
            found.update(name.partition(".")[0] for name in os.listdir(folder))
        except OSError:
            pass
    return found


def import_all(names):
    """Runs in the zygote. If an import fails, it is left to the programs, which report it."""
    for name in names:
        if name == "matplotlib.pyplot":
            names = [*names, "matplotlib.backends.backend_agg"]  # pyplot loads it for the first figure
    for name in names:
        try:
            importlib.import_module(name)
        except BaseException:
            pass
    if "numpy" in sys.modules:  # every program finds it in one state, like `random`
        try:
            sys.modules["numpy"].random.seed(0)
        except BaseException:
            pass
