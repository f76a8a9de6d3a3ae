/** If the seccomp filter cannot be installed, the executor reports it at once, and no program runs without it unless requested. */
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { PythonExecutor } from "../../src/execute/execute.ts";
import { defaultLimits, type Executor, type ExecutorOptions, openExecutor } from "../../src/execute/index.ts";
import { findSandbox } from "../../src/execute/sandbox/index.ts";
import { which } from "../../src/execute/sandbox/python.ts";
import { type CliResult, codescore } from "../cli/run.ts";
import { bwrapWorks, landlockWorks, problem } from "./open.ts";

const bwrap = bwrapWorks ? ((await which("bwrap")) as string) : "";
const task = problem("f", ["assert f(1) == 1"]);
const right = "import gc\ndef f(x): return x\n";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codescore-seccomp-"));
  await chmod(folder, 0o755);
});
afterAll(() => rm(folder, { recursive: true }));

/** A filter that allows everything except seccomp filters, as in some containers: prctl(22, ...) gives EINVAL. */
function refusing(): Uint8Array {
  const prctl = process.arch === "arm64" ? 167 : 157;
  const steps = [
    [0x20, 0, 0, 0],
    [0x15, 0, 3, prctl],
    [0x20, 0, 0, 16],
    [0x15, 0, 1, 22],
    [0x06, 0, 0, 0x00050000 | 22],
    [0x06, 0, 0, 0x7fff0000],
  ] as const;
  const bytes = Buffer.alloc(8 * steps.length);
  for (const [i, [code, yes, no, k]] of steps.entries()) {
    bytes.writeUInt16LE(code, 8 * i);
    bytes.writeUInt8(yes, 8 * i + 2);
    bytes.writeUInt8(no, 8 * i + 3);
    bytes.writeUInt32LE(k, 8 * i + 4);
  }
  return bytes;
}

/** Puts a fake `bwrap` with this script before the real one in PATH, during a test. */
async function withBwrap(text: string): Promise<void> {
  const bin = await mkdtemp(join(folder, "bin-"));
  await chmod(bin, 0o755);
  await writeFile(join(bin, "filter"), refusing());
  await writeFile(join(bin, "bwrap"), `#!/bin/sh\n${text.replaceAll("BIN", bin)}\n`, { mode: 0o755 });
  vi.stubEnv("PATH", `${bin}:${process.env.PATH}`);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
}

async function opened(options: ExecutorOptions): Promise<Executor> {
  const executor = await openExecutor({ workers: 1, ...options });
  onTestFinished(() => executor.close());
  return executor;
}

const machines: readonly [name: string, text: string, reason: RegExp][] = [
  ["a kernel that refuses", `exec ${bwrap} --seccomp 9 "$@" 9<BIN/filter`, /the kernel refuses it: Invalid argument/],
  [
    "an architecture it is not written for",
    `exec setarch linux32 ${bwrap} "$@"`,
    /this is Linux on i686|this is Linux on arm/,
  ],
];

describe.skipIf(!bwrapWorks)("the seccomp filter", () => {
  it("is on every program, and the executor says so", async () => {
    const executor = await opened({ sandbox: "bwrap" });
    expect(executor.seccomp).toBe(true);
    expect((await executor.execute(task, right)).passRatio).toBe(1);
  });

  describe.each(machines)("on %s", (_, text, reason) => {
    it("makes bubblewrap no sandbox, which is said", async () => {
      await withBwrap(text);
      const refused = openExecutor({ sandbox: "bwrap", workers: 1 });
      await expect(refused).rejects.toMatchObject({ code: "environment", message: expect.stringMatching(reason) });
      await expect(refused).rejects.toThrow(/the seccomp filter.*cannot be installed.*--sandbox bwrap --allow-unsafe/);
    });

    it("makes `auto` another sandbox, whatever is allowed", async () => {
      await withBwrap(text);
      expect(await opened({ allowUnsafe: true })).toMatchObject(
        landlockWorks ? { sandbox: "landlock", seccomp: true } : { sandbox: "wasm", seccomp: null },
      );
    });

    it("is done without where that is asked for, loudly", async () => {
      await withBwrap(text);
      const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
      onTestFinished(() => warn.mockRestore());
      const executor = await opened({ sandbox: "bwrap", allowUnsafe: true });
      expect(warn).toHaveBeenCalledExactlyOnceWith(
        expect.stringMatching(/^programs run without a seccomp filter/),
        "CodescoreWarning",
      );
      expect(warn.mock.calls[0]![0]).toMatch(reason);
      expect(executor.seccomp).toBe(false);
      expect((await executor.execute(task, right)).passRatio).toBe(1);
    });

    it("keeps guards from starting that were not told to do without", async () => {
      const whole = await findSandbox({ sandbox: "bwrap" });
      await withBwrap(text);
      const file = join((process.env.PATH as string).split(":")[0] as string, "bwrap");
      const command: typeof whole.command = (server, memoryMb) => {
        const made = whole.command(server, memoryMb);
        return { ...made, file, args: made.args.slice(made.args.indexOf("--unshare-all")) };
      };
      const opening = PythonExecutor.open({ ...whole, command }, defaultLimits, 1, false);
      await expect(opening).rejects.toMatchObject({
        code: "environment",
        message: expect.stringMatching(/does not start: .*the seccomp filter cannot be installed/),
      });
    });
  });

  it("is in the manifest of what was labelled without it", async () => {
    await withBwrap(machines[0]![1]);
    const [problems, samples, out] = ["problems", "samples", "labelled"].map((name) =>
      join(folder, `${name}.jsonl`),
    ) as [string, string, string];
    const row = { task_id: 1, text: "", code: right, test_list: ["assert f(1) == 1"] };
    await writeFile(problems, `${JSON.stringify(row)}\n`);
    await writeFile(samples, `${JSON.stringify({ task_id: 1, completion: right })}\n`);
    const files = ["--problems", problems, "--samples", samples, "--output", out];
    const label = (...flags: string[]): Promise<CliResult> =>
      codescore(["label", ...files, "--workers", "1", "--sandbox", "bwrap", ...flags]);
    expect(await label()).toMatchObject({ code: 1, stderr: expect.stringContaining("--allow-unsafe") });
    const { stderr } = await label("--allow-unsafe");
    expect(stderr).toContain("programs run without a seccomp filter");
    expect(JSON.parse(await readFile(`${out}.manifest.json`, "utf8")).executor).toMatchObject({
      sandbox: "bwrap",
      seccomp: false,
    });
  });
});
