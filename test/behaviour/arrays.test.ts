import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { argumentsWithArrays, arraysOf } from "../../src/behaviour/arrays/index.ts";
import { columnsOf, widthOf } from "../../src/behaviour/arrays/make.ts";
import { TaskRun } from "../../src/behaviour/index.ts";
import { type Executor, openExecutor } from "../../src/execute/index.ts";
import { parseArguments } from "../../src/languages/python/literals/index.ts";
import type { PyValue } from "../../src/types.ts";
import { environment } from "../execute/packages.ts";

const entry = { kind: "call", name: "f" } as const;
const taskOf = (reference: string, description: string | null = null) => ({ reference, description, candidates: [] });
const NUMPY = "import numpy as np\n";
const PANDAS = "import pandas as pd\n";

describe("parameters that are arrays or data frames", () => {
  it.each<[string, string, string | null, string]>([
    ["annotations", `${NUMPY}def f(x: np.ndarray, n: int): ...`, null, "x array"],
    [
      "annotations of frames",
      `${PANDAS}def f(n: int, t: pd.DataFrame, s: "pd.Series"): ...`,
      null,
      "t frame, s series",
    ],
    ["the name df", `${PANDAS}def f(df, n): ...`, null, "df frame"],
    [
      "a docstring",
      `${PANDAS}def f(table, n):\n    """\n    - table (DataFrame): The table.\n    """`,
      null,
      "table frame",
    ],
    ["the description", `${NUMPY}def f(xs): ...`, "Args:\n  xs: A 2D numpy array.", "xs array"],
    ["uses", `${NUMPY}def f(a, b):\n    return a.shape[0] + b`, null, "a array"],
    ["other words for df", `${PANDAS}def f(df):\n    """df (dict of list): columns."""`, null, ""],
    ["other types", `${NUMPY}def f(x: list[int], df: dict): ...`, null, ""],
    ["no package", "def f(df): return df.columns", null, ""],
  ])("are known by %s", (_, reference, description, expected) => {
    const found = arraysOf(taskOf(reference, description), entry)?.parameters ?? [];
    expect(found.map(({ name, kind }) => `${name} ${kind}`).join(", ")).toBe(expected);
  });

  it("are the answer only of a function that changes them and returns nothing", () => {
    const isAfter = (body: string): boolean => arraysOf(taskOf(`${PANDAS}def f(df):\n    ${body}`), entry)!.after;
    expect(isAfter("df['a'] = 1")).toBe(true);
    expect(isAfter("df.dropna(inplace=True)")).toBe(true);
    expect(isAfter("df['a'] = 1\n    return df")).toBe(false);
    expect(isAfter("print(df['a'])")).toBe(false);
  });
});

describe("columns", () => {
  const names = (code: string, text = code): string[] => columnsOf("df", code, text).map(({ name }) => name);

  it("are those that a literal shows, the code reads or the description names", () => {
    const shown =
      "pd.DataFrame({'x': [1, 2], 'when': ['2024-01-05', '2024-02-01'], 'kind': ['a', 'b'], 'ok': [True, False], 'w': [.5, 1]})";
    expect(columnsOf("df", "", shown)).toEqual([
      { name: "x", values: "int", texts: [] },
      { name: "when", values: "date", texts: [] },
      { name: "kind", values: "text", texts: ["a", "b"] },
      { name: "ok", values: "bool", texts: [] },
      { name: "w", values: "float", texts: [] },
    ]);
    expect(names("df['age'] + df[['pay', 'rate']].sum() + df.groupby('city')['n'].mean()")).toEqual([
      "age",
      "pay",
      "rate",
      "n",
      "city",
    ]);
    expect(names("", "It has the columns 'Date' and 'Sales'. The \"result\" is a sum.")).toEqual(["Date", "Sales"]);
    expect(names("df['total'] = df['a'] * df['b']\nreturn df['total']")).toEqual(["a", "b"]);
    expect(names("return df.mean()")).toEqual(["A", "B", "C"]);
  });

  it("have texts or dates by their names and uses", () => {
    const values = (code: string) => columnsOf("df", code, code).map((one) => one.values);
    expect(values("df['note'].str.len() + df['city'] + df['start_date'] + df['n']")).toEqual([
      "text",
      "text",
      "date",
      "int",
    ]);
  });

  it("of an array are as many as an example shows", () => {
    expect(widthOf("x", "", "x = np.array([[1, 2, 3, 4], [5, 6, 7, 8]])")).toBe(4);
    expect(widthOf("x", "", "x = np.array([1, 2, 3])")).toBeNull();
    expect(widthOf("x", "return x.shape[1]", "")).toBe(3);
    expect(widthOf("x", "return x.sum()", "")).toBeNull();
  });
});

