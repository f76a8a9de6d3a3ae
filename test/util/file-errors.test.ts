import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeWhole } from "../../src/dataset/whole.ts";
import { CodescoreError } from "../../src/errors.ts";
import { openJournal } from "../../src/rtc/llm/journal.ts";
import { fileError, whileWriting } from "../../src/util/file-errors.ts";
import { writeAtomic } from "../../src/util/files.ts";
import { writeText } from "../../src/util/jsonl.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "file-errors-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const failure = (code: string, path?: string): Error => Object.assign(new Error(`${code}: no`), { code, path });

async function* pieces(): AsyncGenerator<string> {
  yield "text";
}

/** All functions of this package that write a file. */
const writers: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  writeAtomic: (path) => writeAtomic(path, "text"),
  writeText: (path) => writeText(path, pieces()),
  writeWhole: (path) => writeWhole(path, (part) => writeAtomic(part, "text")),
  openJournal: (path) => openJournal(path),
};

describe("an error of the system about a file", () => {
  it.each<[string, string, string]>([
    ["ENOSPC", "environment", "cannot write out.jsonl: the disk is full (ENOSPC); free some space and run the same"],
    ["EDQUOT", "environment", "your disk quota is used up (EDQUOT)"],
    ["EROFS", "environment", "the file system is read-only (EROFS); give a path that can be written"],
    ["EACCES", "environment", "permission denied (EACCES)"],
    ["ENOTDIR", "usage", "part of the path is a file, not a folder (ENOTDIR)"],
    ["EISDIR", "usage", "it is a folder (EISDIR)"],
    ["EMFILE", "environment", "too many files are open (EMFILE); raise the limit"],
  ])("%s says what happened to which file and how to mend it", async (code, kind, message) => {
    const failing = whileWriting("out.jsonl", () => Promise.reject(failure(code)));
    await expect(failing).rejects.toMatchObject({ name: "CodescoreError", code: kind });
    await expect(failing).rejects.toThrow(message);
  });

  it("names the file that the system names where the caller knows none", () => {
    expect(fileError("use", failure("EMFILE", "/a/b"))).toMatchObject({
      message: expect.stringContaining("cannot use /a/b: too many files are open") as string,
    });
  });

  it("is all that is turned into words", () => {
    const others = [new TypeError("x is undefined"), failure("ENOENT"), new CodescoreError("input", "bad"), "text"];
    expect(others.map((error) => fileError("use", error))).toEqual(others);
  });

  it.each(Object.entries(writers))(
    "%s says it where a folder of the path is a file, and leaves nothing",
    async (_, write) => {
      writeFileSync(join(folder, "file"), "");
      const path = join(folder, "file", "sub", "out.jsonl");
      await expect(write(path)).rejects.toThrow(`cannot write ${path}: part of the path is a file, not a folder`);
      expect(readdirSync(folder)).toEqual(["file"]);
    },
  );

  it("is not about the file to write if the content could not be made", async () => {
    const missing = failure("ENOENT", "/models/behaviour.json");
    async function* content(): AsyncGenerator<string> {
      yield "text";
      throw missing;
    }
    for (const name of ["out.jsonl", "out.jsonl.gz"])
      await expect(writeText(join(folder, name), content())).rejects.toBe(missing);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each(Object.entries(writers))("%s says it of a folder, and leaves nothing beside it", async (_, write) => {
    const path = join(folder, "out.jsonl");
    mkdirSync(path);
    await expect(write(path)).rejects.toThrow(`cannot write ${path}: it is a folder`);
    expect(readdirSync(folder)).toEqual(["out.jsonl"]);
  });
});
