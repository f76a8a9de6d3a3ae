import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { parseHTML } from "linkedom";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { rtcVerb } from "../../../src/cli/rtc.ts";
import { type ProjectsSummary, readProjectList } from "../../../src/rtc/index.ts";
import { printed } from "../../cli/printed.ts";
import { bwrapWorks } from "../../execute/open.ts";
import { shopTests, writeShop } from "./shop.ts";
import { tillTests, writeTill } from "./till.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "projects-verb-"));
});
afterEach(async () => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
  await rm(folder, { recursive: true, force: true });
});

async function rtc(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const out = printed();
  const verb = rtcVerb().exitOverride();
  for (const command of verb.commands) command.exitOverride();
  await verb.parseAsync(args, { from: "user" });
  return out;
}

async function writeList(rows: readonly object[]): Promise<string> {
  const path = join(folder, "projects.jsonl");
  await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return path;
}

describe.skipIf(!bwrapWorks)("codescore rtc synthesis --projects", () => {
  const out = (): string => join(folder, "out");
  const run = (list: string, ...args: string[]) =>
    rtc(
      ...["synthesis", "--projects", list, "--output", out(), "--forward", "mutate:", "--sims", "pass,calls"],
      ...["--limit", "3", "--forward-samples", "2", ...args],
    );

  it("runs a folder and a wheel, leaves out what cannot be used, draws charts, and goes on", async () => {
    await writeShop(join(folder, "shop"));
    const till = await writeTill(join(folder, "till"));
    const wheel = join(folder, "till-1.0-py3-none-any.whl");
    await promisify(execFile)("python3", [
      "-m",
      "zipfile",
      "-c",
      wheel,
      ...["till.py", "test_till.py"].map((name) => join(till, name)),
    ]);
    const list = await writeList([
      { name: "shop", project: "shop", tests: shopTests },
      { name: "till", project: "till-1.0-py3-none-any.whl", tests: tillTests, python: "python3" },
      { name: "broken", project: "shop", tests: "false" },
    ]);
    const { stdout, stderr } = await run(list);
    expect(process.exitCode).toBe(1);
    expect(stderr).toContain("left out: broken: the tests fail on the unchanged project");
    expect(stdout).toMatch(
      /^project +spans +similarity +RTC[\s\S]*\nshop +3 +pass +\d[\s\S]*\ntill +3 +calls[\s\S]*\nmean +pass/,
    );
    const summary = JSON.parse(await readFile(join(out(), "projects.json"), "utf8")) as ProjectsSummary;
    expect(summary.projects.map(({ name, spans }) => [name, spans])).toEqual([
      ["shop", 3],
      ["till", 3],
    ]);
    expect(summary.left_out).toMatchObject([{ name: "broken" }]);
    const [pass] = summary.means;
    const rtcs = summary.projects.map(({ similarities }) => similarities[0]!.rtc!.value);
    expect(pass!.rtc!.value).toBeCloseTo((rtcs[0]! + rtcs[1]!) / 2, 12);
    expect((await readdir(join(out(), "charts"))).sort()).toEqual(["rtc-calls.svg", "rtc-pass.svg"]);
    expect(await readFile(join(out(), "charts", "rtc-pass.svg"), "utf8")).toMatch(
      /^<svg xmlns[\s\S]*shop \d\.\d\d[\s\S]*<rect/,
    );
    expect(await readdir(join(out(), "tables"))).toContain("projects.csv");
    const page = await readFile(join(out(), "report.html"), "utf8");
    expect(parseHTML(page).document.querySelectorAll("figure.card svg")).toHaveLength(2);

    // Started again without their files: finished projects are not run again, and the rest is tried.
    const before = await readFile(join(out(), "projects.json"), "utf8");
    await rm(join(folder, "till"), { recursive: true });
    await rm(wheel);
    await rm(join(out(), "till", "project"), { recursive: true });
    await run(list);
    expect(await readFile(join(out(), "projects.json"), "utf8")).toBe(before);
  });

  it("leaves out a project with fewer spans than are asked for", async () => {
    await writeShop(join(folder, "shop"));
    const list = await writeList([{ name: "shop", project: "shop", tests: shopTests }]);
    await expect(run(list, "--limit", "100", "--least-spans", "90")).rejects.toThrow(
      /no project can be used; shop: expected 90 or more spans \(--least-spans\), got \d+/,
    );
  });
});

describe("the options of --projects", () => {
  it.each([
    [["--project", "x"], "not both"],
    [["--python", "x"], "not both"],
    [["--least-spans", "5", "--limit", "4"], "expected --least-spans to be 4 (--limit) or less, got 5"],
    [["--cache", "x"], "each project has its own recording"],
    [["--pass-ratio"], "passes or fails as a whole"],
  ])("refuse %j", async (args, message) => {
    const list = await writeList([{ name: "a", project: "a", tests: "true" }]);
    const common = ["synthesis", "--projects", list, "--output", join(folder, "out"), "--forward", "replay:x.jsonl"];
    await expect(rtc(...common, ...args)).rejects.toThrow(message);
  });

  it("--least-spans is for --projects", async () => {
    const args = ["synthesis", "--problems", "x", "--least-spans", "3", "--forward", "replay:x", "--output", folder];
    await expect(rtc(...args)).rejects.toThrow("--least-spans is for --projects");
  });
});

describe("readProjectList", () => {
  it("reads paths from where the file lies", async () => {
    const list = await writeList([
      { name: "a", project: "a", tests: "pytest" },
      { name: "b", project: "/b.whl", tests: "pytest", python: "env/bin/python" },
      { name: "c", project: "c", tests: "pytest", python: "python3.12" },
    ]);
    expect(await readProjectList(list)).toEqual([
      { name: "a", project: join(folder, "a"), tests: "pytest", python: null },
      { name: "b", project: "/b.whl", tests: "pytest", python: join(folder, "env/bin/python") },
      { name: "c", project: join(folder, "c"), tests: "pytest", python: "python3.12" },
    ]);
  });

  it.each<[object[], RegExp]>([
    [[{ name: "../up", project: "a", tests: "t" }], /projects\.jsonl:1: expected a `name` of letters.*got `\.\.\/up`/],
    [[{ name: "a", project: "a" }], /tests/],
    [
      [
        { name: "a", project: "a", tests: "t" },
        { name: "a", project: "b", tests: "t" },
      ],
      /:2: two projects are called `a`/,
    ],
    [[], /expected lines .*, got none/],
  ])("refuses %j", async (rows, message) => {
    await expect(readProjectList(await writeList(rows))).rejects.toThrow(message);
  });
});
