import { describe, expect, it } from "vitest";
import { evidenceOf } from "../../src/behaviour/evidence.ts";
import type { TaskInputs } from "../../src/behaviour/inputs.ts";
import type { Observation } from "../../src/behaviour/observe.ts";
import type { Answer } from "../../src/execute/index.ts";

const ok = (text: string): Extract<Answer, { outcome: "ok" }> => ({
  outcome: "ok",
  value: { t: "str", v: text },
  text,
  cpuS: 0,
});

/** Evidence for candidates given by their answers, one letter per input; `!` is an exception, `?` a refused input. */
function evidence(reference: string | null, candidates: readonly string[], count = 99) {
  const size = (reference ?? candidates[0]!).length;
  const known = Array.from({ length: size }, (_, i) => ({
    input: { args: String(i) },
    answer: reference === null ? null : ok(reference[i]!),
    cpuS: 0,
  }));
  const observations = candidates.map(
    (letters): Observation => ({
      answers: [...letters].map((c) => (/[!?]/.test(c) ? { outcome: "error", errorType: "E", message: "" } : ok(c))),
      agrees: reference === null ? null : [...letters].map((c, i) => c === reference[i]),
      refused: [...letters].map((c) => c === "?"),
      exampleAnswers: [],
      examples: { passed: 1, total: 2 },
      missing: null,
    }),
  );
  const unusual = known.map(() => false);
  return evidenceOf(
    { inputs: { known, unusual } as unknown as TaskInputs, candidates: observations },
    observations,
    count,
  );
}

describe("agreement with a reference", () => {
  it("counts a quarter for inputs that the candidate refuses", () => {
    const [refusing, failing] = evidence("abcd", ["abc?", "abc!"]);
    expect(refusing!.agree).toBeCloseTo(3 / 3.25);
    expect(refusing!.usual).toBe(1);
    expect(failing!.agree).toBeCloseTo(3 / 4);
    expect(failing!.usual).toBe(0.75);
  });

  it("is the share of inputs with its answer", () => {
    const [own] = evidence("abcd", ["abxx"]);
    expect(own).toMatchObject({ agree: 0.5, inputs: 4, answered: 1, examples: { passed: 1, total: 2 } });
  });

  it("counts an input less that other right programs dispute", () => {
    const right = ["abcdefghij", "abcdefghix", "abcdefghiy", "abcdefghiz"];
    const [all, , , disputed] = evidence("abcdefghij", right);
    expect(all!.agree).toBe(1);
    expect(disputed!.agree!).toBeGreaterThan(0.92);
    const [, undisputed] = evidence("abcdefghij", ["abcdefghij", "abcdefghix", "abcdefghij", "abcdefghij"]);
    expect(undisputed!.agree!).toBeCloseTo(0.9);
  });

  it("counts no input less for what wrong programs answer", () => {
    const [own] = evidence("abcdefghij", ["abcdefghix", "zzzzzzzzzz", "yyyyyyyyyy"]);
    expect(own!.agree).toBeCloseTo(0.9);
  });

  it("is not moved by a candidate's own dispute", () => {
    const [alone] = evidence("abcdefghij", ["abcdefghix"]);
    expect(alone!.agree).toBeCloseTo(0.9);
  });

  it("is null without a reference, and of no inputs", () => {
    expect(evidence(null, ["ab", "ab"])[0]).toMatchObject({ agree: null });
    expect(evidence("ab", ["ab"], 0)[0]).toMatchObject({
      agree: null,
      inputs: 0,
      answered: 0,
      variety: 0,
    });
  });
});

describe("agreement among samples", () => {
  it("is the mean share of the others with the same answer, and of those with all the same", () => {
    const [a, b, c] = evidence(null, ["xy", "xz", "xy"]);
    expect(a).toMatchObject({ samples: 0.75, cluster: 0.5, greatest: 0.5 });
    expect(b).toMatchObject({ samples: 0.5, cluster: 0, greatest: 0.5 });
    expect(c).toEqual(a);
  });

  it("is none of exceptions", () => {
    const [a, b, c] = evidence(null, ["!!", "!!", "x!"]);
    expect(a).toMatchObject({ samples: 0, cluster: 0, answered: 0 });
    expect(b).toEqual(a);
    expect(c).toMatchObject({ samples: 0, cluster: 0, answered: 0.5, greatest: 0 });
  });

  it("is null of one candidate", () => {
    expect(evidence(null, ["xy"])[0]).toMatchObject({ samples: null, cluster: null, greatest: null });
  });
});

it("looks at the first inputs only", () => {
  expect(evidence("abcd", ["abxx"], 2)[0]).toMatchObject({ agree: 1, inputs: 2 });
  expect(evidence("abcd", ["xxcd"], 2)[0]).toMatchObject({ agree: 0, inputs: 2 });
});

it("counts different answers: the reference's, else the candidate's own", () => {
  expect(evidence("aabb", ["wxyz"])[0]!.variety).toBe(0.5);
  expect(evidence(null, ["wxyz", "wwww"]).map(({ variety }) => variety)).toEqual([1, 0.25]);
});
