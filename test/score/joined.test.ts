import { describe, expect, it } from "vitest";
import type { Evidence } from "../../src/behaviour/index.ts";
import {
  FEATURES,
  featuresOf,
  GROUPS,
  groupOf,
  isTelling,
  Joined,
  type JoinedFile,
  scoreOf,
} from "../../src/score/joined.ts";
import { passRatios } from "./pass-ratios.ts";

const evidence = (given: Partial<Evidence> = {}): Evidence => ({
  agree: 1,
  usual: 1,
  inputs: 40,
  answered: 1,
  examples: { passed: 0, total: 0 },
  samples: null,
  cluster: null,
  greatest: null,
  variety: 0.5,
  ...given,
});
const about = (candidates = 1) => ({ candidates, killed: 1 });
const text = (score: number) => ({ score, exec: 0.5 });

describe("scores before intervals", () => {
  const counts = { inputs: 5, witnesses: 2 };

  it("are the share of inputs that agree, a text counting as so many inputs more", () => {
    const shown = { evidence: evidence({ agree: 1, inputs: 5 }), about: about(), text: text(0.5) };
    expect(scoreOf(shown, counts)).toBeCloseTo(0.75);
    expect(scoreOf({ ...shown, evidence: evidence({ inputs: 15 }) }, counts)).toBeCloseTo(0.875);
    expect(scoreOf({ ...shown, text: null }, counts)).toBe(1);
  });

  it("are the mean of examples and samples without a reference, a text counting as so many of them", () => {
    const bare = evidence({ agree: null, examples: { passed: 1, total: 2 }, samples: 0.7 });
    const shown = { evidence: bare, about: about(3), text: null };
    expect(scoreOf(shown, counts)).toBeCloseTo(0.6);
    expect(scoreOf({ ...shown, text: text(0) }, counts)).toBeCloseTo((4 * 0.6) / 6);
    const alone = { evidence: evidence({ agree: null }), about: about(), text: text(0.3) };
    expect(scoreOf(alone, counts)).toBe(0.3);
    expect(scoreOf(alone, { inputs: 0, witnesses: 0 })).toBe(0.3);
  });

  it("is not asked for where running shows enough", () => {
    expect(isTelling(evidence({ inputs: 20 }), about())).toBe(true);
    expect(isTelling(evidence({ inputs: 19 }), about())).toBe(false);
    expect(isTelling(evidence({ agree: null, samples: 0.5 }), about(5))).toBe(true);
    expect(isTelling(evidence({ agree: null, samples: 0.5 }), about(4))).toBe(false);
    expect(isTelling(evidence({ agree: null, samples: null }), about(1))).toBe(false);
  });
});

describe("groups of evidence", () => {
  it.each([
    [evidence({ inputs: 7 }), 1, "few inputs"],
    [evidence({ inputs: 8 }), 1, "some inputs"],
    [evidence({ inputs: 20 }), 1, "many inputs"],
    [evidence({ inputs: 20, examples: { passed: 0, total: 1 } }), 1, "examples and inputs"],
    [evidence({ inputs: 19, examples: { passed: 0, total: 1 } }), 1, "some inputs"],
    [evidence({ agree: null, examples: { passed: 0, total: 1 } }), 20, "examples"],
    [evidence({ agree: null, samples: 0.3 }), 5, "samples"],
    [evidence({ agree: null, samples: 0.3 }), 4, "little"],
    [evidence({ inputs: 0, agree: null }), 1, "little"],
  ])("%o with %i candidates is %s", (one, candidates, group) => {
    expect(groupOf(one, about(candidates))).toBe(group);
  });
});

