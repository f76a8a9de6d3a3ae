/** What a pack contains, and what it refuses. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { parseTar } from "nanotar";
import { describe, expect, it } from "vitest";
import { collect } from "../../../src/train/box/collect.ts";
import { peakTeraflops } from "../../../src/train/box/peaks.ts";
import { readSets, storeSets } from "../../../src/train/box/prepared.ts";
import { largestDifference } from "../../../src/train/box/smoke.ts";
import type { Example } from "../../../src/train/examples.ts";
import { packRun } from "../../../src/train/index.ts";
import { archiveName } from "../../../src/train/pack/archive.ts";
import { readElf } from "../../../src/train/pack/elf.ts";
import { smallRun } from "../box/box.ts";
import { scratch } from "../rows.ts";

const example = (name: string, more: Partial<Example>): Example => ({
  sampleId: name,
  taskId: "t",
  kind: "llm",
  passRatio: 1 / 3,
  executable: 1,
  weight: 0.1,
  ids: { ref: [1, 2, 3] },
  ...more,
});

describe("stored sets", () => {
  it.each([65535, 65536])("come back as they were, with ids up to %i", (id) => {
    const trainSets = [
      [example("a", {}), example("b", { ids: { nl: [id] } })],
      [example("c", { ids: { ref: [7, 8], "ref+nl": [9] }, marks: { ref: [0, 255] } })],
    ];
    const sets = {
      trainSets,
      devSet: [example("d", { ids: { "ref+nl": [5, 5, 5] }, marks: { "ref+nl": [1, 2, 3] } })],
    };
    const stored = storeSets(sets, ["ref", "nl", "ref+nl"]);
    expect(JSON.stringify(readSets(stored))).toBe(JSON.stringify(sets)); // including the order of keys, because hashes depend on it
    expect(() => readSets(stored.subarray(0, -3))).toThrow(/copy the pack again/);
  });
});

describe.skipIf(process.platform !== "linux")("packing refuses", () => {
  const refused = async (more: object, message: RegExp): Promise<void> => {
    const folder = scratch();
    const pack = join(folder, "run.tar.gz");
    await expect(packRun({ ...smallRun(folder), device: "wasm", pack, ...more })).rejects.toThrow(message);
    expect(existsSync(pack)).toBe(false);
  };

  it("a name of no archive, an engine that it cannot bring, and a Node that a box cannot run", async () => {
    await refused({ pack: "run.zip" }, /end with one of \.tar\.gz, \.tgz, \.tar\.zst, got run\.zip/);
    await refused({ device: "tensorflow" }, /no TensorFlow: expected --device auto/);
    await refused({ node: "/none" }, /cannot read \/none/);
    const script = join(scratch(), "node");
    writeFileSync(script, "#!/bin/sh\n");
    await refused({ node: script }, /expected a Linux program for x64 or arm64, got another file; use .* --pack-node/);
    const own = Buffer.from(readFileSync(process.execPath));
    const name = own.indexOf("\0libstdc++.so.6\0");
    own.write("libnode00.so.6", name + 1); // like Debian's Node, which needs a separate library
    writeFileSync(script, own);
    await refused({ node: script }, /needs libnode00\.so\.6, which a bare box lacks/);
  });

  it("a file that exists, before it reads any data", async () => {
    const folder = scratch();
    const pack = join(folder, "run.tar.gz");
    writeFileSync(pack, "mine");
    await expect(packRun({ data: ["none.arrow"], pack })).rejects.toThrow(/run\.tar\.gz already exists; remove it/);
    expect(readFileSync(pack, "utf8")).toBe("mine");
  });

  it("to be larger than it may, and says by what", async () => {
    const small = { node: "/bin/sh", maxBytes: 1e6 };
    await refused(small, /at most 1\.0 MB, got \d+\.\d MB \(uncompressed: node_modules\/webgpu\/.*dawn\.node 17/);
  });
});

describe("a pack", () => {
  it("unpacks into a folder of its name", () => {
    expect(archiveName("a/b/run 1.tar.zst")).toEqual({ compression: "zstd", top: "run-1" });
    expect(archiveName(`${"x".repeat(99)}.tgz`).top).toHaveLength(32);
  });

  it.skipIf(process.platform !== "linux")("has the loaded part of programs alone", () => {
    const file = readFileSync(process.execPath);
    const { needed, stripped, arch } = readElf(file, "node");
    expect(arch).toBe(process.arch);
    expect(needed).toContain("libc.so.6");
    expect(stripped.length).toBeLessThanOrEqual(file.length);
    expect(stripped.subarray(64, 4096).equals(file.subarray(64, 4096))).toBe(true);
  });
});

describe("results", () => {
  it("come in parts of at most so many bytes", async () => {
    const folder = scratch();
    writeFileSync(
      join(folder, "model.safetensors"),
      Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * i * 31) >> 3)),
    );
    const to = join(scratch(), "results");
    const { files, bytes } = await collect([folder], [], to, { top: "m", resumable: false, partBytes: 1000 });
    expect(files).toHaveLength(Math.ceil(bytes / 1000) + 1);
    const parts = files.slice(0, -1).map((name) => readFileSync(join(to, name)));
    expect(Math.max(...parts.map(({ length }) => length))).toBe(1000);
    expect(Buffer.concat(parts).length).toBe(bytes);
  });

  it("leave out the state of the run alone, no files with similar names", async () => {
    const folder = scratch();
    mkdirSync(join(folder, "last"));
    for (const name of ["last/state.json", "last-notes.txt", "model.safetensors"])
      writeFileSync(join(folder, name), "");
    const namesOf = async (resumable: boolean): Promise<string[]> => {
      const to = join(scratch(), "results");
      const { files } = await collect([folder], [], to, { top: "m", resumable });
      return parseTar(gunzipSync(readFileSync(join(to, files[0]!)))).map(({ name }) => name);
    };
    expect(await namesOf(false)).toEqual(["m/last-notes.txt", "m/model.safetensors"]);
    expect(await namesOf(true)).toEqual(["m/last-notes.txt", "m/last/state.json", "m/model.safetensors"]);
  });
});

it("knows cards by what nvidia-smi calls them", () => {
  expect(peakTeraflops("NVIDIA H100 80GB HBM3, 550.54")).toBe(67);
  expect(peakTeraflops("NVIDIA H100 PCIe")).toBe(51);
  expect(peakTeraflops("NVIDIA A100-SXM4-80GB")).toBe(19.5);
  expect(peakTeraflops("Tesla T4")).toBe(8.1);
  expect(peakTeraflops("SwiftShader driver")).toBeNull();
});

it("takes a step that is missing or not a number for the largest difference", () => {
  const step = { loss: 1, gradientNorm: 2 };
  expect(largestDifference([step], [step])).toBe(0);
  expect(largestDifference([{ ...step, gradientNorm: 2.02 }], [step])).toBeCloseTo(0.01);
  expect(largestDifference([], [step])).toBeNaN();
  expect(largestDifference([{ ...step, loss: Number.NaN }, step], [step, step])).toBeNaN();
});
