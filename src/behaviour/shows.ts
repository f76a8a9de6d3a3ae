/** What a call shows if not the value that it returns, and how the executor gets it. */
import escapeRegExp from "escape-string-regexp";
import type { PyValue } from "../types.ts";
import { ARRAYS_HELPER } from "./arrays/source.ts";
import { NODES_HELPER } from "./nodes/source.ts";

/**
 * - `arguments`: what the arguments are after the call, if the function returns nothing;
 * - `printed`: what it prints, if it neither returns nor changes anything;
 * - `items`: the items of the generator or iterator that it returns;
 * - `result`: what the coroutine that it returns gives;
 * - `unchanged`: what it returns, if it leaves its arguments as they are, and an exception otherwise;
 * - `dated`: what it returns, or the items of the generator that it returns, given dates (`datetime.date`) in place of texts such as "2024-03-01";
 * - `nodes`: what it returns, or what its arguments are afterwards, with lists in place of linked lists and binary trees (nodes/);
 * - `arrays`: what it returns, or what its arguments are afterwards, given NumPy arrays and data frames in place of lists and dictionaries (arrays/);
 * - `calls`: what an object's methods return, called in turn (sequences.ts). `kept`: the places of the calls that raise no exception.
 */
export type Shows =
  | "arguments"
  | "printed"
  | "items"
  | "result"
  | "unchanged"
  | "dated"
  | "nodes"
  | "arrays"
  | "calls"
  | "kept";

/** Maximum number of items that are taken from a generator: it may be endless. */
const MOST_ITEMS = 1000;
/** The same of dates, whose answers are longer. */
const MOST_DATES = 100;

/** Answers are copied, because the object may change them later. A method that returns the object itself gives "self". */
const SEQUENCE = `
from copy import deepcopy as _codescore_deepcopy
_codescore_silent = ()
def _codescore_calls(kind, name, calls, only_kept=False):
    (first, *given), *calls = calls
    if first != name:
        raise ValueError("expected the constructor as the first call")
    thing, answers, kept = kind(*given), [], [0]
    for place, (method, *given) in enumerate(calls, 1):
        try:
            value = getattr(thing, method)
            value = value(*given) if callable(value) else value
            value = None if method in _codescore_silent else "self" if value is thing else _codescore_deepcopy(value)
        except Exception:
            if only_kept:
                continue
            raise
        answers.append(value)
        kept.append(place)
    return kept if only_kept else answers
`;

/** Defined before each program. */
const HELPERS: Readonly<Record<Shows, string>> = {
  arguments: "",
  calls: SEQUENCE,
  kept: SEQUENCE,
  unchanged: `
from copy import deepcopy as _codescore_deepcopy
class ArgumentsChanged(Exception):
    pass
def _codescore_unchanged(function, *args, **kwargs):
    before = _codescore_deepcopy((args, kwargs))
    value = function(*args, **kwargs)
    if (args, kwargs) != before:
        raise ArgumentsChanged("the description forbids changes of arguments")
    return value
`,
  dated: `
import datetime as _codescore_datetime, re as _codescore_re
from itertools import islice as _codescore_islice
def _codescore_listed(value):
    return [*_codescore_islice(value, ${MOST_DATES})] if hasattr(value, "__next__") else value
def _codescore_dated(value):
    if type(value) is str and _codescore_re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        try:
            return _codescore_datetime.date.fromisoformat(value)
        except ValueError:
            return value
    if type(value) in (list, tuple, set, frozenset):
        return type(value)(map(_codescore_dated, value))
    if type(value) is dict:
        return {_codescore_dated(key): _codescore_dated(item) for key, item in value.items()}
    return value
`,
  nodes: NODES_HELPER,
  arrays: ARRAYS_HELPER,
  items: "from itertools import islice as _codescore_islice\n",
  printed: `
import contextlib as _codescore_contextlib, io as _codescore_io
def _codescore_printed(function, *args, **kwargs):
    text = _codescore_io.StringIO()
    with _codescore_contextlib.redirect_stdout(text):
        function(*args, **kwargs)
    return text.getvalue()
`,
  // The library's event loops need sockets, which the sandbox refuses. In this one sleeping takes no time.
  result: `
import asyncio as _codescore_asyncio
class _codescore_Loop(_codescore_asyncio.BaseEventLoop):
    def __init__(self):
        super().__init__()
        self._selector, self.now = self, 0.0
    def time(self):
        return self.now
    def select(self, timeout):
        if timeout is None:
            raise RuntimeError("the coroutine waits forever")
        self.now += timeout
        return ()
    def _process_events(self, events):
        pass
    def _write_to_self(self):
        pass
def _codescore_result(coroutine):
    _codescore_asyncio._set_running_loop(None)  # in WebAssembly the browser's loop runs
    return _codescore_Loop().run_until_complete(coroutine)
`,
};

