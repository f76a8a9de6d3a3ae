"""Records the results of scipy for columns that are numerically hard for correlations: test/fixtures/metrics/correlations-hard.json.

Needs scipy (1.17.1 when last recorded) and numpy. The columns have ties, constants, huge and subnormal values, or means far larger than the
spread. scipy's r_p loses digits if a mean is far larger than the spread or lies between subnormals. So every r_p is also computed
exactly, with fractions. Where scipy's value is off by more than 1e-10, the exact one is recorded (`exact`).
"""

import json
import math
import sys
import warnings
from decimal import Decimal, getcontext
from fractions import Fraction

import numpy as np
import scipy
from scipy.stats import kendalltau, pearsonr, spearmanr

warnings.simplefilter("ignore")
rng = np.random.default_rng(7)


getcontext().prec = 50


def exact_pearson(x, y):
    x, y = [Fraction(v) for v in x], [Fraction(v) for v in y]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    xy = sum((a - mx) * (b - my) for a, b in zip(x, y))
    square = xy * xy / sum((a - mx) ** 2 for a in x) / sum((b - my) ** 2 for b in y)
    r = float((Decimal(square.numerator) / Decimal(square.denominator)).sqrt())
    return r if xy >= 0 else -r


def case(name, x, y):
    x, y = np.asarray(x, float), np.asarray(y, float)
    values = {
        "kendall_tau_b": kendalltau(x, y).statistic,
        "spearman": spearmanr(x, y).statistic,
        "pearson": pearsonr(x, y).statistic,
        "mae": float(np.abs(x - y).mean()),
    }
    values = {key: None if math.isnan(value) else float(value) for key, value in values.items()}
    if values["pearson"] is not None and abs(values["pearson"] - exact_pearson(x, y)) > 1e-10:
        values.update(pearson=exact_pearson(x, y), exact=True)
    return {"name": name, "x": x.tolist(), "y": y.tolist(), **values}


n = 40
noise = rng.random(n)
ratios = rng.integers(0, 5, n) / 4
tiny = np.round(noise * 100) * 5e-324
cases = [
    case("ties on both sides", rng.integers(0, 3, n), rng.integers(0, 3, n)),
    case("all but one tied", [0] * 19 + [1], rng.integers(0, 3, 20)),
    case("binary", rng.integers(0, 2, n), rng.integers(0, 2, n)),
    case("constant x", [0.1] * 7, noise[:7]),
    case("constant y", noise[:7], [1 / 3] * 7),
    case("both constant", [1e300] * 3, [5e-324] * 3),
    case("two rows that rise", [0.1, 0.3], [1e300, 1.5e300]),
    case("huge", noise * 1e300, ratios),
    case("huge and tiny", np.where(noise > 0.5, noise * 1e300, noise * 1e-300), ratios),
    case("huge of both signs", (noise - 0.5) * 1e300, ratios * 1e200),
    case("squares that underflow", noise * 1e-200, ratios),
    case("subnormal", noise * 1e-310, ratios),
    case("the smallest subnormals", tiny, ratios),
    case("subnormal on both sides", tiny, np.round(ratios * 8) * 5e-324),
    case("a mean of 1e9, a spread of 1e-5", 1e9 + np.round(noise * 80) * 2.0**-23, noise + ratios),
    case("a mean of 1e15, a spread of 100", 1e15 + np.round(noise * 100), ratios),
    case("negative", -noise, ratios**2),
    case("one far off", [*noise[:-1], 1e6], ratios),
    case("0 and -0", [0.0, -0.0, 1, 1, 2], [1, 2, 3, -0.0, 0.0]),
]
json.dump({"note": f"scipy {scipy.__version__}, numpy {np.__version__}", "cases": cases}, sys.stdout)
