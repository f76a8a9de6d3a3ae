/** The snapshot that WebAssembly interpreters start from: made once, and optional. */
import { readdirSync, statSync, truncateSync, writeFileSync } from "node:fs";
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
const guardArguments = async (): Promise<readonly string[]> =>
  (await findSandbox({ sandbox: "wasm" })).command("guard", 256).args;

it("is made once, given to every interpreter, and changes no answer", async () => {
  const folder = tempFolder();
  vi.stubEnv("CODESCORE_CACHE", join(folder, "cache"));
  const value = { t: "tuple", v: [{ v: 3n }, { v: 4n }] };
  expect(await answer()).toMatchObject({ outcome: "ok", value });
  const [name, ...others] = readdirSync(join(folder, "cache"));
  expect(others).toEqual([]);
  const path = join(folder, "cache", name as string);
  const { mtimeMs } = statSync(path);
  expect(await guardArguments()).toContain(path);
  expect(statSync(path).mtimeMs).toBe(mtimeMs);

  truncateSync(path, 1000); // Pyodide refuses it, and the interpreter starts without it
  expect(await answer()).toMatchObject({ outcome: "ok", value });

  const file = join(folder, "file");
  writeFileSync(file, "");
  vi.stubEnv("CODESCORE_CACHE", join(file, "cache")); // this folder cannot be created
  expect(await guardArguments()).toContain("");
});
