"""Records the results of scipy and numpy for small calibration problems: test/fixtures/metrics/calibration.json.

Needs scipy >= 1.12 and numpy. Platt's sigmoid is minimised with BFGS from its definition. Expected calibration error is summed bin
by bin with numpy.digitize. Both are written here independently.
"""

import json
import sys

import numpy as np
import scipy
from scipy.optimize import isotonic_regression, minimize


def isotonic_case(name, values, weights):
    fitted = isotonic_regression(values, weights=weights).x
    return {"name": name, "values": list(values), "weights": list(weights), "fitted": fitted.tolist()}


def platt_case(name, scores, labels):
    scores, labels = np.asarray(scores), np.asarray(labels)
    clipped = np.clip(scores, 1e-12, 1 - 1e-12)
    x = np.log(clipped / (1 - clipped))
    positives = labels.sum()
    low, high = 1 / (len(labels) - positives + 2), (positives + 1) / (positives + 2)
    targets = low + labels * (high - low)

    def loss(parameters):
        z = parameters[0] * x + parameters[1]
        value = np.logaddexp(0, z).sum() - (targets * z).sum()
        error = 1 / (1 + np.exp(-z)) - targets
        return value, np.array([(error * x).sum(), error.sum()])

    bounds = [(1e-3, None), (None, None)]
    found = minimize(loss, [1, 0], jac=True, method="L-BFGS-B", bounds=bounds, options={"ftol": 1e-16, "gtol": 1e-12, "maxiter": 9999})
    return {"name": name, "scores": scores.tolist(), "labels": labels.tolist(), "slope": found.x[0], "intercept": found.x[1]}


def ece_case(name, scores, labels, bins):
    scores, labels = np.asarray(scores), np.asarray(labels)
    index = np.digitize(scores, np.linspace(0, 1, bins + 1)[1:-1])
    width = sum(
        (index == b).mean() * abs(labels[index == b].mean() - scores[index == b].mean()) for b in range(bins) if (index == b).any()
    )
    parts = np.array_split(np.argsort(scores, kind="stable"), bins)  # no ties in scores; the number of rows is a multiple of `bins`
    mass = sum(len(p) / len(scores) * abs(labels[p].mean() - scores[p].mean()) for p in parts)
    return {"name": name, "scores": scores.tolist(), "labels": labels.tolist(), "bins": bins, "width": width, "mass": mass}


def main():
    random = np.random.default_rng(7)
    x = random.random(60)
    soft = np.clip(x**2 + 0.2 * random.normal(size=60), 0, 1).round(2)
    hard = (random.random(60) < x).astype(float)
    ties = np.repeat(random.random(12), 5).round(1)
    out = {
        "versions": {"scipy": scipy.__version__, "numpy": np.__version__},
        "isotonic": [
            isotonic_case("noise", soft, np.ones(60)),
            isotonic_case("weights", soft[:30], random.integers(1, 9, 30).astype(float)),
            isotonic_case("ties", ties, np.ones(60)),
            isotonic_case("falling", np.linspace(1, 0, 9), np.ones(9)),
            isotonic_case("rising", np.linspace(0, 1, 9), np.ones(9)),
            isotonic_case("one", [0.3], [2.0]),
        ],
        "platt": [
            platt_case("soft labels", x, soft),
            platt_case("hard labels", x, hard),
            platt_case("separable", [0.1, 0.2, 0.3, 0.7, 0.8, 0.9], [0, 0, 0, 1, 1, 1]),
            platt_case("against the labels", x, 1 - hard),
            platt_case("scores of 0 and 1", [0, 0, 0.4, 0.6, 1, 1], [0, 0.5, 0.2, 1, 1, 0.5]),
        ],
        "ece": [
            ece_case("soft labels", x, soft, 15),
            ece_case("hard labels", x, hard, 10),
            ece_case("all in one bin", x * 0.05, soft, 15),
        ],
    }
    json.dump(out, open(sys.argv[1], "w"), indent=1)


main()
