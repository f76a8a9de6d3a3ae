import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { rtcVerb } from "../../src/cli/rtc.ts";
import { printed } from "../cli/printed.ts";
import { startStub } from "./stub.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "rtc-verb-"));
  const problem = { task_id: "t/1", prompt: "def f(x):\n", canonical_solution: "    return 2 * x\n", entry_point: "f" };
  await writeFile(
    join(folder, "problems.jsonl"),
    JSON.stringify({ ...problem, test: "def check(c):\n    assert c(1) == 2\n" }),
  );
  const rows = [0, 1, 2].flatMap((sample) => [
    { task_id: "t/1", direction: "forward", sample, text: "Doubles." },
    { task_id: "t/1", direction: "backward", sample, text: sample === 0 ? "return 2 * x" : "return x" },
  ]);
  await writeFile(join(folder, "rec.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
});
afterEach(async () => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
  await rm(folder, { recursive: true });
});

/** The verb's output and exit code. */
async function rtc(...args: string[]): Promise<{ stdout: string; stderr: string; code: number }> {
  const out = printed();
  const verb = rtcVerb().exitOverride();
  for (const command of verb.commands) command.exitOverride();
  const files = ["--problems", join(folder, "problems.jsonl"), "--output", join(folder, "out")];
  await verb.parseAsync(["synthesis", ...files, ...args], { from: "user" });
  return { ...out, code: Number(process.exitCode ?? 0) };
}