it("makes frames with columns of equal lengths, and names of columns that it has", () => {
  const reference = `${PANDAS}def f(df, column, features, n=3):\n    return df['city'], df['pay']`;
  const own = { ...entry, shows: "arrays", arrays: arraysOf(taskOf(reference), entry)! } as const;
  const inputs = argumentsWithArrays(taskOf(reference), own, 40, 0);
  expect(new Set(inputs.map((input) => JSON.stringify(input))).size).toBeGreaterThan(35);
  const textOf = (value: PyValue): string => (value.t === "str" ? value.v : "");
  for (const input of inputs) {
    const [df, column, features, ...more] = parseArguments("args" in input ? input.args : "").positional;
    expect(more).toEqual([]);
    const columns = df?.t === "dict" ? df.v : [];
    expect(columns.map(([name]) => textOf(name))).toEqual(["city", "pay"]);
    expect(new Set(columns.map(([, values]) => (values.t === "list" ? values.v.length : -1))).size).toBe(1);
    expect(["city", "pay"]).toContain(textOf(column!));
    for (const one of features?.t === "list" ? features.v : []) expect(["city", "pay"]).toContain(textOf(one));
  }
});

describe.skipIf(environment === null)("functions of arrays and data frames", { timeout: 120_000 }, () => {
  let executor: Executor;
  beforeAll(async () => {
    executor = await openExecutor({ workers: 2, python: environment! });
  });
  afterAll(() => executor.close());

  async function agreeing(reference: string, candidates: readonly string[], description: string | null = null) {
    const run = (await TaskRun.open({ reference, description, candidates }, executor, { inputs: 20, seed: 0 }))!;
    expect(run.inputs.entry).toMatchObject({ shows: "arrays" });
    expect(run.inputs.known.length).toBeGreaterThan(9);
    await run.run([...candidates.keys()], 20);
    return (await run.observed()).candidates.map(({ agrees }) => agrees!.every(Boolean));
  }

  it("are compared by their answers", async () => {
    const reference = `${NUMPY}def f(x: np.ndarray) -> np.ndarray:\n    return (x - x.mean(axis=1, keepdims=True)) / x.shape[1]`;
    const candidates = [
      `${NUMPY}def f(x):\n    return np.array([(row - sum(row) / len(row)) / len(row) for row in x])`,
      reference.replace("axis=1", "axis=0"),
    ];
    expect(await agreeing(reference, candidates)).toEqual([true, false]);
    const grouped = `${PANDAS}def f(df):\n    return df.groupby('team')['points'].sum()`;
    const others = [
      `${PANDAS}def f(df):\n    return df[['team', 'points']].groupby('team').sum()['points']`,
      grouped.replace("sum", "max"),
    ];
    expect(await agreeing(grouped, others)).toEqual([true, false]);
  });

  it("and by what they change", async () => {
    const reference = `${PANDAS}def f(df):\n    df['total'] = df['a'] + df['b']`;
    const candidates = [
      `${PANDAS}def f(df):\n    df['total'] = df[['a', 'b']].sum(axis=1)`,
      `${PANDAS}def f(df):\n    df = df.assign(total=df['a'] + df['b'])`,
    ];
    expect(await agreeing(reference, candidates)).toEqual([true, false]);
  });
});
