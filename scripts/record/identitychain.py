"""Correlations of similarities with the Test Output Match by SciPy, from the steps.jsonl of

    codescore rtc identity --recorded chains.jsonl.gz --sims exact,bleu,chrf,codebleu --output DIR

TOM and the pass/fail match are computed from the recorded texts, not from our results.
Usage: identitychain.py chains.jsonl.gz DIR/steps.jsonl > test/fixtures/identitychain.json
"""

import gzip
import json
import sys

import scipy
from scipy.stats import kendalltau, pearsonr, spearmanr

tom, match = {}, {}
for line in gzip.open(sys.argv[1], "rt"):
    row = json.loads(line)
    before, after = row["PL_0_results"], row["PL_1_results"]
    tom[row["task_id"]] = sum(a == b for a, b in zip(before, after, strict=True)) / len(before)
    match[row["task_id"]] = int(all(x == "Passed" for x in before) == all(x == "Passed" for x in after))

rows = [row for row in map(json.loads, open(sys.argv[2])) if row["step"] == 1]
out = {"made_by": f"scripts/record/identitychain.py, scipy {scipy.__version__}"}
for name in ["exact", "bleu", "chrf", "codebleu"]:
    values = [row["sims"][name] for row in rows]
    toms = [tom[row["task_id"]] for row in rows]
    out[name] = {
        "spearman": spearmanr(values, toms).statistic,
        "pearson": pearsonr(values, toms).statistic,
        "kendall": kendalltau(values, toms).statistic,
        "match_spearman": spearmanr(values, [match[row["task_id"]] for row in rows]).statistic,
    }
print(json.dumps(out, indent=2))
