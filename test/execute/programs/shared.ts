/** Random programs for shareable.py: what they store, catch, print and raise while others share their interpreter. */
import type { Random } from "../../../src/util/random.ts";
import type { RandomProgram } from "./compare.ts";

const HEAD = `import math, re, itertools, heapq, bisect, copy, string, statistics
from collections import Counter, OrderedDict, defaultdict, deque
from functools import lru_cache, partial, reduce, cmp_to_key
from typing import Dict, List, Optional, Tuple, Union
seen, cache, ids, groups, last = [], {}, itertools.count(), defaultdict(list), deque(maxlen=3)
total = 0
@lru_cache(None)
def slow(n):
    seen.append(n)
    return n if n < 2 else slow(n - 1) + slow(n - 2)
def deep(n):
    return 0 if n <= 0 else 1 + deep(n - 1)
def kept(x, before=[]):
    before.append(x)
    return before[-4:]
def bump():
    global total
    total += 1
    return total
`;

/** A program has this or `try`, not both, because a generator's `finally` runs at garbage collection. */
const GENERATOR = `def count(n):
    for i in range(n):
        yield i, len(seen)`;

/** Some programs use a name that no shared program may use. */
const UNSHAREABLE = ["import os", "class A: pass", "print(globals)", "import sys"];

export function sharedProgram(random: Random): RandomProgram {
  const own = random.chance(0.3)
    ? [
        random.pick([
          "x = [i for i in range(9)]",
          "def helper(x): return x",
          "PATTERN = re.compile('a+')",
          "last.append(seen)",
        ]),
      ]
    : [];
  const wrong = random.chance(0.03)
    ? [random.pick(["raise ValueError('load')", "undefined", "1 / 0", "def f(:", "deep(5000)"])]
    : [];
  const generates = random.chance(0.2);
  const lines = Array.from({ length: random.int(1, 5) }, () => statement(random, !generates)).flat();
  const code = [
    HEAD + [...own, ...wrong].join("\n"),
    ...(random.chance(0.05) ? [random.pick(UNSHAREABLE)] : []),
    ...(generates ? [GENERATOR] : []),
    "def f(x):",
    "    out = []",
    ...(generates ? ["    out += count(3)"] : []),
    ...lines.map((line) => `    ${line}`),
    "    return out",
    "",
  ].join("\n");
  const args = Array.from({ length: random.int(2, 4) }, () =>
    random.pick(["0", "1", "3", "7", "'aab'", "[3, 1, 2]", "-2", "12", "2.5", "None"]),
  );
  return { code, entry: "f", args };
}

function statement(random: Random, catches: boolean): string[] {
  const one = `out.append(${expression(random)})`;
  if (catches && random.chance(0.25)) {
    const caught = random.pick(["Exception", "TypeError", "(ValueError, RecursionError)", "MemoryError"]);
    return ["try:", `    ${one}`, `except ${caught} as error:`, "    out.append(error.args)"];
  }
  if (random.chance(0.1)) return [`for k in range(${random.int(1, 20)}):`, `    ${one}`];
  return [one];
}

function expression(random: Random): string {
  const k = random.int(1, 9);
  const kind = (): string => random.pick(["int", "str", "float", "List[int]", "Dict[str, int]", "Tuple[int, ...]"]);
  return random.pick([
    "len(seen)",
    "seen.append(x) or len(seen)",
    "cache.setdefault(str(x), len(cache))",
    "next(ids)",
    "groups[x].append(1) or sorted(groups.values())",
    "last.append(x) or list(last)",
    `slow(${k * 3})`,
    `deep(${random.pick([5, 100, 900, 960, random.int(940, 1010), 2000])})`,
    "kept(x)",
    "bump()",
    `re.sub('${random.pick(["a+", "(b)", "[ab]", "a{2}"])}', lambda m: m.group().upper() + str(len(seen)), 'xaab' * ${k})`,
    `re.findall(r'${random.pick(["\\\\d", "a|b", "(?i)A", "^x"])}'.replace('\\\\\\\\', '\\\\'), 'a1b2x')`,
    `re.split('${random.pick(["b", "[", "a*"])}', 'xaab')`,
    `str(List[Union[${kind()}, ${kind()}]])`,
    `str(Optional[${kind()}])`,
    `str(Dict[str, Union[${kind()}, ${kind()}, None]])`,
    "sorted(set(str(x)))",
    "list({'one', 'two', 'three', str(x)})",
    "list({5, 3, 99, 1000, -1})",
    "Counter(str(x)).most_common(2)",
    "Counter('abca')",
    "OrderedDict(a=1, b=x)",
    "deque([1, 2], maxlen=2)",
    "copy.deepcopy(seen)",
    "statistics.mean([1, 2, 4])",
    "statistics.median([])",
    `math.sqrt(x - ${k})`,
    `math.factorial(${k * 10})`,
    `1 // (len(str(x)) - ${k % 4})`,
    `[1, 2, 3][${k}]`,
    `int('${random.pick(["7", "q", ""])}')`,
    "x + 1",
    "x[0]",
    "{}[x]",
    "len(x)",
    `f'{x!r:>${k}}'`,
    `'{:>5}|{}'.format(${k}, x)`,
    "'%05.1f' % 2.25",
    `round(${k} / 7, 3)`,
    "print(x) or 1",
    "bytearray(b'ab')",
    "len(bytearray(30000000))",
    "len(bytearray(2000000000))",
    `sum(range(${random.pick([10, 1000, 100_000])}))`,
    "reduce(lambda a, b: a * 31 + ord(b), str(x), 7) % 1009",
    "sorted(['b', 'A', 'c'], key=cmp_to_key(lambda a, b: (a > b) - (a < b)))",
    "partial(max, 3)(2)",
    "heapq.nsmallest(2, [5, 1, 4])",
    "heapq.heappush(seen, 4) or seen[0]",
    "bisect.bisect([1, 3, 5], 3)",
    "list(itertools.islice(itertools.permutations('abc'), 3))",
    "string.ascii_lowercase.upper()[:3]",
    "out",
    "(i for i in range(3))",
    "max([], default=None)",
    "max(seen)",
    "next(iter([]))",
    "type(x) == int",
    "sorted(dict(zip('cab', range(3))).items())",
    "bytes(3).hex()",
    "complex(1, 2) * 2",
    "float('nan')",
    "-0.0",
    "10 ** 30 % 97",
    "7 .bit_length()",
    "ascii('é')",
    "[]",
  ]);
}
