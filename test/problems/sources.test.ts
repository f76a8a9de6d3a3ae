/** A new format that is not based on rows needs only one entry of `SOURCES`. Here books, with problems and samples, are added. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { label } from "../../src/dataset/index.ts";
import { readProblems, readSamples, sourceFiles } from "../../src/problems/index.ts";
import { readText, rowOfFields } from "../../src/problems/rows.ts";
import { SOURCES, type Source } from "../../src/problems/sources.ts";
import { fakeExecutor } from "../dataset/fake.ts";
import { all, oneProblem, tempFolder, writeRows } from "./helpers.ts";

const problem = { task_id: "N/1", description: "Do it.", entry_point: "f", tests: ["assert f() == 1"] };

const book: Source = {
  what: "a book",
  expected: "books (*.book)",
  matches: (path, kind) => kind === "file" && path.endsWith(".book"),
  files: (path) => [path],
  problems: async function* () {
    yield await oneProblem(problem);
  },
  samples: async function* (path) {
    yield rowOfFields({ task_id: "N/1", solution: JSON.parse(await readText(path)).cells.join("\n") }, path);
  },
};

function folderOf(...names: string[]): string {
  const folder = tempFolder();
  for (const name of names) writeFileSync(join(folder, name), JSON.stringify({ cells: ["def f():", "    return 1"] }));
  return folder;
}

describe("a format that is one more entry", () => {
  const sources = SOURCES as Source[];
  beforeEach(() => void sources.push(book));
  afterEach(() => void sources.pop());

  it("is read for problems, for samples and for manifests, named itself or in a folder", async () => {
    const folder = folderOf("one.book", "notes.txt");
    for (const path of [folder, join(folder, "one.book")]) {
      expect([...(await readProblems([path])).keys()]).toEqual(["N/1"]);
      expect(await all(readSamples([path]))).toMatchObject([{ taskId: "N/1", text: "def f():\n    return 1" }]);
      expect(await sourceFiles(path)).toEqual([join(folder, "one.book")]);
    }
    const out = join(tempFolder(), "out.jsonl");
    await label({ problems: [folder], samples: [folder], out, executor: fakeExecutor() });
    const { counts, sources } = JSON.parse(readFileSync(`${out}.manifest.json`, "utf8"));
    expect(counts.rows).toBe(1);
    expect(sources).toMatchObject([{ files: 1 }, { files: 1 }]);
  });

  it("is among what a folder is expected to hold", async () => {
    const text = "folders of programs (TASK/0.py), notebooks (.ipynb) or books (*.book) in this folder";
    await expect(readProblems([tempFolder()])).rejects.toThrow(`${text}, got an empty folder`);
    const [folder, inner] = [tempFolder(), tempFolder()];
    writeFileSync(join(folder, "notes.txt"), "");
    await expect(readProblems([folder])).rejects.toThrow(`${text}, got notes.txt`);
    mkdirSync(join(inner, "gpt-4o"));
    writeFileSync(join(inner, "gpt-4o", "samples_task.jsonl"), "");
    const mend = `folders in it are not read, so give one of them: ${join(inner, "gpt-4o")}`;
    await expect(readProblems([inner])).rejects.toThrow(`${text}, got 1 folder; ${mend}`);
  });
});

describe("sourceFiles", () => {
  it("names the files that are read of each format, in order", async () => {
    const folder = tempFolder();
    const put = (...parts: string[]): string => {
      const path = join(folder, ...parts);
      mkdirSync(join(path, ".."), { recursive: true });
      writeFileSync(path, "");
      return path;
    };
    const read = [
      put("0000", "question.txt"),
      put("0000", "solutions.json"),
      put("HumanEval_0", "2.py"),
      put("HumanEval_0", "10.py"),
      put("rows.jsonl"),
      put("rows.parquet"),
    ];
    put("0000", "metadata.json");
    put("HumanEval_0", "notes.txt");
    put("rows.journal.jsonl");
    put("notes.txt");
    expect(await sourceFiles(folder)).toEqual(read);
  });
});

describe("a format that lacks problems or samples", () => {
  const apps = (): string => {
    const folder = folderOf();
    writeFileSync(join(folder, "question.txt"), "Question.\n");
    return folder;
  };
  const programs = (): string => {
    const folder = folderOf();
    writeFileSync(join(folder, "0.py"), "print(1)");
    return folder;
  };

  it("is refused where these are asked for", async () => {
    const [task, answers] = [apps(), programs()];
    await expect(all(readSamples([task]))).rejects.toThrow(
      `${task}: expected sample files (*.jsonl), got an APPS problem`,
    );
    await expect(readProblems([answers])).rejects.toThrow(
      `${answers}: expected problem files, got a folder of programs (TASK/0.py)`,
    );
  });
});

it("takes a file that no format matches for rows where it is named itself, and in a folder for nothing", async () => {
  const file = writeRows([problem], "rows.txt");
  expect([...(await readProblems([file])).keys()]).toEqual(["N/1"]);
  await expect(readProblems([join(file, "..")])).rejects.toThrow("in this folder");
});
