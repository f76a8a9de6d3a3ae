"""Runs a program of our own a few times before any is forked: Python adapts code that runs often (PEP 659), and forked processes inherit that."""
import gc

import candidate
from endless import Watch
from shortcuts import analyse
from suites import compile_suite

TIMES = 6  # 1 to 4 ms each
PROGRAM = '''
from typing import List, Optional


def halve(x: int, y: int = 2) -> Optional[list]:
    """Halves x."""
    if x % 2 == 0 and not y < 0 or x is None:
        return x // y
    elif x > 10:
        raise ValueError("too large")
    return [i for i in range(x)][-1:] if x else None


def f(values: List[int], text=None):
    total, seen, kinds = 0, {}, set()
    for i, value in enumerate(values):
        if isinstance(value, int):
            total += value * 2 - 1
            seen[value] = seen.get(value, 0) + 1
        else:
            kinds.add((i, value))
    try:
        total += len(text.split(" "))
    except AttributeError:
        pass
    while total > 100:
        total -= 1
    words = sorted(seen, key=lambda word: (str(word), 1))
    return [total, words, {k: v for k, v in seen.items()}, kinds, halve(total), text, 1.5, max(seen, default=True)]
'''
INPUTS = ["[1, 2], 'a b'", "['x', 2.5, None]", "[]", "5", "[10, 'b'], 'c'"]


def warm_up():
    suite = compile_suite({"mode": "call", "entry": "f", "setup": "", "inputs": INPUTS})
    suite["shareable"] = True
    thresholds = gc.get_threshold()
    programs = [candidate.Program(suite, 0, len(INPUTS), PROGRAM) for _ in range(TIMES)]
    candidate.run_all(programs, 10_000, lambda line: None, lambda program: analyse(program, Watch()), True)
    gc.set_threshold(*thresholds)
