import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadParser } from "../../../src/languages/python/syntax/parse.ts";
import { readNotebooks, readProblems, sourceFiles } from "../../../src/problems/index.ts";
import { pythonOf } from "../../../src/problems/notebook/magics.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codescore-test-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const write = async (name: string, value: unknown): Promise<string> => {
  const path = join(folder, name);
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, typeof value === "string" ? value : JSON.stringify(value));
  return path;
};
const code = (source: string | string[], metadata = {}) => ({
  cell_type: "code",
  source,
  metadata,
  outputs: [],
  execution_count: 1,
});
const markdown = (source: string) => ({ cell_type: "markdown", source, metadata: {} });
const notebook = (cells: unknown[], more = {}) => ({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells, ...more });

describe("a notebook", () => {
  it("gives a turn for each code cell that does more than import, with what stands before it", async () => {
    const path = await write(
      "a/nb.ipynb",
      notebook([
        code("%matplotlib inline\nimport math"),
        markdown("Intro"),
        markdown("Set x."),
        code(["x = 1\n", "y = 2"]),
        markdown("Show both."),
        code("x + y"),
        code("print(x)"),
      ]),
    );
    await write("a/data.csv", "1");
    await write("a/other.ipynb", "{}");
    const turns = await readNotebooks([path]);
    expect(turns.map(({ problem }) => [problem.id, problem.description, problem.references])).toEqual([
      ["nb/2", "Intro\n\nSet x.", ["x = 1\ny = 2"]],
      ["nb/3", "Show both.", ["x + y"]],
      ["nb/4", "", ["print(x)"]],
    ]);
    expect(turns[1]!.context.map(({ text }) => text)).toEqual(["pass\nimport math", "Intro", "Set x.", "x = 1\ny = 2"]);
    const { before, needed, imports, files } = turns[0]!.problem.notebook!;
    expect([before, needed, imports]).toEqual([["pass\nimport math"], ["print", "x", "y"], "import math"]);
    expect(files?.paths).toEqual(["data.csv"]);
    expect([...(await readProblems([path])).keys()]).toEqual(["nb/2", "nb/3", "nb/4"]);
  });

  it("gives only the tagged cells, if any are, with the intent of their metadata", async () => {
    const tagged = code("1", { tags: ["turn"], intent: "One." });
    const raising = code("1 / 0", { tags: ["raises-exception"] });
    const [turn, ...none] = await readNotebooks([
      await write("b/nb.ipynb", notebook([raising, code("x = 1"), tagged])),
    ]);
    expect([turn!.problem.id, turn!.problem.description, turn!.problem.notebook!.raising, none]).toEqual([
      "nb/3",
      "One.",
      [0],
      [],
    ]);
  });

  it("takes a name that is bound again before it is read for no longer needed", async () => {
    const cells = ["x = 1", "x = 2\nx", "for i in range(3):\n    i", "y = 1", "y"].map((text) => code(text));
    const [first] = await readNotebooks([await write("c/nb.ipynb", notebook(cells))]);
    expect(first!.problem.notebook!.needed).toEqual(["range"]);
  });

  it.each([
    ["no notebook", {}, /expected a Jupyter notebook with `nbformat`/],
    [
      "an early format",
      { nbformat: 3, worksheets: [] },
      /expected nbformat 4 with `cells`, got nbformat 3; jupyter nbconvert/,
    ],
    [
      "another language",
      notebook([], { metadata: { language_info: { name: "R" } } }),
      /expected a notebook in Python, got one in R/,
    ],
    [
      "a shell command",
      notebook([code("x = 1\n!wget http://a/b.csv")]),
      /cell 1, line 2: expected Python, got `!wget .*`: a shell command/,
    ],
    ["another magic", notebook([code("%%bash\nls")]), /cell 1, line 1: expected Python, got `%%bash`: this cell magic/],
    ["a command's output", notebook([code("files = !ls")]), /the output of a command cannot be replayed/],
    ["no Python", notebook([code("x = = 1")]), /cell 1: expected Python, got a cell that does not parse/],
    ["an odd cell", notebook([{ cell_type: "code" }]), /cell 1: expected a markdown or code cell with `source`/],
    ["nothing to do", notebook([code("import os")]), /no turns in/],
  ])("is refused where it has %s", async (_, value, message) => {
    await expect(readNotebooks([await write("refused/nb.ipynb", value)])).rejects.toThrow(message as RegExp);
  });

  it("is Python once its magics are out", async () => {
    const parse = await loadParser();
    const python = (text: string): string => pythonOf(text, "cell", parse);
    expect(python("%pip install x\n!pip install y\nx = 5 % 3")).toBe("pass\npass\nx = 5 % 3");
    expect(python("%%time\nx = 1")).toBe("x = 1");
    expect(python("if x:\n    %time f(x)\ndf?")).toBe("if x:\n    f(x)\npass");
    expect(python("%%html\n<b>")).toBe("");
    expect(python("s = '''\n!wget\n'''")).toBe("s = '''\n!wget\n'''");
  });
});