/** Expressions that are called in place of `X`. The one for `arguments` calls no built-in function, because the program may have replaced it. */
const CALLS: Readonly<Record<Shows, string>> = {
  // the only positional argument, or a tuple of several
  arguments: "lambda *a, **k: (X(*a, **k), a if a[1:] or not a else a[0])[1]",
  items: `lambda *a, **k: [*_codescore_islice(X(*a, **k), ${MOST_ITEMS})]`,
  printed: "lambda *a, **k: _codescore_printed(X, *a, **k)",
  dated: "lambda *a, **k: _codescore_listed(X(*_codescore_dated(a), **_codescore_dated(k)))",
  arrays: "lambda *a, **k: _codescore_on_arrays(X, a, k)",
  nodes: "lambda *a, **k: _codescore_on_nodes(X, a, k)",
  unchanged: "lambda *a, **k: _codescore_unchanged(X, *a, **k)",
  calls: "lambda calls: _codescore_calls(X, 'X', calls)",
  kept: "lambda calls: _codescore_calls(X, 'X', calls, True)",
  result: "lambda *a, **k: _codescore_result(X(*a, **k))",
};

export const helperOf = (shows: Shows | undefined): string => (shows === undefined ? "" : HELPERS[shows]);

export const callOf = (name: string, shows: Shows | undefined): string =>
  shows === undefined ? name : CALLS[shows].replaceAll("X", () => name);

const ARGUMENT =
  "(?:inputs?|arguments?|parameters?|original|given|caller|lists?|dict\\w*|matrix|grid|arrays?|records?|items?|rows?)";
const CHANGE = "(?:chang|modif|mutat|alter)(?:ed|es?|ing|y|ied|ies|ying)?";
/** For example `must not modify the input list`, `without changing its arguments`, `the given list stays unchanged`. */
const FORBIDS = new RegExp(
  [
    `(?:\\bnot|n't|\\bnever|\\bwithout) ${CHANGE}(?: \\w+'?s?){0,2} (?:${ARGUMENT}\\b|\`)`,
    `(?:\\b${ARGUMENT}|\`)(?: \\w+){0,2} (?:must|should|may|is|are|can|will)(?: ?not|n't)(?: be)? ${CHANGE}\\b`,
    `\\b${ARGUMENT}(?: \\w+){0,2} (?:stays?|remains?|(?:is|are|be) left) (?:unchanged|unmodified|untouched)\\b`,
    "\\bmust (?:stay|remain|be left) (?:unchanged|unmodified|untouched)\\b",
    `\\b(?:neither|none) of (?:\\w+ ){0,3}${ARGUMENT}(?: \\w+){0,2} (?:be )?${CHANGE}\\b`,
  ].join("|"),
  "i",
);

/** Whether a description says that a function leaves its arguments as they are. */
export const forbidsChanges = (description: string | null): boolean => FORBIDS.test(description ?? "");

const DATES = /\bdatetime\.dates?\b|\bdate objects?\b/;
const DATE_ANNOTATION = /[:[][ \t]*["']?(?:(?:datetime|dt)\.)?date\b/;

/** Whether a function takes dates: its description says `datetime.date`, or an annotation does. */
export const takesDates = (description: string | null, reference: string, name: string): boolean =>
  DATES.test(description ?? "") || DATE_ANNOTATION.test(signatureText(reference, name));

/** The text of a function's parameters. */
function signatureText(code: string, name: string): string {
  const start = code.search(new RegExp(`\\bdef[ \\t]+${escapeRegExp(name)}[ \\t]*\\(`));
  return start < 0 ? "" : (/\(([^)]{0,500})\)/.exec(code.slice(start, start + 600))?.[1] ?? "");
}

const ITERATOR = /^(?:generator|map|filter|zip|enumerate|reversed|\w+iterator|itertools\.\w+)$/;
const PRINTS = /\bprint[ \t]*\(|\bstdout\b/;

/** What else the calls of a reference may show, judged by its values. `incomparable`: the type of a value that cannot be compared, or null. */
export function otherShows(
  reference: string | null,
  values: readonly (PyValue | undefined)[],
  incomparable: string | null,
): Shows[] {
  if (reference === null) return [];
  if (values.length === 0) {
    if (incomparable === "coroutine") return ["result"];
    return incomparable !== null && ITERATOR.test(incomparable) ? ["items"] : [];
  }
  if (!values.every((value) => value?.t === "none")) return [];
  return PRINTS.test(reference) ? ["arguments", "printed"] : ["arguments"];
}
