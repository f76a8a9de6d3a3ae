import { beforeAll, describe, expect, it } from "vitest";
import { loadForms, type ReadForms } from "../../../src/languages/python/index.ts";
import { loadFindings } from "../../../src/metrics/static/findings.ts";
import { nearMissOf } from "../../../src/metrics/static/near-miss.ts";
import { loadRule, rule, ruled } from "../../../src/metrics/static/rule.ts";

const REFERENCE = `def is_prime(n):
    if n < 2:
        return False
    d = 2
    while d * d <= n:
        if n % d == 0:
            return False
        d += 1
    return True
`;
const MISS = REFERENCE.replace("<=", "<");
const REWRITE = "def is_prime(n):\n    return n > 1 and all(n % d for d in range(2, int(n ** 0.5) + 1))\n";

let forms: ReadForms;
beforeAll(async () => {
  await loadRule();
  forms = await loadForms();
});

const editOf = (candidate: string): string | null => nearMissOf(forms(candidate), forms(REFERENCE))?.edit ?? null;

describe("a near miss", () => {
  it.each([
    ["another comparison", MISS, "comparison"],
    ["with variables renamed as well", MISS.replaceAll("d", "e").replaceAll("eef", "def"), "comparison"],
    ["another operator", REFERENCE.replace("d += 1", "d -= 1"), "operator"],
    ["a number that is one off", REFERENCE.replace("d = 2", "d = 3"), "off by one"],
    ["another variable", REFERENCE.replace("d * d", "d * n"), "variable"],
    ["a minus", REFERENCE.replace("% d", "% -d"), "sign"],
    ["a negation", REFERENCE.replace("n % d == 0", "not n % d == 0"), "negation"],
  ])("is seen: %s", (_, candidate, edit) => {
    expect(editOf(candidate)).toBe(edit);
  });

  it.each([
    ["the reference itself", REFERENCE],
    [
      "the reference in other words",
      REFERENCE.replace("d += 1", "d = d + 1").replace("    d = 2", "    d = 2  # first"),
    ],
    ["a rewrite", REWRITE],
    ["two edits", MISS.replace("d = 2", "d = 3")],
    ["a statement more", REFERENCE.replace("    d = 2\n", "    d = 2\n    print(d)\n")],
    ["what does not parse", `${MISS}    return (`],
  ])("is none: %s", (_, candidate) => {
    expect(editOf(candidate)).toBeNull();
  });

  it("has half the score of what it resembles", () => {
    expect(ruled(MISS, REFERENCE).answers).toBe(0.5);
    expect(rule(MISS, REFERENCE)).toBeLessThan(0.5);
    expect(rule(REFERENCE, REFERENCE)).toBe(1);
  });

  it("is a finding with its line, which is not certain", async () => {
    const find = await loadFindings();
    const what = "`<` here, `<=` in the reference; nothing else differs";
    expect(find(MISS, REFERENCE)).toEqual([{ line: 5, what }]);
    expect(find(REWRITE, REFERENCE)).toEqual([]);
  });

  it("says that the programs were rewritten if only their canonical forms are one edit apart", async () => {
    const find = await loadFindings();
    const loop = "def f(xs, m):\n    n = 0\n    for x in xs:\n        if x > m:\n            n += 1\n    return n\n";
    const [found, ...others] = find("def f(xs, m):\n    return sum(1 for x in xs if x >= m)\n", loop);
    expect(others).toEqual([]);
    expect(found).toEqual({
      line: null,
      what: "after both programs are rewritten to one form: `<=` here, `<` in the reference; nothing else differs",
    });
  });
});
