"""CPU seconds of the JSON lines between the Python client and its child, compared with those of scoring: python scripts/measure-stdio.py [ROWS]

Scores modified copies of the starter problems' solutions, without running them. Then writes and parses the same rows and results as JSON, as
both sides do. Needs the package (`pip install -e python`), Linux and Node.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from codescore import CodeScorer

NODE = """
const [rows, results] = require("node:fs").readFileSync(0, "utf8").split("\\n\\n").map((text) => text.split("\\n"));
const answers = results.map((line) => JSON.parse(line));
const before = process.cpuUsage();
rows.forEach((line) => JSON.parse(line));
answers.forEach((answer) => JSON.stringify(answer));
const { user, system } = process.cpuUsage(before);
console.log((user + system) / 1e6);
"""


def of_child(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def frames(rows: list) -> list:
    return [json.dumps({"id": 1, "rows": rows[start : start + 64]}) for start in range(0, len(rows), 64)]


count = int(sys.argv[1]) if len(sys.argv) > 1 else 3240
starter = Path(__file__).resolve().parents[1] / "datasets" / "starter" / "mbpp-style.jsonl"
problems = [json.loads(line) for line in starter.read_text(encoding="utf-8").splitlines()]
rows = []
for number in range(count):
    problem = problems[number % len(problems)]
    changed = f"{problem['code'].replace('1', str(number))}\n# {number}"
    rows.append({"candidate": changed, "reference": problem["code"], "description": problem["text"], "task_id": problem["task_id"]})

with CodeScorer() as scorer:
    scorer.score(rows[:20])
    pid = scorer._connected().child.pid  # type: ignore[attr-defined]
    began, own = of_child(pid), time.process_time()
    results = scorer.score(rows)
    scoring = of_child(pid) - began + time.process_time() - own

began = time.process_time()
sent = frames(rows)
encoding = time.process_time() - began
answered = frames(results)
began = time.process_time()
for line in answered:
    json.loads(line)
decoding = time.process_time() - began
node = float(subprocess.run(["node", "-e", NODE], input="\n\n".join("\n".join(lines) for lines in (sent, answered)), capture_output=True, text=True, check=True).stdout)
lines = encoding + decoding + node
print(f"{count} rows: scoring {scoring:.2f} CPU s, of which JSON lines {lines:.3f} s, {lines / scoring:.2%}")
