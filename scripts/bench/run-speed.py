"""
Compares the CPU seconds of `codescore score --run`, which generates its inputs, with those of `codescore label` on the recorded tests of the same
programs: the 1,540 of he-eval-dev, alternating, each with an empty cache. Not wall time, because the machine may have other work.

usage: npm run build && python3 scripts/bench/run-speed.py DATA_FOLDER [RUNS]
"""
import gzip
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

MAIN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "dist", "cli", "main.js")
LOOK_S = 0.05
TICK_S = 1 / os.sysconf("SC_CLK_TCK")


def read(path):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def write_rows(problems, samples, path):
    problems = {problem["task_id"]: problem for problem in problems}
    with open(path, "w", encoding="utf-8") as file:
        for i, sample in enumerate(samples):
            task = sample["task_id"]
            prompt, solution = problems[task]["prompt"], problems[task]["canonical_solution"]
            row = {"candidate": prompt + sample["completion"], "reference": prompt + solution, "description": prompt}
            file.write(json.dumps({"id": str(i), "task_id": task, **row}) + "\n")


def below(root):
    """CPU seconds of a process and its descendants, including ended ones that their parents have waited for."""
    found = {}
    for name in os.listdir("/proc"):
        try:
            if name.isdigit():
                with open("/proc/%s/stat" % name, "rb") as file:
                    stat = file.read().rsplit(b")", 1)[1].split()
                found[int(name)] = int(stat[1]), TICK_S * sum(map(int, stat[11:15]))
        except OSError:
            pass
    total, level = 0.0, {root}
    while level:
        total += sum(found[pid][1] for pid in level if pid in found)
        level = {pid for pid, (parent, _) in found.items() if parent in level}
    return total


def cpu_seconds(arguments, cache):
    """
    CPU seconds of a command. They are sampled while it runs, because the time used in a sandbox's namespace is lost when the namespace is killed.
    Only the time between the last sample and the end is missed.
    """
    process = subprocess.Popen(
        ["node", MAIN, *arguments], env={**os.environ, "CODESCORE_CACHE": cache}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    most = 0.0
    while process.poll() is None:
        most = max(most, below(process.pid))
        time.sleep(LOOK_S)
    if process.returncode != 0:
        sys.exit("%s ended with status %d" % (arguments[0], process.returncode))
    return most


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return "%d x %s" % (len(names), names[0]) if names else "unknown processor"


def main(data, runs=3):
    folder = os.path.join(data, "he-eval-dev")
    problems, samples = [os.path.join(folder, name + ".jsonl.gz") for name in ("problems", "samples")]
    used = {"label": [], "score --run": []}
    with tempfile.TemporaryDirectory() as scratch:
        rows = os.path.join(scratch, "rows.jsonl")
        count = len(read(samples))
        write_rows(read(problems), read(samples), rows)
        commands = {
            "label": ["label", "--problems", problems, "--samples", samples, "--output", os.path.join(scratch, "labels.arrow")],
            "score --run": ["score", "--run", "--input", rows, "--output", os.path.join(scratch, "scores.jsonl")],
        }
        for run in range(int(runs)):
            for name, arguments in commands.items():
                with tempfile.TemporaryDirectory() as cache:
                    used[name].append(cpu_seconds(arguments, cache))
                print("run %d: %s %.1f CPU s" % (run + 1, name, used[name][-1]), flush=True)
    median = {name: statistics.median(seconds) for name, seconds in used.items()}
    print("%s, %d programs, medians of %s runs" % (processor(), count, runs))
    for name, seconds in median.items():
        print("%s: %.1f CPU s, %.0f programs a CPU second" % (name, seconds, count / seconds))
    print("score --run is %.2f times as fast as label" % (median["label"] / median["score --run"]))


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__.strip())
    main(*sys.argv[1:])
