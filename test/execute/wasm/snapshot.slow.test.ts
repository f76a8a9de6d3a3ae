/** The snapshots that WebAssembly interpreters start from: made once for each server, and optional. */
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import type { Answer } from "../../../src/execute/index.ts";
import { findSandbox } from "../../../src/execute/sandbox/index.ts";
import { tempFolder } from "../../problems/helpers.ts";
import { open } from "../open.ts";

afterEach(() => vi.unstubAllEnvs());

const code = "import ctypes, statistics\ndef f(x):\n    return statistics.mean(x), ctypes.sizeof(ctypes.c_int)";
async function answer(): Promise<Answer | undefined> {
  const executor = await open("wasm");
  try {
    const [first] = await executor.answers({ code, entryPoint: "f", setup: "" }, [{ args: "[1, 2, 6]" }]);
    return first;
  } finally {
    await executor.close();
  }
}
const argumentsOf = async (server: "guard" | "judge"): Promise<readonly string[]> =>
  (await findSandbox({ sandbox: "wasm" })).command(server, 256).args;

it("is made once, given to every interpreter, and changes no answer", async () => {
  const folder = tempFolder();
  vi.stubEnv("CODESCORE_CACHE", join(folder, "cache"));
  const value = { t: "tuple", v: [{ v: 3n }, { v: 4n }] };
  expect(await answer()).toMatchObject({ outcome: "ok", value });
  const names = readdirSync(join(folder, "cache")).sort();
  expect(names.map((name) => name.split("-")[1])).toEqual(["guard", "judge"]);
  const [guard, judge] = names.map((name) => join(folder, "cache", name)) as [string, string];
  const times = () => [guard, judge].map((path) => statSync(path).mtimeMs);
  const made = times();
  for (const [server, own, other] of [
    ["guard", guard, judge],
    ["judge", judge, guard],
  ] as const) {
    const given = await argumentsOf(server);
    expect(given).toEqual(expect.arrayContaining([own, `--allow-fs-read=${own}`]));
    expect(given.join()).not.toContain(other);
  }
  expect(times()).toEqual(made);

  for (const path of [guard, judge]) truncateSync(path, 1000); // Pyodide refuses it, and the interpreter starts without it
  expect(await answer()).toMatchObject({ outcome: "ok", value });

  const file = join(folder, "file");
  writeFileSync(file, "");
  vi.stubEnv("CODESCORE_CACHE", join(file, "cache")); // this folder cannot be created
  expect(await argumentsOf("guard")).toContain("");
});

it("has our modules", async () => {
  for (const server of ["guard", "judge"] as const) {
    const command = (await findSandbox({ sandbox: "wasm" })).command(server, 256);
    const path = command.args.find((one) => one.endsWith(".snapshot") && !one.startsWith("-"));
    const image = readFileSync(path ?? expect.fail("there is no snapshot"));
    expect(image.includes(`/codescore/${server === "guard" ? "shareable" : "judging"}.py`)).toBe(true);
    expect(image.includes(`/codescore/${server === "guard" ? "judging" : "shareable"}.py`)).toBe(false);
  }
});
