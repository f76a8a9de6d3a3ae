/** Opening an executor: what is refused, and the messages. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type Limits, openExecutor } from "../../src/execute/index.ts";
import { findSandbox } from "../../src/execute/sandbox/index.ts";
import { tempFolder } from "../problems/helpers.ts";
import { bwrapWorks, landlockWorks } from "./open.ts";

afterEach(() => vi.unstubAllEnvs());

describe("openExecutor", () => {
  it("runs without a sandbox only when told so", async () => {
    await expect(openExecutor({ sandbox: "none" })).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("--allow-unsafe"),
    });
  });

  it.each([
    { options: { workers: 0 }, says: "workers" },
    { options: { workers: 1.5 }, says: "workers" },
    { options: { limits: { testCpuS: -1 } }, says: "testCpuS" },
    { options: { sandbox: "docker" as "auto" }, says: "docker" },
  ])("refuses $options", async ({ options, says }) => {
    await expect(openExecutor(options)).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining(says),
    });
  });

  it("gives tests twice the time in WebAssembly, unless told otherwise", async () => {
    const budget = async (limits: Partial<Limits>): Promise<number> => {
      const executor = await openExecutor({ sandbox: "wasm", workers: 1, limits });
      onTestFinished(() => executor.close());
      return executor.limits.testCpuS;
    };
    expect(await Promise.all([budget({}), budget({ maxTimeouts: 1 }), budget({ testCpuS: 0.1 })])).toEqual([
      0.2, 0.2, 0.1,
    ]);
  });

  it.each(
    (["auto", "bwrap", "landlock", "wasm", "sandbox-exec", "none"] as const).flatMap((sandbox) =>
      (["linux", "darwin", "win32"] as const).map((platform) => ({ sandbox, platform })),
    ),
  )("refuses a Python that is not there: $sandbox on $platform", async ({ sandbox, platform }) => {
    const here = Object.getOwnPropertyDescriptor(process, "platform")!;
    Object.defineProperty(process, "platform", { ...here, value: platform });
    onTestFinished(() => void Object.defineProperty(process, "platform", here));
    await expect(openExecutor({ sandbox, allowUnsafe: true, python: "no/bin/python" })).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(/expected --python .* got `no\/bin\/python`: there is no such program/),
    });
  });

  it("says that a folder is no Python", async () => {
    const folder = tempFolder();
    await expect(openExecutor({ python: folder })).rejects.toThrow(
      `got \`${folder}\`: it is a folder, or not executable`,
    );
  });

  it("says how to name a Python in this folder", async () => {
    await expect(openExecutor({ sandbox: "wasm", python: "package.json" })).rejects.toThrow(
      /got `package\.json`: it is not on PATH; write \.\/package\.json/,
    );
  });

  it.runIf(bwrapWorks)("takes bubblewrap and Python from the PATH alone, and needs neither", async () => {
    const folder = tempFolder();
    vi.stubEnv("PATH", folder);
    await expect(findSandbox({ sandbox: "bwrap" })).rejects.toThrow(/bwrap: needs Python/);
    symlinkSync("/usr/bin/python3", join(folder, "python3"));
    await expect(findSandbox({ sandbox: "bwrap" })).rejects.toThrow(/bubblewrap is not installed/);
    expect((await findSandbox({})).kind).toBe(landlockWorks ? "landlock" : "wasm");
  });
});