describe("joined scores", () => {
  const leaf = (odds: number) => ({ feature: [-1], value: [odds], right: [0] });
  const reach = Array.from({ length: 50 }, (_, i) => i / 20);
  const file: JoinedFile = {
    version: 3,
    features: FEATURES,
    text: { inputs: 4, witnesses: 2 },
    // on average, the PassRatio is .12 below or .05 above
    forests: { exec: leaf(2), pass: leaf(1), below: leaf(-2), above: leaf(-3) },
    reach: Object.fromEntries(GROUPS.map((group) => [group, reach])) as unknown as JoinedFile["reach"],
    passRatios: {
      "examples and inputs": passRatios([0, [0]], [0.5, [0.4, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.6]], [1, [1]]),
      "many inputs": null,
    },
  };
  const joined = new Joined("name", file);

  it("are the share of inputs that agree", () => {
    const { score, exec, pass } = joined.join({ evidence: evidence({ agree: 0.975 }), about: about(), text: null });
    expect(score).toBe(0.975);
    expect(exec).toBeCloseTo(1 / (1 + Math.exp(-2)));
    expect(pass).toBeCloseTo(1 / (1 + Math.exp(-1)));
  });

  it("have an interval as far as PassRatios lie apart, if few inputs ran", () => {
    const [below, above] = [-2, -3].map((odds) => 1 / (1 + Math.exp(-odds)));
    const thin = { evidence: evidence({ agree: 0.975, inputs: 10 }), about: about(), text: null };
    const { low, high } = joined.join(thin);
    expect(low).toBeCloseTo(0.975 - 2 * (below! + 0.02)); // reach is 2 at coverage .9
    expect(high).toBe(1);
    const half = new Joined("name", file, { coverage: 0.6 }).join({
      ...thin,
      evidence: evidence({ agree: 0.5, inputs: 10 }),
    });
    expect(half.high).toBeCloseTo(0.5 + 0.5 * (above! + 0.02));
  });

  it("have the interval of programs with a similar score, if many inputs ran", () => {
    const shown = (agree: number, total: number) =>
      ({ evidence: evidence({ agree, examples: { passed: total, total } }), about: about(), text: null }) as const;
    expect(joined.join(shown(0.5, 2))).toMatchObject({ low: 0.4, high: 0.6 });
    expect(joined.join(shown(1, 2))).toMatchObject({ low: 1, high: 1 });
    expect(new Joined("name", file, { coverage: 0.7 }).join(shown(0.5, 2))).toMatchObject({ low: 0.5, high: 0.5 });
    expect(joined.join(shown(0.5, 0))).toMatchObject({ low: 0, high: 1 }); // no program was known
  });

  it("never say that a program passes more surely than its score", () => {
    const { score, pass } = joined.join({ evidence: evidence({ agree: 0.3 }), about: about(), text: null });
    expect([score, pass]).toEqual([0.3, 0.3]);
  });

  it("are marked where the interval is wider than was asked for", () => {
    const examples = { passed: 1, total: 1 };
    const shown = { evidence: evidence({ agree: 0.5, examples }), about: about(), text: null };
    expect(joined.join(shown)).not.toHaveProperty("abstained");
    expect(new Joined("name", file, { abstain: 0.1 }).join(shown)).toMatchObject({ abstained: true });
    expect(new Joined("name", file, { abstain: 0.3 }).join(shown)).not.toHaveProperty("abstained");
  });

  it("refuse a file of another version", () => {
    expect(() => new Joined("name", { ...file, features: ["agree"] })).toThrow(/another version/);
    expect(() => new Joined("name", { ...file, passRatios: {} as typeof file.passRatios })).toThrow(/another version/);
    const broken = { ...file.passRatios, "many inputs": {} as NonNullable<(typeof file.passRatios)["many inputs"]> };
    expect(() => new Joined("name", { ...file, passRatios: broken })).toThrow(/damaged/);
    const { little: _little, ...groups } = file.reach;
    expect(() => new Joined("name", { ...file, reach: groups as typeof file.reach })).toThrow(/another version/);
    const before = { version: 1, features: FEATURES, groups: {} } as unknown as JoinedFile;
    expect(() => new Joined("name", before)).toThrow(/another version/);
  });

  it("are of intervals as wide as may be where none is wide enough, and hold no other coverage than there is", () => {
    const shown = { evidence: evidence({ agree: 0.5 }), about: about(), text: null };
    const none = Object.fromEntries(GROUPS.map((group) => [group, reach.map(() => null)]));
    const wide = new Joined("name", { ...file, reach: none as unknown as JoinedFile["reach"] });
    expect(wide.join(shown)).toMatchObject({ low: 0, high: 1 });
    expect(() => new Joined("name", file, { coverage: 0.2 })).toThrow(/coverage from 0.5/);
  });

  it("refuse a file whose forests are none over these features", () => {
    const broken = {
      ...file,
      forests: { ...file.forests, exec: { feature: [99, -1, -1], value: [0, 0, 0], right: [2, 0, 0] } },
    };
    expect(() => new Joined("name", broken)).toThrow(/damaged/);
  });
});

it("has as many features as names, and marks what is not there", () => {
  const features = featuresOf(evidence({ agree: null, usual: null }), { candidates: 1, killed: null });
  expect([...features]).toEqual([-1, -1, Math.log2(41), 1, -1, 0, -1, -1, -1, 1, 0.5, -1]);
});
