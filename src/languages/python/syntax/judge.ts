/**
 * What LeetCode's judges import before a solution. The `pow` of `operator` and of `math` is left out, because it would hide the
 * built-in `pow`, which takes three arguments.
 */
export const JUDGE_IMPORTS = `import bisect, collections, copy, datetime, functools, heapq, itertools, math, operator, random, re, string, sys
from typing import *
from collections import *
from functools import *
from itertools import *
from heapq import *
from bisect import *
from string import *
from math import *
from operator import add, and_, ge, gt, itemgetter, le, lt, mul, or_, sub, xor
from builtins import pow
`;
