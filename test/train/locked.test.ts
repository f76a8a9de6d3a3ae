import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pretrain, train } from "../../src/train/index.ts";
import { lockOutput } from "../../src/util/lock.ts";

it.each([
  ["train", (out: string) => train({ data: ["none.jsonl"], out, device: "cpu" })],
  ["pretrain", (out: string) => pretrain({ data: ["src/errors.ts"], out, device: "cpu" })],
] as const)("%s leaves a folder alone that another run trains in", async (_, run) => {
  const folder = await mkdtemp(join(tmpdir(), "train-lock-"));
  const out = join(folder, "model");
  const lock = await lockOutput(out);
  await expect(run(out)).rejects.toThrow(`${out} is being written by another run`);
  await lock.release();
  await expect(run(out)).rejects.not.toThrow("another run"); // it fails only because there is nothing to train on
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
});
