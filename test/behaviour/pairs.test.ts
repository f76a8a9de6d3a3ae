/** Examples without calls, and inputs that mutations of examples lack. */
import { afterAll, expect, it } from "vitest";
import { literalArguments, pairExamples } from "../../src/behaviour/pairs.ts";
import { cpuS } from "../cpu.ts";
import { closeExecutor, inputsOf, observe } from "./run.ts";

afterAll(closeExecutor);

it.each([
  ['so that {"db": {"port": 1}} becomes {"db.port": 1}, at any depth', "{'db': {'port': 1}}", "{'db.port': 1}"],
  ['`"2h30m"` -> `150`', "'2h30m'", "150"],
  ["[1, [2]] turns into [1, 2].", "[1, [2]]", "[1, 2]"],
])("reads pairs: %s", (description, args, expected) => {
  expect(pairExamples(description)).toEqual([{ input: { args }, expected }]);
});

it("reads no pairs where there are none, and long texts in time", () => {
  expect(pairExamples("f(x) -> int. The list becomes long. a[1] becomes 2")).toEqual([]);
  expect(literalArguments('e.g. [("09:00", "12:00")], rows[0] and {x}')).toEqual(["[('09:00', '12:00')]"]);
  const nested = "[[[[".repeat(5000);
  const began = cpuS();
  pairExamples(`${nested} becomes 1`);
  literalArguments(nested);
  expect(cpuS() - began).toBeLessThan(1);
});

const FLATTEN = `def flatten(cfg, sep="."):
    flat = {}
    for key, value in cfg.items():
        if isinstance(value, dict) and value:
            for sub, leaf in flatten(value, sep).items():
                flat[f"{key}{sep}{sub}"] = leaf
        else:
            flat[key] = value
    return flat
`;

it("goes deeper than an example if the reference calls itself", async () => {
  const description =
    'flatten(cfg) so that {"db": {"host": "x", "port": 1}} becomes {"db.host": "x", "db.port": 1}, at any depth.';
  const wrong = FLATTEN.replace(" and value:", ":");
  const ran = await observe({ reference: FLATTEN, description, candidates: [wrong] }, 40);
  expect(ran.run.inputs.examples).toHaveLength(1);
  expect(inputsOf(ran).some((args) => /\{[^{}]*\{[^{}]*\{/.test(args))).toBe(true);
  expect(ran.observed.candidates[0]!.agrees).toContain(false);
});

it("negates numbers if the description says what negative ones do", async () => {
  const reference = "def turned(xs, turns):\n    turns %= len(xs)\n    return xs[turns:] + xs[:turns]\n";
  const description =
    "Rotate a list to the left. Negative turns rotate to the right.\n>>> turned([1, 2, 3], 1)\n[2, 3, 1]";
  const ran = await observe({ reference, description, candidates: [] }, 40);
  const negative = inputsOf(ran).flatMap((args, i) => (/, -\d+$/.test(args) ? [ran.run.inputs.unusual[i]] : []));
  expect(negative).not.toEqual([]);
  expect(negative).not.toContain(true);
});

it("keeps lengths equal that are in all examples, if the reference reads in parallel", async () => {
  const reference =
    "def marks(guess, secret):\n    return ''.join('+' if a == b else '-' for a, b in zip(guess, secret))\n";
  const description = "Compare. marks('abc', 'abd') returns '++-', and marks('xy', 'yx') returns '--'.";
  const ran = await observe({ reference, description, candidates: [] }, 30);
  for (const [i, args] of inputsOf(ran).entries()) {
    const [, a, b] = /^'(.*)', '(.*)'$/.exec(args) ?? [];
    if (!ran.run.inputs.unusual[i]) expect(a?.length).toBe(b?.length);
  }
});
