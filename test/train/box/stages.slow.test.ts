/** A packed run on this machine, unpacked, with an empty environment: it makes the same model as a normal run. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { train } from "../../../src/train/index.ts";
import { scratchForAll } from "../scratch.ts";
import { packed, smallRun } from "./box.ts";

const isLinux = process.platform === "linux";

/** Runs stages of a pack. The environment contains only what is given. */
function runBox(folder: string, env: Record<string, string> = {}, ...args: string[]) {
  const given = { CODESCORE_BENCH_SECONDS: "0.1", ...env };
  return spawnSync("/bin/sh", [join(folder, "run.sh"), ...args], { env: given, encoding: "utf8", timeout: 170_000 });
}

describe.skipIf(!isLinux)("a packed run", () => {
  const folder = scratchForAll();
  let box: string;
  beforeAll(async () => {
    [box] = await packed(folder, { ...smallRun(folder), device: "wasm", seed: 3 });
  });

  it("goes through its stages and ends with the bytes of the same run here, in parts that tar joins", async () => {
    const { status, stdout, stderr } = runBox(box);
    expect([status, stderr.includes("fault")]).toEqual([0, false]);
    expect(stdout.match(/^== \w+$/gm)).toEqual(["check", "smoke", "bench", "train", "collect"].map((s) => `== ${s}`));
    expect(stdout).toMatch(/^engine {3}wasm: WebAssembly/m);
    expect(stdout).toMatch(/^here {5}\d+ tokens\/s, \d+\.\d GFLOP\/s, of an unknown peak/m);
    const smoke = JSON.parse(readFileSync(join(box, "out", "smoke.json"), "utf8"));
    expect(smoke.difference).toBeLessThan(1e-4);
    expect(smoke.steps[3].loss).toBeLessThan(smoke.steps[0].loss);

    const here = join(folder, "here");
    await train({ ...smallRun(folder), device: "wasm", seed: 3, out: here });
    const results = join(box, "out", "results");
    execFileSync("/bin/sh", ["-c", "sha256sum -c SHA256SUMS && cat model.tar.gz.* | tar xz"], { cwd: results });
    for (const name of ["model.safetensors", "config.json", "tokenizer.json", "training.json"]) {
      expect(readFileSync(join(results, "model", name)).equals(readFileSync(join(here, name))), name).toBe(true);
    }
    expect(existsSync(join(results, "model", "last"))).toBe(false);
    expect(readFileSync(join(results, "model", "box", "box.log"), "utf8")).toContain("== smoke");
  });

  it("stops at SIGTERM with a checkpoint, and goes on from there", async () => {
    rmSync(join(box, "out"), { recursive: true, force: true });
    const run = JSON.parse(readFileSync(join(box, "run.json"), "utf8"));
    const env = { CODESCORE_BENCH_SECONDS: "0.1" };
    const child = spawn("/bin/sh", [join(box, "run.sh"), "train"], { env, stdio: ["ignore", "pipe", "pipe"] });
    const log = join(box, "out", "model", "log.jsonl");
    while (!existsSync(log) || statSync(log).size === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill("SIGTERM");
    const [code] = (await once(child, "close")) as [number];
    const state = JSON.parse(readFileSync(join(box, "out", "model", "last", "state.json"), "utf8"));
    if (code === 0)
      expect(state.step).toBe(run.options.steps); // the run ended before the signal arrived
    else expect([code, state.step]).toEqual([143, expect.any(Number)]);
    const again = runBox(box, {}, "train");
    expect([again.status, again.stdout]).toEqual([0, expect.stringMatching(/model: 4 steps/)]);
    expect(readFileSync(log, "utf8").trim().split("\n")).toHaveLength(4);
  });

  it("ends within the time given, with the last step's parameters where it has not looked for the best", () => {
    const out = join(folder, "hasty");
    const { status, stdout } = runBox(box, { CODESCORE_MINUTES: "0.0001", CODESCORE_OUT: out });
    expect([status, stdout]).toEqual([0, expect.stringMatching(/time limit reached: stopped at step 1 of 4/)]);
    expect(stdout).toContain("its model is that of step 1");
    expect(stdout).toContain("not finished: run the same command again to continue");
    const last = join(out, "model", "last", "step-1", "model.safetensors");
    expect(readFileSync(join(out, "model", "model.safetensors")).equals(readFileSync(last))).toBe(true);
    const [sum, name] = readFileSync(join(out, "results", "SHA256SUMS"), "utf8")
      .trim()
      .split("  ");
    expect(
      createHash("sha256")
        .update(readFileSync(join(out, "results", name!)))
        .digest("hex"),
    ).toBe(sum);
  });

  it("says what is wrong with what it is told, and with a pack that changed on its way", () => {
    expect(runBox(box, {}, "trian")).toMatchObject({ status: 2, stdout: expect.stringMatching(/one of check, smoke/) });
    for (const [name, value, wanted] of [
      ["CODESCORE_MINUTES", "soon", "a number above zero"],
      ["CODESCORE_DEVICE", "gpu", "one of auto, tensorflow"],
      ["CODESCORE_RESULTS", "some", "model or all"],
    ] as const) {
      const { status, stdout } = runBox(box, { [name]: value });
      expect([status, stdout]).toEqual([2, expect.stringContaining(`${name}: expected ${wanted}`)]);
    }
    const noGpu = runBox(box, { CODESCORE_DEVICE: "webgpu", VK_ICD_FILENAMES: "/none" }, "check");
    expect([noGpu.status, noGpu.stdout]).toEqual([
      1,
      expect.stringMatching(/Vulkan loader: .*\n(.*\n)*failed: .*no GPU/),
    ]);
    const empty = runBox(box, { CODESCORE_OUT: join(folder, "empty") }, "collect");
    expect([empty.status, empty.stdout]).toEqual([1, expect.stringContaining("run the stage train first")]);

    const run = JSON.parse(readFileSync(join(box, "run.json"), "utf8"));
    const steps = run.smoke.steps.map((step: { loss: number }) => ({ ...step, loss: step.loss * 1.05 }));
    writeFileSync(join(box, "run.json"), JSON.stringify({ ...run, smoke: { ...run.smoke, steps } }));
    expect(runBox(box, {}, "smoke")).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/results differ from those at packing/),
    });
    writeFileSync(join(box, "run.json"), JSON.stringify({ ...run, options: { ...run.options, steps: 5 } }));
    expect(runBox(box)).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/its data differ from what was packed/),
    });
    writeFileSync(join(box, "run.json"), JSON.stringify(run));
    writeFileSync(join(box, "examples.br"), readFileSync(join(box, "examples.br")).subarray(1));
    expect(runBox(box)).toMatchObject({ status: 1, stdout: expect.stringMatching(/expected the SHA-256 \w{64}, got/) });
    expect(readdirSync(join(box, "LICENSES")).sort()).toEqual(
      expect.arrayContaining(["codescore.txt", "node.txt", "webgpu.txt"]),
    );
  });
});
