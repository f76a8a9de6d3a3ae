"""Labels programs with one fresh interpreter per program, as simple harnesses do. For comparison.

usage: process-per-program.py IN.jsonl OUT.jsonl    rows and answers as in plain_labeller.py: {task_id, code, tests}. One at a time.
"""
import json
import subprocess
import sys

RUNNER = r"""
import json, os, signal, sys
rec = json.load(sys.stdin)
out = os.dup(1)
null = os.open(os.devnull, os.O_RDWR)
for f in (0, 1, 2): os.dup2(null, f)
class Timeout(BaseException): pass
def late(*_): raise Timeout()
signal.signal(signal.SIGALRM, late)
space, marks, first, slow = {"__name__": "candidate"}, [], None, 0
def run(code, space, seconds):
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try: exec(code, space)
    finally: signal.setitimer(signal.ITIMER_REAL, 0)
try: run(compile(rec["code"], "<candidate>", "exec"), space, 3.0)
except BaseException as error:
    first, marks = type(error).__name__, ["E"] * len(rec["tests"])
else:
    for test in rec["tests"]:
        if slow >= 3:
            marks.append("T"); continue
        try:
            run(test, dict(space), 1.0); marks.append("P")
        except AssertionError: marks.append("F")
        except Timeout: slow += 1; marks.append("T"); first = first or "Timeout"
        except BaseException as error: marks.append("E"); first = first or type(error).__name__
os.write(out, json.dumps(["".join(marks), first]).encode())
os._exit(0)
"""

with open(sys.argv[1]) as rows, open(sys.argv[2], "w") as answers:
    for line in rows:
        row = json.loads(line)
        try:
            done = subprocess.run([sys.executable, "-c", RUNNER], input=line.encode(), capture_output=True, timeout=8)
            marks, first = json.loads(done.stdout)
        except (subprocess.TimeoutExpired, ValueError):
            marks, first = "T" * len(row["tests"]), "Killed"
        answer = {
            "task_id": row["task_id"],
            "pass_ratio": marks.count("P") / max(1, len(row["tests"])),
            "executable": int("E" not in marks and "T" not in marks),
            "first_error": first,
        }
        answers.write(json.dumps(answer) + "\n")
