"""Records scipy's Wilcoxon signed-rank tests and NLTK's Krippendorff's alpha: test/fixtures/metrics/ratings.json.

Run as `python scripts/record/ratings.py > test/fixtures/metrics/ratings.json` with scipy 1.17.1 and nltk 3.10.3. Without
ties, p is the exact one of scipy.stats.wilcoxon. With ties scipy has no exact p, so all signs are enumerated with
scipy.stats.permutation_test. NLTK has alpha, but no ordinal distance, which is implemented here from Krippendorff (2011).
"""

import json
import random
import sys

import nltk
import numpy as np
import scipy
from nltk.metrics.agreement import AnnotationTask
from scipy.stats import permutation_test, rankdata, wilcoxon

rng = np.random.default_rng(1)


def untied(name, differences):
    result = wilcoxon(differences, method="exact")
    positive = rankdata(np.abs(differences))[np.asarray(differences) > 0].sum()
    return {"name": name, "differences": list(differences), "statistic": positive, "p": result.pvalue}


def tied(name, differences):
    tested = np.asarray([d for d in differences if d != 0], float)
    ranks = rankdata(np.abs(tested))

    # permutation_test with "samples" flips the sign of each observation
    def statistic(x):
        return np.sum(np.where(x > 0, ranks, 0))

    found = permutation_test((tested,), statistic, permutation_type="samples", n_resamples=np.inf, vectorized=False)
    return {"name": name, "differences": list(differences), "statistic": found.statistic, "p": found.pvalue}


def alpha_case(name, units):
    rated = [values for values in units if len(values) > 1]
    flat = [value for values in rated for value in values]

    def ordinal(a, b):
        low, high = min(a, b), max(a, b)
        between = sum(1 for value in flat if low <= value <= high)
        return (between - (flat.count(a) + flat.count(b)) / 2) ** 2 if a != b else 0

    data = [(coder, unit, value) for unit, values in enumerate(rated) for coder, value in enumerate(values)]
    return {"name": name, "units": units, "alpha": AnnotationTask(data=data, distance=ordinal).alpha()}


# Krippendorff (2011), p. 1: four observers, twelve units. The paper reports .815 for ordinal data.
KRIPPENDORFF = [[1, 1, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4], [4, 4, 4, 4],
                [1, 1, 2, 1], [2, 2, 2, 2], [5, 5, 5], [1, 1], [3]]

random.seed(1)
noisy = [[min(5, max(0, round(true + random.gauss(0, 1)))) for _ in range(random.choice([1, 2, 3, 5]))]
         for true in [random.randint(0, 5) for _ in range(60)]]
record = {
    "made_with": {"python": sys.version.split()[0], "scipy": scipy.__version__, "nltk": nltk.__version__},
    "signed_rank": [
        untied("normal, 12", (rng.normal(0.4, 1, 12)).round(6).tolist()),
        untied("normal, 40", (rng.normal(0.5, 1, 40)).round(6).tolist()),
        untied("no effect, 25", (rng.normal(0, 1, 25)).round(6).tolist()),
        untied("one", [0.5]),
        untied("all above", [float(i) for i in range(1, 16)]),
        tied("ties", [1, 1, -1, 2, 2, 3, -2, 1, 4, 1]),
        tied("ties and zeros", [0, 1, 0, -1, 2, 2, 3, -3, 1, 4, 0, 1, 2, -2]),
        tied("all equal", [1, 1, 1, 1, 1, 1, 1]),
        tied("halves", [0.5, 1.5, -0.5, 2, 0.5, 1, 1, -1.5, 3, 2.5, 0.5]),
        tied("balanced", [1, -1, 2, -2]),
    ],
    "krippendorff_ordinal": [
        alpha_case("Krippendorff 2011", KRIPPENDORFF),
        alpha_case("noisy", noisy),
        alpha_case("two raters, opposed", [[0, 5], [5, 0], [1, 4], [4, 1], [2, 3]]),
        alpha_case("agreement", [[0, 0], [3, 3, 3], [5, 5]]),
    ],
}
print(json.dumps(record, indent=1))
