/** The figures of the README and of docs/ are those of the models' cards, and the cards those of `metrics.json`. */
import { readFileSync } from "node:fs";
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeCard } from "../../src/export/card.ts";
import { readSafetensors, readScorerConfig } from "../../src/model/index.ts";
import { shortHash } from "../../src/onnx/index.ts";
import { root } from "./commands.ts";

type Figures = Readonly<Record<string, number | readonly [number, number, number]>>;
type Metrics = Readonly<Record<string, Readonly<Record<string, Figures>>>>;

const metricsOf = (model: string): Metrics =>
  JSON.parse(readFileSync(join(root, "models", `codescore-${model}`, "metrics.json"), "utf8"));

const models = { small: metricsOf("small"), tiny: metricsOf("tiny") };

/** What the documents call the sets. */
const SETS = { "he-eval": "1,516", "he-llm": "1,557", "mbpp-eval": "7,286", "apps-eval": "653" } as const;
type Set = keyof typeof SETS;
const sets = Object.keys(SETS) as Set[];

const BOTH = "reference and description";
const SAMPLES = "description and other samples, `--run`";

function figures(set: Set, from: string, model: keyof typeof models = "tiny"): Figures {
  const [, found] = Object.entries(models[model]).find(([name]) => name.startsWith(`${set} `))!;
  return found[from] ?? {};
}

/** Rounds half up, so that .835 is .84. */
const short = (value: number, digits: number): string => (value + 1e-9).toFixed(digits).replace(/^0/, "");

/** `.708`, with the interval `.708 [.65, .76]`. */
function shown(figure: Figures[string] | undefined, isBounded = false): string {
  const [value, low, high] = typeof figure === "object" ? figure : [figure!];
  return isBounded ? `${short(value, 3)} [${short(low!, 2)}, ${short(high!, 2)}]` : short(value, 3);
}

const withAuc = (found: Figures, isBounded = false): string =>
  `${shown(found.r_s, isBounded)}, ${shown(found["within-task AUC"])}`;

const intervals = (found: Figures): string =>
  found["mean width"] === undefined
    ? ""
    : `${shown(found["90% intervals hold"])} (${short(found["mean width"] as number, 2)})`;

/** Cells of the rows of a table, by the columns of its first line. `(*)` marks what was measured before. */
function rowsOf(document: string, header: string): string[][] {
  const text = readFileSync(join(root, document), "utf8");
  const start = text.indexOf(header);
  if (start < 0) throw new Error(`${document} has no table ${header}`);
  const [table] = /^(?:\|.*\n)+/.exec(text.slice(start))!;
  const lines = table.trim().split("\n").slice(2);
  return lines.map((line) =>
    line
      .split("|")
      .map((cell) => cell.replace("(*)", "").trim())
      .slice(1, -1),
  );
}

const rowOf = (rows: readonly string[][], set: Set): string[] => {
  const isOf = ([first]: readonly string[]): boolean => first!.replace(/^the /, "").startsWith(SETS[set]);
  return [...rows.find(isOf)!];
};

it.each(["small", "tiny"])("the card of codescore-%s is made from the files beside it", async (name) => {
  const from = join(root, "models", `codescore-${name}`);
  const folder = await mkdtemp(join(tmpdir(), "codescore-card-"));
  try {
    const { codescore, shape } = await readScorerConfig(from);
    for (const file of ["training.json", "metrics.json", "robustness.json", ...(shape ? ["tokenizer.json"] : [])])
      await copyFile(join(from, file), join(folder, file));
    const card =
      shape === null
        ? await writeCard(folder, { codescore }, null)
        : await writeCard(folder, shape, await readSafetensors(join(from, "model.safetensors")));
    expect(await readFile(join(from, "README.md"), "utf8")).toBe(await readFile(card!, "utf8"));
  } finally {
    await rm(folder, { recursive: true });
  }
});

