/** PyTorch files written by PyTorch itself (scripts/record/pytorch_checkpoints.py). */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { readPytorch, readSafetensors } from "../../src/model/index.ts";

const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
const expected: Record<string, { shape: number[]; data: string[] }> = JSON.parse(
  readFileSync(fixture("pytorch/expected.json"), "utf8"),
);
const numberOf = (text: string): number => (text === "inf" ? Number.POSITIVE_INFINITY : Number(text));

/** A temporary file with these bytes. */
function scratch(bytes: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), "codescore-pytorch-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "pytorch_model.bin");
  writeFileSync(path, bytes);
  return path;
}

describe("a PyTorch file", () => {
  it.each(["zip.bin", "legacy.bin", "zip64.bin"])(
    "of every number format, with views, strides and shared storages, is read as PyTorch reads it (%s)",
    async (name) => {
      const tensors = await readPytorch(fixture(`pytorch/${name}`));
      expect([...tensors.keys()]).toEqual(Object.keys(expected));
      for (const [key, { shape, data }] of Object.entries(expected)) {
        expect(tensors.get(key)?.shape, key).toEqual(shape);
        expect(tensors.get(key)?.data, key).toEqual(Float32Array.from(data, numberOf));
      }
    },
  );

  it("with attributes on its state dict is read", async () => {
    const tensors = await readPytorch(fixture("pytorch/module.bin"));
    expect([...tensors]).toEqual([
      ["weight", { shape: [3], data: new Float32Array([1, 1, 1]) }],
      ["bias", { shape: [3], data: new Float32Array(3) }],
    ]);
  });

  it("of an encoder equals its safetensors bit by bit", async () => {
    const tensors = await readPytorch(fixture("unixcoder-tiny/pytorch_model.bin"));
    const same = await readSafetensors(fixture("unixcoder-tiny/model.safetensors"));
    expect(new Set(tensors.keys())).toEqual(new Set(same.keys()));
    for (const [name, { shape, data }] of same) {
      expect(tensors.get(name)?.shape, name).toEqual(shape);
      expect(Buffer.from(tensors.get(name)!.data.buffer).equals(Buffer.from(data.buffer)), name).toBe(true);
    }
  });

  it.each(["hostile.bin", "hostile-legacy.bin"])(
    "that would run a command is refused, and runs none (%s)",
    async (name) => {
      await expect(readPytorch(fixture(`pytorch/${name}`))).rejects.toMatchObject({
        code: "model",
        message: expect.stringMatching(/hostile.*\.bin: its pickle imports posix\.system, which no state dict needs/),
      });
      expect(existsSync("pickle-was-run")).toBe(false);
    },
  );

  it.each([
    ["big-endian.bin", /its numbers are big-endian/],
    ["big-endian-legacy.bin", /its numbers are big-endian/],
    ["run.bin", /expected a state dict \(names to tensors\), but epoch is not a tensor; save `model\.state_dict\(\)`/],
    ["deflated.bin", /data\.pkl is compressed \(method 8\)/],
  ])("that cannot be used says why (%s)", async (name, message) => {
    await expect(readPytorch(fixture(`pytorch/${name}`))).rejects.toThrow(message);
  });

  it.each([
    ["zip.bin", (bytes: Buffer) => bytes.subarray(0, 3000), /a zip archive without its directory.*cut off/],
    ["legacy.bin", (bytes: Buffer) => bytes.subarray(0, 200), /its pickle ends too early \(cut off\?\)/],
    ["legacy.bin", (bytes: Buffer) => bytes.subarray(0, bytes.length - 4), /it ends at byte \d+, but .*cut off/],
    [
      "zip.bin",
      () => Buffer.from("<!DOCTYPE html>"),
      /expected a file of torch\.save, got something else; .*torch\.load/,
    ],
    [
      "zip.bin",
      () => Buffer.concat([Buffer.alloc(257), Buffer.from("ustar")]),
      /got a tar file of PyTorch before 0\.2/,
    ],
    ["zip.bin", () => Buffer.from([0x80, 2, 0x4b, 1, 0x2e]), /it is a pickle, but torch\.save did not write it/],
    ["zip.bin", () => Buffer.from([0x80, 4, 0x95, 0, 0]), /the operation 0x95, which no state dict needs/],
    ["zip.bin", () => Buffer.from([0x80, 2, 0x52]), /its pickle is damaged/],
  ])("damaged is named, with what is wrong (%s, %#)", async (name, damage, message) => {
    const path = scratch(damage(readFileSync(fixture(`pytorch/${name}`))));
    await expect(readPytorch(path)).rejects.toMatchObject({
      code: "model",
      message: expect.stringMatching(new RegExp(`^cannot read ${path}: .*${message.source}`)),
    });
  });

  it("whose tensor is larger than its storage is refused", async () => {
    const bytes = readFileSync(fixture("pytorch/module.bin"));
    const shape = bytes.indexOf(Buffer.from("K\x00K\x03\x85", "latin1")); // offset 0, size (3,)
    expect(shape).toBeGreaterThan(0);
    bytes[shape + 3] = 200;
    await expect(readPytorch(scratch(bytes))).rejects.toThrow(/weight extends beyond its storage of 12 bytes/);
  });
});