it("a notebook's data files are those of the folder that is given", async () => {
  const path = await write("f/n.ipynb", notebook([code("x = 1")]));
  const [beside, data] = [await write("f/beside.csv", "1"), await write("d/data.csv", "1")];
  expect(await sourceFiles(path)).toEqual([path, beside]);
  expect(await sourceFiles(path, { files: join(folder, "d") })).toEqual([path, data]);
});

describe("a split of notebooks", () => {
  const turns = [
    { intent: "Read it.", code: "x = 1", cells: ["import os", { cell_type: "markdown", source: "# T" }] },
    { intent: "Show it.", code: "x", cells: [] },
  ];

  it("has the turns of its episodes in order", async () => {
    await write("s/work/a.csv", "1");
    const path = await write("s/split.json", [
      { notebook_name: "one.ipynb", work_dir: "work", cells: ["y = 0"], turns },
    ]);
    const found = await readNotebooks([path]);
    expect(found.map(({ problem }) => [problem.id, problem.description, problem.notebook!.before])).toEqual([
      ["one/1", "Read it.", ["y = 0", "import os"]],
      ["one/2", "Show it.", ["y = 0", "import os", "x = 1"]],
    ]);
    expect(found[1]!.context.map(({ text }) => text)).toEqual(["y = 0", "import os", "# T", "x = 1"]);
    expect(found[0]!.problem.notebook!.files!.paths).toEqual(["a.csv"]);
    expect((await readProblems([path])).size).toBe(2);
  });

  it("has the files of its episodes' folders hashed for manifests, each once", async () => {
    await write("m/other.csv", "1");
    const data = await Promise.all(["a/a.csv", "b/b.csv"].map((name) => write(`m/${name}`, "1")));
    const path = await write(
      "m/split.json",
      ["a", "b", "b"].map((work_dir, i) => ({ notebook_name: `${i}`, work_dir, turns })),
    );
    expect(await sourceFiles(path)).toEqual([path, ...data]);
    const elsewhere = await write("m2/b/c.csv", "1");
    await write("m2/a/none.ipynb", "");
    expect(await sourceFiles(path, { files: join(folder, "m2") })).toEqual([path, elsewhere]);
  });

  it("has fields of other names, and turns that bring all of their cells", async () => {
    const path = await write("t/split.json", {
      data: [{ id: "n", tasks: [{ nl: { value: "Ask." }, answer: "x", all: ["x = 1"] }] }],
    });
    const fields = { episodes: "data", name: "id", turns: "tasks", intent: "nl.value", code: "answer", context: "all" };
    const [turn] = await readNotebooks([path], { fields });
    expect([turn!.problem.id, turn!.problem.description, turn!.problem.notebook!.before]).toEqual([
      "n/1",
      "Ask.",
      ["x = 1"],
    ]);
  });

  it("has cells as one text, with or without marks between them", async () => {
    const path = await write("text/split.json", [
      {
        turns: [
          { intent: "Ask.", code: "x", context: "x = 1\ny = 2\n" },
          { intent: "Ask.", code: "y", context: "# In[ ]:\nx = 1\n\n# In[2]:\r\ny = x\n" },
        ],
      },
    ]);
    const found = await readNotebooks([path]);
    expect(found.map(({ problem }) => problem.notebook!.before.map((cell) => cell.trim()))).toEqual([
      ["x = 1\ny = 2"],
      ["x = 1", "y = x"],
    ]);
  });

  it.each([
    [
      "no episodes",
      { rows: [] },
      /expected a list of episodes in `episodes`; fields here: rows; use --fields episodes=NAME/,
    ],
    ["no turns", [{ steps: [] }], /episode 1: expected a list of turns in `turns`; fields here: steps/],
    ["no reference", [{ turns: [{ intent: "x" }] }], /episode 1, turn 1: expected the reference cell's text in `code`/],
    [
      "a folder elsewhere",
      [{ work_dir: "../..", turns }],
      /expected `work_dir` to be a folder beside the split, got `..\/..`/,
    ],
    ["a folder that is missing", [{ work_dir: "none", turns }], /its folder of data files does not exist/],
    [
      "one name twice",
      [
        { notebook_name: "a", turns },
        { notebook_name: "a", turns },
      ],
      /expected episodes of different names, got `a` twice/,
    ],
  ])("is refused where it has %s", async (_, value, message) => {
    await expect(readNotebooks([await write("u/split.json", value)])).rejects.toThrow(message as RegExp);
  });
});
