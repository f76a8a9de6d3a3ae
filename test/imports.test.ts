/** The rooms import only what docs/architecture.md lets them: its table is read here, so the two cannot drift apart. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const SHARED = ["types", "errors", "util"];

/** Room -> rooms it may import, from the table whose rows begin with "| `room/` |". */
function readTable(): Map<string, string[]> {
  const rules = new Map<string, string[]>();
  for (const line of readFileSync(join(root, "docs", "architecture.md"), "utf8").split("\n")) {
    const row = /^\| `(\w+)\/` \|[^|]*\|([^|]*)\|$/.exec(line);
    if (row !== null)
      rules.set(
        row[1]!,
        [...row[2]!.matchAll(/`(\w+)\/`/g)].map((match) => match[1]!),
      );
  }
  return rules;
}

function files(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : path.endsWith(".ts") ? [path] : [];
  });
}

/** What a file imports: rooms of ours, and packages. */
function importsOf(path: string): { rooms: string[]; packages: string[] } {
  const source = readFileSync(path, "utf8");
  const from = [...source.matchAll(/(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+)"([^"]+)"/gm)].map((match) => match[1]!);
  const local = from.filter((name) => name.startsWith("."));
  const rooms = local.map((name) =>
    relative(join(root, "src"), join(path, "..", name))
      .split(sep)[0]!
      .replace(/\.ts$/, ""),
  );
  return { rooms, packages: from.filter((name) => !name.startsWith(".")) };
}

describe("a room", () => {
  const table = readTable();
  const rooms = readdirSync(join(root, "src")).filter(
    (name) => statSync(join(root, "src", name)).isDirectory() && name !== "util",
  );

  it("is in the table of docs/architecture.md, and the table names no other", () => {
    expect([...table.keys()].sort()).toEqual(rooms.sort());
  });

  it.each(rooms.filter((room) => room !== "cli"))("%s imports only what it may", (room) => {
    const allowed = new Set([room, ...SHARED, ...(table.get(room) ?? [])]);
    const broken = files(join(root, "src", room)).flatMap((path) =>
      importsOf(path)
        .rooms.filter((name) => !allowed.has(name))
        .map((name) => `${relative(root, path)} imports ${name}`),
    );
    expect(broken).toEqual([]);
  });

  it("other than cli never imports cli, and only the entry file ends the process", () => {
    const all = files(join(root, "src"));
    expect(all.filter((path) => !path.includes(`${sep}cli${sep}`) && importsOf(path).rooms.includes("cli"))).toEqual(
      [],
    );
    const ends = all.filter((path) => /\bprocess\.exit\(/.test(readFileSync(path, "utf8")));
    expect(ends.map((path) => relative(root, path))).toEqual([join("src", "cli", "main.ts")]);
  });

  it("other than train and setup imports no TensorFlow.js", () => {
    const using = files(join(root, "src")).filter((path) =>
      importsOf(path).packages.some((name) => name.startsWith("@tensorflow/")),
    );
    expect(using.filter((path) => !/[\\/](train|setup)[\\/]/.test(path)).map((path) => relative(root, path))).toEqual(
      [],
    );
  });
});
