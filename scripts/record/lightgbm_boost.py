#!/usr/bin/env python3
"""Records LightGBM's trees on a small set, for test/trees/boost.test.ts: the same algorithm in an independent implementation.

usage: lightgbm_boost.py OUT.json     (pip install lightgbm numpy)
"""
import json
import sys

import lightgbm
import numpy

# With more trees, LightGBM skips splits by a feature that gained nothing one split earlier.
ROWS, SETTINGS = 400, {"trees": 6, "leaves": 8, "rate": 0.1, "leastRows": 1, "ridge": 5}

random = numpy.random.default_rng(1)
features = numpy.stack([random.poisson(2, ROWS), random.poisson(6, ROWS), random.integers(-4, 5, ROWS)], 1).astype(float)
weights = random.integers(1, 5, ROWS) / 4
odds = 0.8 * features[:, 0] - 0.3 * features[:, 1] * (features[:, 2] > 0)
targets = numpy.round(1 / (1 + numpy.exp(-odds + random.normal(0, 1, ROWS))), 2)
model = lightgbm.train(
    {
        "objective": "cross_entropy",
        "learning_rate": SETTINGS["rate"],
        "num_leaves": SETTINGS["leaves"],
        "min_data_in_leaf": 0,  # it estimates the number of rows of a leaf from their curvature
        "lambda_l2": SETTINGS["ridge"],
        "min_sum_hessian_in_leaf": 0,
        "min_data_in_bin": 1,
        "max_bin": 255,
        "enable_bundle": False,
        "feature_pre_filter": False,
        "verbose": -1,
        "num_threads": 1,
        "deterministic": True,
    },
    lightgbm.Dataset(features, targets, weight=weights),
    SETTINGS["trees"],
)
with open(sys.argv[1], "w") as file:
    json.dump(
        {
            "made_by": "scripts/record/lightgbm_boost.py, LightGBM " + lightgbm.__version__,
            "settings": SETTINGS,
            "features": features.T.tolist(),
            "targets": targets.tolist(),
            "weights": weights.tolist(),
            "predictions": [round(float(p), 8) for p in model.predict(features)],
        },
        file,
    )
    file.write("\n")