describe("codescore rtc synthesis", () => {
  const replay = () => ["--forward", `replay:${join(folder, "rec.jsonl")}`];

  it("prints a table, says where it wrote, and names the recording as the model", async () => {
    const { stdout, stderr, code } = await rtc(...replay(), "--sims", "exact,chrf", "--threshold", "chrf=0.9");
    expect(code).toBe(0);
    const [head, exact, chrf] = stdout.split("\n").map((line) => line.split(/\s{2,}/));
    expect(head!.slice(0, 4)).toEqual(["similarity", "RTC", "95% interval", "lift"]);
    expect(exact!.slice(0, 5)).toEqual(["exact", "0.333", "-", "-", "0.333 (1)"]);
    expect(chrf![4]).toBe("0.333 (0.9)");
    expect(stderr).toContain("model: an unnamed model (recorded answers); 3 round trips over 1 problem");
    expect(stderr).toContain("share >= threshold: of the samples; the threshold is in brackets");
    expect(stderr).toContain("No lift: the recording has no `baseline` rows.");
    expect(stderr).toContain(`wrote ${join(folder, "out", "summary.json")}`);
    const summary = JSON.parse(await readFile(join(folder, "out", "summary.json"), "utf8")) as object;
    expect(summary).toMatchObject({ models: { forward: "recorded", backward: "recorded" } });
  });

  it("says that a report in its folder is of an earlier run, and keeps it", async () => {
    const report = join(folder, "out", "report.html");
    expect((await rtc(...replay(), "--sims", "exact")).stderr).not.toContain("earlier run");
    await writeFile(report, "old");
    const { stderr } = await rtc(...replay(), "--sims", "chrf");
    expect(stderr).toContain(
      `${report} is from an earlier run; \`codescore rtc report ${join(folder, "out")}\` updates`,
    );
    expect(await readFile(report, "utf8")).toBe("old");
  });

  it("says how many calls and tokens a model took, and by its price what they cost", async () => {
    const stub = await startStub(() => ({ texts: ["Adds.", "Adds up.", "Sums."] }));
    vi.stubEnv("OPENAI_BASE_URL", stub.url);
    try {
      const { stderr } = await rtc("--forward", "openai:m", "--sims", "exact", "--price", "m=1000,2000", "--no-lift");
      expect(stderr).toContain("m: 4 calls, 0 of them retries; 40 tokens in, 12 out, 0.0640 by --price");
    } finally {
      vi.unstubAllEnvs();
      await stub.close();
    }
  });

  it("runs what came back on made-up inputs where there is no test", async () => {
    const problem = {
      task_id: "t/1",
      description: "Doubles.",
      references: ["def f(x):\n    return 2 * x\n"],
      tests: [],
    };
    await writeFile(join(folder, "problems.jsonl"), JSON.stringify({ ...problem, entry_point: "f" }));
    const sims = ["--sims", "behaviour,hybrid,pass", "--unsure", "0,1", "--model", "tiny", "--workers", "1"];
    const { stdout, stderr, code } = await rtc(...replay(), ...sims, "--threshold", "behaviour=0.6");
    expect(code).toBe(1); // `pass` has no value
    const [, behaviour, hybrid, pass] = stdout.split("\n").map((line) => line.split(/\s{2,}/));
    expect(behaviour!.slice(0, 1).concat(behaviour!.slice(4))).toEqual(["behaviour", "0.333 (0.6)", expect.anything()]);
    expect(hybrid!.slice(0, 2)).toEqual(["hybrid", behaviour![1]]);
    expect(pass!.slice(0, 2)).toEqual(["pass", "-"]);
    expect(stderr).toContain("hybrid ran 2 of the 2 programs it compared: 0 on tests, 2 on generated inputs");
  }, 60_000);

  it("lists in the help of each command the similarities that it takes", () => {
    const help = (name: string): string => {
      const command = rtcVerb().commands.find((one) => one.name() === name)!;
      return command.options.map(({ flags, description }) => `${flags} ${description}`).join(" | ");
    };
    expect(help("synthesis")).toMatch(
      /--sims .*behaviour, pass, calls \(with --project\), hybrid.*--pass-ratio.*--unsure/,
    );
    expect(help("identity")).toMatch(/--sims .*codescore, behaviour, pass, hybrid, exact.*--pass-ratio.*--unsure/);
    expect(help("patched")).toMatch(
      /--sims .*codescore, behaviour and hybrid \(if the response is code\), exact.*--unsure/,
    );
    expect(help("patched")).not.toContain("--pass-ratio");
    expect(help("editing")).toContain(
      "--sims <names> similarities, comma-separated: codescore, exact, bleu, chrf, ...",
    );
    expect(help("editing")).not.toMatch(/--pass-ratio|--unsure/);
  });

  it("exits with 1 when round trips are missing", async () => {
    const { code, stderr } = await rtc(...replay(), "--sims", "exact", "--forward-samples", "5");
    expect(code).toBe(1);
    expect(stderr).toContain("Missing: 2 round trips. 0 calls failed; the rest was not recorded.");
    expect(stderr).toContain("The recording has 3 descriptions per item: --forward-samples 3.");
  });

  it("names the first problems that a recording lacks, and how many", async () => {
    const body = "    return 2 * x\n";
    const problems = Array.from({ length: 8 }, (_, i) =>
      JSON.stringify({ task_id: `t/${i}`, prompt: "def f(x):\n", canonical_solution: body, entry_point: "f" }),
    );
    await writeFile(join(folder, "problems.jsonl"), problems.join("\n"));
    const { code, stderr } = await rtc(...replay(), "--sims", "exact", "--no-lift");
    expect(code).toBe(1);
    expect(stderr).toContain("Missing: 21 round trips.");
    expect(stderr).toContain("Incomplete: 7 of 8 problems (t/0, t/2, t/3, t/4, t/5 and 2 more).");
    await writeFile(join(folder, "problems.jsonl"), problems.slice(2).join("\n"));
    await expect(rtc(...replay(), "--sims", "exact")).rejects.toThrow(
      "no round trip succeeded; the recording has no whole round trip of the 6 problems (t/2, t/3, t/4, t/5, t/6 and 1 more)",
    );
  });

  it("says why a column has no value: no threshold, nothing drawn twice", async () => {
    const sims = ["--sims", "exact,chrf,bleu"];
    const once = await rtc(...replay(), ...sims, "--forward-samples", "1");
    expect(once.stdout).toMatch(/^exact .* -$/m);
    expect(once.stderr).toContain("no threshold: chrf, bleu; --threshold chrf=VALUE sets one\n");
    expect(once.stderr).toContain(
      "No sigma: each problem has one description; --forward-samples 2 or --repeats 2 gives one.",
    );
    const set = ["--threshold", "chrf=0.5", "--threshold", "bleu=0.5"];
    const thrice = await rtc(...replay(), ...sims, ...set);
    expect(thrice.stderr).not.toMatch(/No sigma|no threshold/);
    const help = rtcVerb()
      .commands.find((one) => one.name() === "synthesis")!
      .helpInformation();
    expect(help.replace(/\s+/g, " ")).toContain(
      "1 for pass, calls, exact; the upper value of --unsure for hybrid; none for codescore, behaviour and the other metrics",
    );
  });

  it("names an option only if with it the recording has every round trip", async () => {
    const { code, stderr } = await rtc(...replay(), "--sims", "exact", "--forward-samples", "3");
    expect([code, stderr]).toEqual([0, expect.not.stringContaining("Missing")]);
    const twice = await rtc(...replay(), "--sims", "exact", "--forward-samples", "2", "--repeats", "2");
    expect(twice.stderr).toContain("Missing: 1 round trip.");
    expect(twice.stderr).not.toContain("--forward-samples");
  });

  it.each<[string[], string]>([
    [["--forward", "gpt-4o"], "Expected openai:MODEL or replay:FILE, got `gpt-4o`."],
    [["--forward", "openai:m", "--price", "m=1"], "Expected a price such as gpt-4o-mini=0.15,0.60, got `m=1`."],
    [["--forward", "openai:m", "--price", "n=1,2"], "expected the price of m, got one of `n`"],
    [["--forward", "replay:x", "--threshold", "chrf"], "Expected a threshold such as codescore=0.5"],
    [
      ["--forward", "replay:x", "--sims", "chrf,rouge"],
      "unknown similarity `rouge`; expected one of codescore, behaviour,",
    ],
    [["--forward", "replay:none.jsonl", "--sims", "chrf"], "cannot read the recording none.jsonl: no such file"],
  ])("refuses %j", async (args, message) => {
    await expect(rtc(...args)).rejects.toThrow(message);
  });
});
