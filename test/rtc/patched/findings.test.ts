import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { rtcVerb } from "../../../src/cli/rtc.ts";
import type { CommandResult } from "../../../src/rtc/patched/command.ts";
import { countFindings, type OracleKind } from "../../../src/rtc/patched/findings.ts";
import { printed } from "../../cli/printed.ts";
import type { StubRequest } from "../stub.ts";
import { file, folder, run, said, serve, useFolder } from "./patched.ts";

useFolder();

const result = (stdout: string | null, status: number | null = 0): CommandResult => {
  return { status, timedOut: false, output: stdout ?? "", stdout };
};

describe("findings", () => {
  /** In the format of semgrep and others: one open finding without a kind, and entries that are not findings. */
  const sarif = {
    version: "2.1.0",
    runs: [
      {
        results: [
          { ruleId: "eval", level: "error", message: { text: "eval" } },
          { ruleId: "eval", kind: "fail", suppressions: [] },
          { ruleId: "eval", suppressions: [{ kind: "inSource", status: "rejected" }] },
          { ruleId: "eval", suppressions: [{ kind: "inSource" }] },
          { ruleId: "eval", kind: "pass" },
          { ruleId: "eval", baselineState: "absent" },
        ],
      },
      { results: null },
      {},
    ],
  };

  it.each<[Exclude<OracleKind, "pass">, CommandResult, number]>([
    ["number", result("scanning\n 3 \n"), 3],
    ["number", result("0", 1), 0],
    ["status", result("", 4), 4],
    ["sarif", result(JSON.stringify(sarif), 1), 3],
    ["sarif", result('{"runs": []}'), 0],
  ])("are counted by %s", (kind, of, count) => {
    expect(countFindings(kind, of)).toBe(count);
  });

  it.each<[Exclude<OracleKind, "pass">, CommandResult, string]>([
    ["number", result("no findings\n", 2), "as its last line on stdout; it ended with 2 and printed: no findings"],
    ["number", result("1.5"), "the number of findings"],
    ["number", result(""), "printed: nothing"],
    ["number", result(null), "to print less"],
    ["status", result("", null), "to end with an exit status; it ended with a signal"],
    ["sarif", result("{"), "to print SARIF on stdout"],
    ["sarif", result("[]"), "to print SARIF on stdout"],
    ["sarif", result('{"runs": [{"results": 3}]}'), "to print SARIF on stdout"],
  ])("that %s does not give are refused", (kind, of, message) => {
    expect(() => countFindings(kind, of)).toThrow(message);
  });
});

describe("an oracle that counts", () => {
  /** Prints how often a file contains eval. Its exit code is that number. */
  const counter = async (): Promise<string> => {
    const path = join(folder, "count.sh");
    const source = `count=$(grep -o eval "$1" | wc -l)
if grep -q broken "$1"; then echo "cannot parse"; else echo $count; fi
exit $count
`;
    await writeFile(path, source);
    return `sh "${path}" {code}`;
  };
  /** Before: 3, 1, 2 and 0 findings. After: 1, 0, 3, 1. The first two responses are reproduced. */
  const rows = (
    [
      ["a", "eval eval eval"],
      ["b", "eval"],
      ["c", "eval eval"],
      ["d", "safe"],
    ] as const
  ).map(([id, before]) => ({ id, query: `fix ${id}`, before }));
  const fixed: Readonly<Record<string, string>> = { a: "eval", b: "safe", c: "eval eval eval", d: "eval" };
  const react = (request: StubRequest) => {
    const text = said(request);
    const [, id = ""] = /(?:fix|again) (\w)/.exec(text) ?? [];
    if (text.includes("<after>")) return { texts: [`again ${id}`] };
    const isBack = text.includes("again");
    return { texts: [`\`\`\`\n${isBack && !"ab".includes(id) ? "other" : fixed[id]}\n\`\`\``] };
  };

  it.each<OracleKind>(["number", "status"])("gives the paper's Fix %% over all findings, by %s", async (kind) => {
    await serve(react);
    const { summary } = await run(rows, { patchflow: "out", oracle: { command: await counter(), kind } });
    // (6 - 5) / 6; for a and b (4 - 1) / 4, for c and d (2 - 4) / 2.
    expect(summary.oracle).toMatchObject({
      ...{ judged: 4, nothing_to_mend: 1, timeouts: 0 },
      findings: { before: 6, after: 5, unknown: 0 },
      rate: { value: expect.closeTo(1 / 6), problems: 4 },
    });
    expect(summary.oracle!.splits[0]).toMatchObject({
      ...{ passed: { value: 0.75 }, failed: { value: -1 }, difference: { value: 1.75 } },
    });
  });

  it("leaves out what it cannot count, unless that is all", async () => {
    await serve((request) => {
      const text = said(request);
      return text.includes("fix b") && !text.includes("<after>") ? { texts: ["```\nbroken\n```"] } : react(request);
    });
    const oracle = { command: await counter(), kind: "number" as const };
    const { summary } = await run(rows, { patchflow: "out", oracle });
    expect(summary.oracle!.findings).toEqual({ before: 5, after: 5, unknown: 1 });
    expect(summary.oracle!.rate).toMatchObject({ value: 0, problems: 3 });
    await expect(run([rows[1]!], { patchflow: "out", oracle })).rejects.toThrow("printed: cannot parse");
  });

  it("counts responses without a finding where no code is mended", async () => {
    await serve((request) => ({ texts: [said(request).includes("one") ? "eval" : "safe"] }));
    const oracle = { command: await counter(), kind: "number" as const };
    const { summary } = await run([{ query: "one" }, { query: "two" }], { patchflow: "generic", oracle });
    expect(summary.oracle).toMatchObject({ findings: { before: null, after: 1, unknown: 0 }, rate: { value: 0.5 } });
  });

  it("is chosen on the command line", async () => {
    const stub = await serve(react);
    vi.stubEnv("OPENAI_BASE_URL", stub.url);
    const out = printed();
    const queries = await file("queries.jsonl", rows);
    const args = ["--queries", queries, "--forward", "openai:m", "--sims", "exact", "--output", join(folder, "out")];
    const more = ["--patchflow", "out", "--oracle-counts", "number"];
    const verb = rtcVerb();
    await verb.parseAsync(["patched", ...args, ...more, "--oracle", await counter()], { from: "user" });
    expect(out.stdout).toMatch(/all responses +4 +0\.167/);
    expect(out.stdout).toContain("4 responses judged, 1 with nothing to fix, 0 timeouts, 6 findings before, 5 after");
    await expect(rtcVerb().parseAsync(["patched", ...args, ...more], { from: "user" })).rejects.toThrow(
      "--oracle-counts says how to read --oracle",
    );
  });
});
