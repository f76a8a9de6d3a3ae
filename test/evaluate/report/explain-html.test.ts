import { parseHTML } from "linkedom";
import { expect, it } from "vitest";
import { renderExplanations } from "../../../src/evaluate/index.ts";

const hostile = `</code></pre><script>alert("1")</script><img src=x onerror=alert(2)>&amp;'"`;
const candidate = `def f(a):\n    b = "${hostile}"\n    return (\n        b)\n`;
const explained = {
  name: hostile,
  candidate,
  reference: `x = 1  # ${hostile}`,
  description: `${hostile}\n\nmore`,
  score: { score: 0.25, exec: 0.5, low: 0.1, high: 0.75, conclusion: "fails" as const, reason: hostile },
  findings: [
    { line: 2, what: `\`${hostile}\` is not defined` },
    { line: null, what: "it does not define `g`, but the reference does" },
  ],
  lines: [
    { line: 2, text: `    b = "${hostile}"`, effect: -0.2 },
    { line: 3, text: "    return (\n        b)", effect: 0.05 },
  ],
  differences: [],
};

const { document } = parseHTML(renderExplanations(hostile, [explained]));

it("has no element that the data brought, and shows the data as it is", () => {
  expect(document.querySelectorAll("script, img, iframe, link, [onerror], [src], [href]")).toHaveLength(0);
  expect(document.querySelector("meta[http-equiv]")?.getAttribute("content")).toBe(
    "default-src 'none'; style-src 'unsafe-inline'",
  );
  expect(document.querySelector("h2")?.textContent).toBe(hostile);
  const [left, right] = [...document.querySelectorAll("pre")];
  const code = (pre: ReturnType<typeof document.querySelector> | undefined): string =>
    [...(pre?.querySelectorAll("span") ?? [])]
      .map((span) => span.textContent?.slice(span.querySelector("i")!.textContent!.length))
      .join("");
  expect(code(left)).toBe(candidate);
  expect(document.body.textContent).toContain("The darkest colour is the largest");
  expect(code(right)).toBe(`${explained.reference}\n`);
  expect(document.querySelector("details")?.textContent).toContain(hostile);
});

it("lists what is seen to fail, with names as code and not in backticks", () => {
  expect([...document.querySelectorAll("li")].map(({ textContent }) => textContent)).toEqual([
    `line 2: ${hostile} is not defined`,
    "it does not define g, but the reference does",
  ]);
  expect([...document.querySelectorAll("li code")].map(({ textContent }) => textContent)).toEqual([hostile, "g"]);
});

it("brings no element from a name in backticks, and keeps the description as it is", () => {
  const name = "<b>`<i>`</b>";
  const page = renderExplanations("t", [
    {
      ...explained,
      score: { ...explained.score, reason: `line 1: \`${name}\` is not defined` },
      findings: [{ line: 1, what: `\`${name}\` is not defined, nor is \`<b>\`` }],
      description: "Returns `x`.",
    },
  ]);
  const { document } = parseHTML(page);
  expect(document.querySelectorAll("li b, li i, p > i, p > b > b, p code b")).toHaveLength(0);
  expect(document.querySelector("li")!.innerHTML).toContain("nor is <code>&lt;b&gt;</code>");
  expect(document.querySelector("details p")!.textContent).toBe("Returns `x`.");
});

it("tints every line of a statement, the stronger the effect, and names it once", () => {
  const lines = [...document.querySelectorAll("pre")[0]!.querySelectorAll("span")];
  expect(lines.map((line) => line.className)).toEqual(["", "cost-4", "gain-1", "gain-1"]);
  expect(lines.map((line) => line.querySelector("i")!.textContent!.trim())).toEqual([
    "1",
    "2  −0.200",
    "3  +0.050",
    "4",
  ]);
  expect(document.querySelector("section p")?.textContent).toBe(
    `fails (${hostile}): score 0.250 (0.100 to 0.750), exec 0.500`,
  );
});

it("marks lines that differ from the reference on both sides, and shows none of them as right", () => {
  const side = (line: number, text: string) => ({ line, text });
  const differences = [
    { candidate: side(2, "    b"), reference: side(1, "x") },
    { candidate: side(3, "    return (\n        b)"), reference: null },
  ];
  const page = parseHTML(renderExplanations("t", [{ ...explained, differences }])).document;
  const [left, right] = [...page.querySelectorAll("pre")].map((pre) =>
    [...pre.querySelectorAll("span")].map(({ className }) => className),
  );
  expect(left).toEqual(["", "cost-4", "differs", "differs"]);
  expect(right![0]).toBe("differs");
});

it("shows the reason once, and with --run the probability to pass unless it fails", () => {
  const behaviour = {
    agree: 1,
    inputs: 40,
    examples: null,
    samples: null,
    source: "reference",
    counterexample: null,
  } as const;
  const text = (conclusion: "behaves-right" | "fails") => {
    const score = {
      score: 1,
      exec: 1,
      pass: 0.9,
      conclusion,
      reason: "answers like the reference on 100% of 40 inputs",
      behaviour,
    };
    const { document } = parseHTML(renderExplanations("t", [{ ...explained, score }]));
    expect(document.querySelector(`section b.${conclusion}`)).not.toBeNull();
    return [...document.querySelectorAll("section > p")].map(({ textContent }) => textContent);
  };
  expect(text("behaves-right")).toEqual([
    "behaves right: score 1.000, exec 1.000, pass 0.900",
    "answers like the reference on 100% of 40 inputs",
  ]);
  expect(text("fails")[0]).toBe("fails: score 1.000, exec 1.000");
});

it("stands without reference, description, interval and effects", () => {
  const { reference: _r, description: _d, ...bare } = explained;
  const html = renderExplanations("t", [
    { ...bare, score: { score: 0, exec: 1 }, findings: [], lines: [], differences: [] },
  ]);
  const page = parseHTML(html).document;
  expect(page.querySelectorAll("pre")).toHaveLength(1);
  expect(page.querySelectorAll("details, li")).toHaveLength(0);
  expect(html).not.toContain("NaN");
});
