/** The command as users call it. Needs `npm run build`, which `npm test` runs first. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packageRoot, packageVersion } from "../../src/util/files.ts";
import { makeModel } from "../score/model.ts";
import { codescore, codescoreHere } from "./run.ts";

const VERBS = [
  "expand",
  "mutate",
  "label",
  "pretrain",
  "train",
  "import",
  "export",
  "score",
  "evaluate",
  "compare",
  "estimate",
  "rtc",
  "serve",
  "setup",
  "datasets",
];
let folder: string;
let model: string;
const file = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codescore-cli-"));
  model = await makeModel();
  await writeFile(file("a.py"), "def f(a, b):\n    return b + a\n");
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  await rm(model, { recursive: true });
});

describe("the linked command", () => {
  const runFile = promisify(execFile);

  it("is the built one", async () => {
    const { stdout } = await runFile(process.execPath, [join(packageRoot, "bin", "codescore.mjs"), "--version"]);
    expect(stdout.trim()).toBe(await packageVersion());
  });

  it("says how to build in a clone that is not built", async () => {
    await mkdir(file("clone"));
    await cp(join(packageRoot, "bin"), file("clone/bin"), { recursive: true });
    const ran = runFile(process.execPath, [file("clone/bin/codescore.mjs"), "score"]);
    await expect(ran).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("run `npm ci && npm run build` in"),
    });
  });
});

describe("codescore", () => {
  it("shows its verbs", async () => {
    const { code, stdout } = await codescore(["--help"]);
    expect(code).toBe(0);
    expect(stdout.match(/^\S.*:$/gm)).toEqual([
      "Options:",
      "Score programs:",
      "Measure metrics and models:",
      "Make labelled data:",
      "Train a model:",
      "Commands:",
    ]);
    for (const verb of VERBS) expect(stdout).toMatch(new RegExp(`^  ${verb}\\b`, "m"));
  });

  it.each(VERBS)("%s --help has examples", async (verb) => {
    const { code, stdout } = await codescoreHere([verb, "--help"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`Examples?:[\\s\\S]*codescore ${verb}`));
  });

  it.each(["synthesis", "identity", "editing", "patched"])("rtc %s --help shows no JSON", async (verb) => {
    const { stdout } = await codescoreHere(["rtc", verb, "--help"]);
    expect(stdout).not.toMatch(/default:\s+[[{]/);
  });

  it.each<[string, () => string[], RegExp]>([
    ["a number that is none", () => ["label", "--test-cpu", "x"], /Expected a number above 0, got `x`/],
    ["an unknown verb", () => ["scoer"], /unknown command 'scoer' \(Did you mean score\?\)/],
    ["an unknown flag", () => ["score", "--fromat", "ref"], /unknown option '--fromat' \(Did you mean --format\?\)/],
    [
      "a wrong model folder",
      () => ["score", "--model", folder, "--reference", file("a.py"), file("a.py")],
      /is not a codescore model: it has no config\.json/,
    ],
    [
      "a missing model folder",
      () => ["score", "--model", file("no"), "--reference", file("a.py"), file("a.py")],
      /no model folder at/,
    ],
    [
      "an output of no known kind",
      () => ["label", "--problems", "p", "--samples", "s", "--output", "x.csv"],
      /\.arrow, \.parquet or \.jsonl/,
    ],
    ["a missing data set", () => ["train", "--data", file("no.arrow"), "--output", file("out")], /no\.arrow/],
    [
      "a device that does not exist",
      () => ["train", "--data", "x", "--output", file("out"), "--device", "tpu"],
      /`device` to be one of auto, .*got `tpu`/,
    ],
    ["a folder to export that is none", () => ["export", folder], /not a codescore model/],
    ["a form that is none", () => ["export", folder, "--forms", "fp32,int4"], /some of fp32,fp16,int8, got `int4`/],
    [
      "scales for a form that is left out",
      () => ["export", folder, "--forms", "fp16", "--calibrate", "x.arrow"],
      /scales of int8, which --forms leaves out/,
    ],
    ["a folder to import that is none", () => ["import", folder, "--output", file("out")], /has no config\.json/],
    [
      "problems that are not there",
      () => ["mutate", "--problems", file("no.jsonl"), "--output", file("s.jsonl")],
      /no\.jsonl/,
    ],
    ["labelled rows that are not there", () => ["evaluate", "--data", file("no.arrow"), "--no-model"], /no\.arrow/],
  ])("%s is one clear line on stderr and a non-zero exit", async (_, args, message) => {
    const { code, stderr, stdout } = await codescoreHere(args());
    expect(stderr).toMatch(message);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stdout).toBe("");
    expect(code).not.toBe(0);
  });

  it.each<[string, number, string[], string]>([
    ["all is scored", 0, [], '{"candidate": "x = 1", "reference": "x = 2"}'],
    ["a row is bad", 1, [], '{"candidate": "x = 1", "reference": "x = 2"}\n{}'],
    ["stdin is no rows", 2, [], "rows"],
    ["an option is unknown", 2, ["--modle", "x"], ""],
    ["two options exclude each other", 2, ["--input", "a", "--reference", "b"], ""],
  ])("ends a process with the words and the code that the call gives, where %s", async (_, code, args, stdin) => {
    const [ended, called] = await Promise.all(
      [codescore, codescoreHere].map((command) => command(["score", "--model", model, ...args], { stdin })),
    );
    const untimed = (text: string): string => text.replace(/in \d+\.\d s \([\d.]+\/s\)/, "");
    expect(ended).toMatchObject({ code, stdout: called!.stdout });
    expect(called!.code).toBe(code);
    expect(untimed(ended!.stderr)).toBe(untimed(called!.stderr));
  });

  it.each([
    [["--nothing"], "codescore --help"],
    [["score", "--html", "x"], "codescore score --help"],
    [["datasets", "stats", "--html", "x"], "codescore datasets stats --help"],
    [["rtc", "synthesis", "--html", "x"], "codescore rtc synthesis --help"],
  ])("names the help of the verb in an error of %j", async (args, help) => {
    const { code, stderr } = await codescoreHere(args);
    expect(code).toBe(2);
    expect(stderr).toContain(`(see ${help})`);
  });

  it.each([
    ["--fail-on", "fails unknown looks-right"],
    ["--format", "auto ref nl ref+nl"],
  ])("completes the choices of score %s", async (option, choices) => {
    const { stdout } = await codescore(["complete", "--", "score", option, ""]);
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => line.trim());
    expect(lines.slice(0, -1)).toEqual(choices.split(" "));
  });

  it("shows where with --debug", async () => {
    const { stderr } = await codescore(["score", "--debug", "--model", folder, file("a.py")]);
    expect(stderr).toMatch(/^\s+at /m);
  });
});