it.each(["small", "tiny"])("the robustness of codescore-%s was measured with the files beside it", async (name) => {
  const folder = join(root, "models", `codescore-${name}`);
  const hash = (file: string) => shortHash(join(folder, file));
  const { results } = JSON.parse(await readFile(join(folder, "robustness.json"), "utf8"));
  const signature = (results[0].signature as string).split("|");
  expect(signature).toContain(
    `model:${await hash(name === "small" ? "onnx/model_quantized.onnx" : "trees.safetensors")}`,
  );
  expect(signature).toContain(`cal:${await hash("calibration.json")}`);
  expect(signature.find((part) => part.startsWith("trees:"))).toMatch(
    new RegExp(`@${await hash("trees.safetensors")}$`),
  );
  expect(signature).not.toContain("v:0.1.0"); // no version of codescore: until 0.2.0 the signature had a number of its own
});

describe.each(sets)("figures of %s", (set) => {
  const run = figures(set, `${BOTH}, \`--run\``);

  it("in the README", () => {
    const [, text, rule, behaviour] = rowOf(rowsOf("README.md", "| programs | without running"), set);
    expect([text, behaviour]).toEqual([withAuc(figures(set, BOTH), true), withAuc(run, true)]);
    expect(rule).toContain(shown(figures(set, "rule without a network").r_s));
  });

  it("in docs/results.md", () => {
    const [, small, tiny, rule] = rowOf(
      rowsOf("docs/results.md", "| programs | codescore-small | codescore-tiny | rule"),
      set,
    );
    expect([small, tiny]).toEqual([shown(figures(set, BOTH, "small").r_s, true), shown(figures(set, BOTH).r_s, true)]);
    expect(rule).toBe(shown(figures(set, "rule without a network").r_s));
    const [, ...cells] = rowOf(rowsOf("docs/results.md", "| programs | reference and description |"), set);
    const from = [BOTH, "description alone", `${BOTH}, \`--run\``, SAMPLES];
    expect(cells).toEqual(from.map((name) => intervals(figures(set, name))));
    if (set === "apps-eval") return;
    const alone = rowOf(rowsOf("docs/results.md", "| programs | codescore-small | codescore-tiny |\n"), set).slice(1);
    const of = (model: "small" | "tiny"): string => shown(figures(set, "description alone", model).r_s, true);
    expect(alone).toEqual([of("small"), of("tiny")]);
  });

  it("in docs/behaviour.md", () => {
    const rows = rowsOf("docs/behaviour.md", "| programs | r_s | within-task AUC |");
    for (const [found, some] of [
      [run, rows.filter(([first]) => !first!.includes("alone"))],
      [figures(set, SAMPLES), rows.filter(([first]) => first!.includes("alone"))],
    ] as const) {
      if (found.r_s === undefined) continue;
      const [, r, auc, error, , held] = rowOf(some, set);
      expect([r, auc, error]).toEqual([shown(found.r_s), shown(found["within-task AUC"]), shown(found.MAE)]);
      expect(held).toBe(intervals(found));
    }
  });
});

it("the README's ranges of intervals are those of all sets", () => {
  const range = (from: string, name: string, show: (value: number) => string): string => {
    const values = sets.flatMap((set) => (figures(set, from)[name] as number | undefined) ?? []);
    return `${show(Math.min(...values))} to ${show(Math.max(...values))}`;
  };
  const readme = readFileSync(join(root, "README.md"), "utf8");
  for (const from of [BOTH, `${BOTH}, \`--run\``, "description alone", SAMPLES]) {
    const held = range(from, "90% intervals hold", (value) => `${Math.round(100 * value + 1e-6)}`);
    const width = range(from, "mean width", (value) => short(value, 2));
    expect(readme, from).toMatch(new RegExp(`${held}%[^()]*\\((?:mean width )?${width.replaceAll(".", "\\.")}\\)`));
  }
});
