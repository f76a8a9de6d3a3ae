/** `codescore train`: what it prints, and the files that it writes. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { trainVerb } from "../../src/cli/train.ts";
import { printed } from "../cli/printed.ts";
import { rowsOf, scratch, writeRows } from "./rows.ts";

afterEach(() => vi.restoreAllMocks());

async function run(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const out = printed();
  await trainVerb().exitOverride().parseAsync(args, { from: "user" });
  return out;
}

const quick = ["--vocab-size", "300", "--batch-tokens", "500", "--steps", "2", "--eval-every", "1", "--device", "wasm"];

describe("codescore train", () => {
  it("trains a model of the shape in a file on two mixed sets, and leaves curves and event files", async () => {
    const folder = scratch();
    const data = [writeRows(join(folder, "a.jsonl"), rowsOf(8)), writeRows(join(folder, "b.jsonl"), rowsOf(3))];
    const dev = writeRows(join(folder, "dev.jsonl"), rowsOf(2));
    const shape = { hidden_size: 24, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 40 };
    const config = join(folder, "model.json");
    writeFileSync(config, JSON.stringify({ ...shape, max_position_embeddings: 90, codescore: { head_sizes: [16] } }));
    const out = join(folder, "run");
    const args = ["--data", ...data, "--mix", "0.7,0.3", "--dev", dev, "--config", config, "--output", out, ...quick];
    const { stdout, stderr } = await run(...args);
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({ out, steps: 2, stoppedEarly: false, devRows: 16 });
    const { tokensPerSecond, gigaflopsPerSecond } = result.speed;
    const matrices = 4 * 24 ** 2 + 2 * 24 * 40;
    // printed with six digits
    expect((gigaflopsPerSecond * 1e9) / (6 * matrices * tokensPerSecond)).toBeCloseTo(1, 4);
    expect(stderr).toMatch(/examples\/s, \d+ tokens\/s, \d+\.\d GFLOP\/s/);
    expect(stderr).toContain(`wrote ${out} (export it with`);
    const written = JSON.parse(readFileSync(join(out, "config.json"), "utf8"));
    const tokens = Object.keys(JSON.parse(readFileSync(join(out, "tokenizer.json"), "utf8")).model.vocab).length;
    expect(written).toMatchObject({ ...shape, vocab_size: tokens, codescore: { head_sizes: [16], max_length: 88 } });
    expect(readFileSync(join(out, "report.html"), "utf8")).toContain("Training of run");
    const { data: seen } = JSON.parse(readFileSync(join(out, "training.json"), "utf8"));
    expect(seen).toEqual([{ name: rowsOf(1)[0]!.source, rows: rowsOf(11).length }]);
    expect(existsSync(join(out, "tensorboard", "events.out.tfevents.0000000001.codescore"))).toBe(true);
  });

  it("prints no JSON on a terminal", async () => {
    const folder = scratch();
    const data = writeRows(join(folder, "data.jsonl"), rowsOf(8));
    const dev = writeRows(join(folder, "dev.jsonl"), rowsOf(2));
    const was = Object.getOwnPropertyDescriptor(process.stdout, "isTTY");
    Object.defineProperty(process.stdout, "isTTY", { value: true, configurable: true });
    onTestFinished(() => {
      if (was === undefined) Reflect.deleteProperty(process.stdout, "isTTY");
      else Object.defineProperty(process.stdout, "isTTY", was);
    });
    const { stdout, stderr } = await run("--data", data, "--dev", dev, "--output", join(folder, "run"), ...quick);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/best step \d, chosen by r_s with PassRatio on the dev rows: -?\d\.\d{3}\n/);
  });

  it("prints the mean and the deviation of several seeds and names the best", async () => {
    const folder = scratch();
    const data = writeRows(join(folder, "data.jsonl"), rowsOf(8));
    const dev = writeRows(join(folder, "dev.jsonl"), rowsOf(2));
    const out = join(folder, "runs");
    const args = ["--data", data, "--dev", dev, "--output", out, "--seeds", "0,1", ...quick];
    const { stdout, stderr } = await run(...args);
    const result = JSON.parse(stdout);
    const sixDigits = (_: string, value: unknown): unknown =>
      typeof value === "number" ? Number(value.toPrecision(6)) : value;
    expect(result).toEqual(JSON.parse(readFileSync(join(out, "seeds.json"), "utf8"), sixDigits));
    expect(stderr).toContain("mean ± standard deviation of 2 seeds:");
    const { mean, deviation } = result.dev.mae;
    expect(stderr).toContain(`dev mae ${mean.toFixed(4)} ± ${deviation.toFixed(4)}`);
    expect(stderr).toContain(`the best is ${result.best.out}`);
    for (const seed of [0, 1]) expect(existsSync(join(out, `seed-${seed}`, "report.html"))).toBe(true);
  });

  it.each([
    [["--mix", "0.7,x"], /Expected a number of at least 0, got `x`/],
    [["--seeds", "0,1", "--seed", "3"], /cannot be used with option '--seed/],
  ])("refuses %j", async (wrong, message) => {
    vi.spyOn(process.stderr, "write").mockImplementation(() => true);
    const verb = trainVerb().exitOverride();
    await expect(verb.parseAsync(["--data", "a", "--output", "b", ...wrong], { from: "user" })).rejects.toThrow(
      message,
    );
  });
});
