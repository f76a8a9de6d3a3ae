/** Folders import only what docs/architecture.md allows. The test reads its table, so the two cannot diverge. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const src = join(root, "src");

/** Every folder may import these. */
const SHARED = ["types.ts", "errors.ts", "util"];

/** Folder -> folders that it may import, from the rows that begin with "| `folder/` |" or "| `folder/inner/` |". */
function readTable(): Map<string, string[]> {
  const rules = new Map<string, string[]>();
  for (const line of readFileSync(join(root, "docs", "architecture.md"), "utf8").split("\n")) {
    const row = /^\| `([\w/-]+)\/` \|[^|]*\|([^|]*)\|$/.exec(line);
    if (row !== null)
      rules.set(
        row[1]!,
        [...row[2]!.matchAll(/`([\w/-]+)\/`/g)].map((match) => match[1]!),
      );
  }
  return rules;
}

/** Source files in a folder, as paths relative to `src`. */
const filesBelow = (folder: string): string[] =>
  readdirSync(join(src, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ts|mjs|py)$/.test(name))
    .map((name) => join(folder, name));

/** The imports of a file: our files as paths relative to `src`, and packages. Python modules are those of the same folder. */
function importsOf(path: string): { files: string[]; packages: string[] } {
  const source = readFileSync(join(src, path), "utf8");
  if (path.endsWith(".py")) {
    const names = [...source.matchAll(/^\s*(?:from|import)\s+(\w+)/gm)].map((match) => match[1]!);
    const ours = names.map((name) => join(dirname(path), `${name}.py`)).filter((file) => exists.has(file));
    return { files: ours, packages: [] };
  }
  const from = [
    ...source.matchAll(/(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+)"([^"]+)"/gm),
    ...source.matchAll(/\bnew URL\("([^"]+\.(?:mjs|ts))", import\.meta\.url\)/g),
  ].map((match) => match[1]!);
  const files = from.filter((name) => name.startsWith(".")).map((name) => join(dirname(path), name));
  return { files, packages: from.filter((name) => !name.startsWith(".")) };
}

const all = filesBelow(".");
const exists = new Set(all);
const imports = new Map(all.map((path) => [path, importsOf(path)]));

/** Groups of names that import each other in a circle. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const circles: string[] = [];
  const follow = (name: string, path: readonly string[]): void => {
    const at = path.indexOf(name);
    if (at >= 0) circles.push([...path.slice(at), name].join(" -> "));
    if (at >= 0 || done.has(name)) return;
    for (const next of graph.get(name) ?? []) follow(next, [...path, name]);
    done.add(name);
  };
  for (const name of graph.keys()) follow(name, []);
  return circles;
}

describe("a folder", () => {
  const table = readTable();
  const folders = readdirSync(src).filter((name) => statSync(join(src, name)).isDirectory() && name !== "util");

  /** The folder or inner folder of a file: the longest one in the table. */
  function folderOf(path: string): string {
    const parts = dirname(path).split(sep);
    for (let n = parts.length; n > 0; n--) {
      const folder = parts.slice(0, n).join("/");
      if (table.has(folder)) return folder;
    }
    return path.split(sep)[0]!;
  }

  /** Whether a folder may import another: itself, its inner folders, and those named in its row or in that of its outer folder. */
  function mayImport(folder: string, other: string): boolean {
    if (other === folder || SHARED.includes(other) || other.startsWith(`${folder}/`)) return true;
    const named = (table.get(folder) ?? []).some(
      (name) => other === name || (other.startsWith(`${name}/`) && !folder.startsWith(`${name}/`)),
    );
    const outer = dirname(folder);
    const isInside = outer !== "." && (other === outer || other.startsWith(`${outer}/`));
    return named || (outer !== "." && !isInside && mayImport(outer, other));
  }

  it("is in the table of docs/architecture.md, and the table names no other", () => {
    const topmost = [...table.keys()].filter((folder) => !folder.includes("/"));
    expect(topmost.sort()).toEqual(folders.sort());
    const inner = [...table.keys()].filter((folder) => folder.includes("/"));
    expect(inner.filter((folder) => !all.some((path) => path.startsWith(join(folder, sep))))).toEqual([]);
  });

  it.each([...table.keys()].filter((folder) => folder !== "cli"))("%s imports only what it may", (folder) => {
    const ours = all.filter((path) => folderOf(path) === folder);
    const broken = ours.flatMap((path) =>
      imports
        .get(path)!
        .files.filter((file) => !mayImport(folder, folderOf(file)) && file !== join(dirname(folder), "types.ts"))
        .map((file) => `${path} imports ${file}`),
    );
    expect(broken).toEqual([]);
  });

  it("imports no file in a circle", () => {
    expect(circlesIn(new Map([...imports].map(([path, { files }]) => [path, files])))).toEqual([]);
  });

  it("imports no other folder in a circle", () => {
    const graph = new Map<string, string[]>();
    for (const [path, { files }] of imports) {
      const folder = folderOf(path);
      // A folder's index re-exports its files, and its types are open to all of them.
      if (/^(index|types|registry|api)\.ts$/.test(basename(path))) continue;
      const others = files.map((file) => (basename(file) === "types.ts" ? folder : folderOf(file)));
      graph.set(folder, [...(graph.get(folder) ?? []), ...others.filter((other) => other !== folder)]);
    }
    expect(circlesIn(graph)).toEqual([]);
  });

  it("other than cli never imports cli, and only the entry files end the process", () => {
    const isCli = (path: string): boolean => path.startsWith(join("cli", sep));
    expect(all.filter((path) => !isCli(path) && imports.get(path)!.files.some(isCli))).toEqual([]);
    const ends = all.filter(
      (path) => path.endsWith(".ts") && /\bprocess\.exit\(/.test(readFileSync(join(src, path), "utf8")),
    );
    expect(ends).toEqual([join("cli", "main.ts"), join("train", "box", "main.ts")]);
  });

  it("other than train and setup imports no TensorFlow.js", () => {
    const using = all.filter((path) => imports.get(path)!.packages.some((name) => name.startsWith("@tensorflow/")));
    expect(using.filter((path) => !/^(train|setup)[\\/]/.test(path))).toEqual([]);
  });

  it("reads itself: imports of every kind of file are found", () => {
    const found = (path: string): string[] => imports.get(path)!.files.map((file) => relative(dirname(path), file));
    expect(found(join("execute", "python", "guard.py"))).toContain("zygote.py");
    expect(found(join("execute", "wasm", "guard.mjs"))).toContain("program.mjs");
  });
});
