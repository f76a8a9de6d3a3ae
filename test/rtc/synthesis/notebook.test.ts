/** Round trips of notebooks: prompts, answers, and the command with recorded answers. */
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { rtcVerb } from "../../../src/cli/rtc.ts";
import { readNotebooks } from "../../../src/problems/index.ts";
import { notebookTask, shownCells } from "../../../src/rtc/synthesis/notebook.ts";
import { printed } from "../../cli/printed.ts";
import { bwrapWorks } from "../../execute/open.ts";

let folder: string;
let path: string;
const cell = (source: string) => ({ cell_type: "code", source, metadata: {}, outputs: [] });
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codescore-test-"));
  path = join(folder, "nb.ipynb");
  const cells = [
    cell("xs = [3, 1, 2]"),
    { cell_type: "markdown", source: "Sum of xs.", metadata: {} },
    cell("sum(xs)"),
  ];
  await writeFile(path, JSON.stringify({ nbformat: 4, metadata: {}, cells }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("notebookTask", () => {
  it("shows the cells before and the cell, and not what people say it does", async () => {
    const { trips, maxCharacters } = await notebookTask({ turns: await readNotebooks([path]) });
    const trip = trips[1]!;
    expect([trip.id, trip.reference, trip.description, maxCharacters]).toEqual(["nb/2", "sum(xs)", "Sum of xs.", 128]);
    const [asked, back] = [trip.forward.at(-1)!.content, trip.backward("Add them.").at(-1)!.content];
    expect(asked).toBe("# In[ ]:\nxs = [3, 1, 2]\n\n# In[ ]:\n# BEGIN\nsum(xs)\n# END");
    expect(back).toBe("# In[ ]:\nxs = [3, 1, 2]\n\n# In[ ]:\n# Add them.");
  });

  it("takes the cell out of an answer", async () => {
    const place = (await notebookTask({ turns: await readNotebooks([path]) })).trips[1]!.place;
    expect(await place("Here:\n```python\nsum(xs)\n```")).toBe("sum(xs)");
    expect(await place("# In[ ]:\nsum(xs)\n\n# In[ ]:\nmax(xs)")).toBe("sum(xs)");
  });

  it("shows whole cells, the nearest, up to a limit", () => {
    const cells = [
      { kind: "code", text: "a = 1" },
      { kind: "markdown", text: "# Title\n\nText" },
      { kind: "code", text: "b = 2" },
    ] as const;
    expect(shownCells(cells, 8000)).toBe("# In[ ]:\na = 1\n\n# # Title\n#\n# Text\n\n# In[ ]:\nb = 2");
    expect(shownCells(cells, 16)).toBe("# In[ ]:\nb = 2");
  });
});

describe.skipIf(!bwrapWorks)("codescore rtc synthesis --notebook", () => {
  it("replays the notebook for `pass`, asks for no lift, and writes what the report reads", async () => {
    const recorded = join(folder, "recorded.jsonl");
    const rows = [1, 2].flatMap((turn) =>
      [0, 1, 2].flatMap((sample) => [
        { task_id: `nb/${turn}`, direction: "forward", sample, text: `Do ${turn}.` },
        { task_id: `nb/${turn}`, direction: "backward", sample, text: ANSWERS[turn - 1]![sample] },
      ]),
    );
    await writeFile(recorded, rows.map((row) => JSON.stringify(row)).join("\n"));
    const out = join(folder, "out");
    const flags = ["--sims", "pass,chrf", "--forward", `replay:${recorded}`, "--output", out, "--workers", "1"];
    const said = printed();
    await rtcVerb().parseAsync(["synthesis", "--notebook", path, "--sandbox", "bwrap", ...flags], { from: "user" });
    vi.restoreAllMocks();
    expect(said.stdout).toMatch(/^pass +0\.500/m);
    const summary = JSON.parse(await readFile(join(out, "summary.json"), "utf8"));
    expect(summary.similarities[0]).toMatchObject({ name: "pass", lift: null, unscored: null });
    const samples = (await readFile(join(out, "samples.jsonl"), "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(samples.map(({ sims }) => sims.pass)).toEqual([1, 0, 0, 1, 1, 0]);
  });

  it("says before a model is asked that cells lack a package", async () => {
    const lacking = join(folder, "lacking.ipynb");
    const cells = [cell("import wholly_made_up"), cell("1 + 1"), cell("2 + 2")];
    await writeFile(lacking, JSON.stringify({ nbformat: 4, metadata: {}, cells }));
    const out = join(folder, "lacking");
    const flags = ["--forward", "openai:nobody", "--sims", "pass", "--sandbox", "bwrap", "--output", out];
    const run = rtcVerb().parseAsync(["synthesis", "--notebook", lacking, ...flags], { from: "user" });
    await expect(run).rejects.toMatchObject({
      code: "environment",
      message: expect.stringMatching(/^no cell can be replayed.*wholly_made_up'; --python ENV.*; without pass/),
    });
    expect(existsSync(out)).toBe(false);
  });

  it.each([
    ["synthesis", "--forward"],
    ["identity", "--llm"],
  ])("are no --problems of rtc %s", async (task, llm) => {
    const args = [task, "--problems", path, llm, "openai:nobody", "--sims", "chrf", "--output", join(folder, "none")];
    await expect(rtcVerb().parseAsync(args, { from: "user" })).rejects.toThrow(
      /^expected --problems to be .*, got the notebook `nb` in .*: codescore rtc synthesis --notebook$/,
    );
  });

  it.each([
    [["--problems", "p.jsonl"], "give --notebook without"],
    [["--sims", "behaviour"], "needs functions, and a cell is not a function"],
    [["--forward", "mutate:"], "--forward mutate: is for --project"],
  ])("refuses %j", async (flags, message) => {
    const before = ["synthesis", "--notebook", path, "--forward", "replay:x.jsonl", "--output", folder];
    await expect(rtcVerb().parseAsync([...before, ...flags], { from: "user" })).rejects.toThrow(message);
  });
});

/** Answers for each turn. The first turn sets a variable that the second reads, so another name fails there. */
const ANSWERS = [
  ["```python\nxs = sorted([1, 2, 3], key=[3, 1, 2].index)\n```", "xs = [1, 2, 3]", "ys = [3, 1, 2]"],
  ["total = 0\nfor x in xs:\n    total += x\ntotal", "6", "len(xs)"],
];
