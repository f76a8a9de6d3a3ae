import { describe, expect, it } from "vitest";
import { refusals } from "../../src/behaviour/raised.ts";
import type { Task } from "../../src/behaviour/types.ts";
import type { Answer } from "../../src/execute/index.ts";

const ok: Answer = { outcome: "ok", value: { t: "none" }, text: "null", cpuS: 0 };
const error = (errorType: string): Answer => ({ outcome: "error", errorType, message: "" });
const task = (description: string, reference = "def f(x):\n    return x\n"): Task => ({
  reference,
  description,
  entryPoint: "f",
  candidates: [],
});

const CHECKS = "def f(x):\n    if x < 0:\n        raise ValueError('negative')\n    return x\n";

/** The refusals of a candidate that agrees with the reference on three inputs more. */
const refused = (code: string, answers: readonly Answer[], of: Task): boolean[] =>
  refusals(code, [...answers, ok, ok, ok], [...answers.map(() => false), true, true, true], of).slice(0, -3);

describe("refusals", () => {
  it("are exceptions that a statement of the candidate raises", () => {
    const answers = [ok, error("ValueError"), error("TypeError"), ok];
    expect(refused(CHECKS, answers, task("Return x."))).toEqual([false, true, false, false]);
  });

  it.each([
    ["assert", "def f(x):\n    assert x > 0\n    return x\n", "AssertionError"],
    ["sys.exit", "import sys\nif not sys.stdin.read():\n    sys.exit('no input')\n", "SystemExit"],
    ["a class of its own", "class Bad(ValueError): pass\ndef f(x):\n    raise Bad(x)\n", "Bad"],
  ])("by %s", (_, code, type) => {
    expect(refused(code, [ok, error(type)], task("Return x."))).toEqual([false, true]);
  });

  it.each([
    ["a stub", "def f(x):\n    if x:\n        return x\n    raise NotImplementedError\n", "NotImplementedError"],
    ["a string or comment", "def f(x):\n    # raise ValueError\n    return int('raise ValueError')\n", "ValueError"],
  ])("are not read in %s", (_, code, type) => {
    expect(refused(code, [ok, error(type)], task("Return x."))).toEqual([false, false]);
  });

  it("are none where the task says when exceptions are raised", () => {
    const answers = [ok, error("ValueError")];
    expect(refused(CHECKS, answers, task("Raise ValueError if x is above 9."))).toEqual([false, false]);
    const reference = 'def f(x):\n    """Raises ValueError if x is above 9."""\n    return x\n';
    expect(refused(CHECKS, answers, task("Return x.", reference))).toEqual([false, false]);
  });

  it("are none if the candidate hardly ever agrees with the reference", () => {
    const answers = [ok, ok, error("ValueError")];
    expect(refusals(CHECKS, answers, [true, true, false], task("Return x."))).toEqual([false, false, false]);
  });
});
