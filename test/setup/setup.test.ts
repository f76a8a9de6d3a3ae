/** The setup steps around the real build. The build needs a compiler and TensorFlow (see tensorflow.slow.test.ts). */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import util from "node:util";
import * as tf from "@tensorflow/tfjs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { findNative, loadNative } from "../../src/setup/index.ts";
import { runSteps, type Step, stepsDone } from "../../src/setup/steps.ts";
import { stepsFor } from "../../src/setup/tensorflow.ts";
import { type Ask, findTools } from "../../src/setup/tools.ts";
import { cacheFolder } from "../../src/util/cache.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "codescore-setup-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("the cache folder", () => {
  it.each([
    [{ CODESCORE_CACHE: "/data/x", XDG_CACHE_HOME: "/xdg" }, "linux", "/data/x"],
    [{ CODESCORE_CACHE: "near" }, "linux", resolve("near")],
    [{ XDG_CACHE_HOME: "/xdg" }, "linux", "/xdg/codescore"],
    [{ CODESCORE_CACHE: "", XDG_CACHE_HOME: "" }, "darwin", "/home/me/.cache/codescore"],
    [{ LOCALAPPDATA: "/local", XDG_CACHE_HOME: "/xdg" }, "win32", "/local/codescore"],
  ] as const)("with %o on %s is %s", (env, platform, expected) => {
    expect(cacheFolder(env, platform, "/home/me")).toBe(expected);
  });
});

describe("steps", () => {
  let said: string;
  beforeEach(() => {
    said = "";
    vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      said += text;
      return true;
    });
  });
  afterEach(() => vi.restoreAllMocks());

  const node = (title: string, code: string, rest: Partial<Step> = {}): Step => ({
    title,
    argv: [process.execPath, "-e", code],
    ...rest,
  });
  /** A step that appends its letter to a file. */
  const letter = (name: string, rest: Partial<Step> = {}): Step =>
    node(name, `require("fs").appendFileSync(process.env.TRACE, "${name}")`, {
      env: { TRACE: join(folder, "trace") },
      ...rest,
    });
  const trace = (): Promise<string> => readFile(join(folder, "trace"), "utf8");

  it("run once, and go on after the one that failed", async () => {
    const bad = [letter("a"), node("b", "process.exit(3)"), letter("c")];
    await expect(runSteps(folder, bad)).rejects.toThrow(/^b: .*node ended with code 3/);
    expect(await stepsDone(folder, bad)).toEqual([true, false, false]);
    const good = [letter("a"), letter("b"), letter("c")];
    await runSteps(folder, good);
    await runSteps(folder, good);
    expect(await trace()).toBe("abc");
    expect(said).toMatch(/\[1\/3\] a: already done\n/);
  });

  it("run again, with all after them, when what they depend on changes", async () => {
    await runSteps(folder, [letter("a"), letter("b"), letter("c")]);
    await runSteps(folder, [letter("a"), letter("b", { key: "2" }), letter("c")]);
    expect(await trace()).toBe("abcbc");
  });

  it("tell the end of the output, the hint and the log when one fails", async () => {
    const code =
      'for (let i = 0; i < 100; i++) console.log("line " + i); console.error("boom\\nnpm error 1"); process.exit(1)';
    const failing = node("build", code, {
      noise: /^npm/,
      hint: (output) => (output.includes("boom") ? "Do this." : undefined),
    });
    const error: unknown = await runSteps(folder, [failing]).catch((error: unknown) => error);
    expect(error).toMatchObject({ name: "CodescoreError", code: "environment" });
    const { message } = error as Error;
    expect(message).toContain("  | line 99\n");
    expect(message).toContain("  | boom");
    expect(message).not.toContain("line 80\n");
    expect(message).not.toContain("npm error");
    expect(message).toContain(`\nDo this.\nThe whole log: ${join(folder, "setup.log")}`);
    expect(await readFile(join(folder, "setup.log"), "utf8")).toContain("line 0\n");
  });

  it("say what a full disk and a silent registry need", async () => {
    const says = (text: string): Promise<void> =>
      runSteps(folder, [node("x", `console.error("${text}"); process.exit(1)`)]);
    await expect(says("OSError: [Errno 28] No space left on device")).rejects.toThrow(
      /disk is full. Set CODESCORE_CACHE/,
    );
    await expect(says("npm error code ENOTFOUND")).rejects.toThrow(/registry does not answer/);
  });

  it("say when a program does not start, and end the step whose preparation fails", async () => {
    const absent: Step = { title: "x", argv: [join(folder, "absent")] };
    await expect(runSteps(folder, [absent])).rejects.toThrow(/^x: cannot start .*absent: .*ENOENT/);
    const unprepared = letter("y", { prepare: () => Promise.reject(new Error("no headers")) });
    await expect(runSteps(folder, [unprepared])).rejects.toThrow("no headers");
    expect(said).toMatch(/y: failed\n$/);
    await expect(trace()).rejects.toThrow("ENOENT");
  });
});

describe("the tools", () => {
  const machine =
    (versions: Record<string, string>, { venv = true } = {}): Ask =>
    ([program, ...rest]) => {
      if (rest.at(-1)?.startsWith("import venv")) return venv ? "" : undefined;
      return versions[program!];
    };
  const whole = { python3: "3.12", "g++": "12", make: "4", npm: "11" };

  it("are the first Python that is new enough and the first compiler that runs", () => {
    const old = { ...whole, python3: "3.8", "python3.11": "3.11" };
    expect(findTools(undefined, {}, machine(old))).toMatchObject({
      python: { path: "python3.11", version: "3.11" },
      compiler: "g++",
    });
    expect(findTools(undefined, { CXX: "g++-13" }, machine({ ...whole, "g++-13": "13" })).compiler).toBe("g++-13");
  });

  it("that are missing are all named at once", () => {
    const error = (versions: Record<string, string>, options = {}, python?: string): string => {
      try {
        findTools(python, {}, machine(versions, options));
      } catch (error) {
        return (error as Error).message;
      }
      return "";
    };
    const all = error({});
    for (const part of ["no Python of at least 3.9", "no C++ compiler", "no make", "no npm"])
      expect(all).toContain(part);
    expect(error({ ...whole, python3: "3.8" })).toMatch(/python3 is 3\.8; use --python PATH/);
    expect(error(whole, { venv: false })).toMatch(/python3 \(3\.12\) lacks venv .*apt install python3\.12-venv/);
    expect(error(whole, {}, "/opt/none")).toMatch(/none of \/opt\/none runs/);
  });
});

describe("the build's steps", () => {
  const tools = { python: { path: "python3", version: "3.12" }, compiler: "g++" };

  it("give tfjs-node's build TensorFlow's libraries and headers, and TensorFlow those of CUDA", async () => {
    const site = join(folder, "python", "lib", "python3.12", "site-packages");
    const build = stepsFor(folder, "gpu", tools).at(-1)!;
    await expect(build.prepare!()).rejects.toThrow(/pip's TensorFlow has no libtensorflow_cc\.so\.2/);
    const files = ["tensorflow/libtensorflow_cc.so.2", "tensorflow/libtensorflow_framework.so.2"];
    const cuda = ["nvidia/cudnn/lib/libcudnn.so.9", "nvidia/cublas/lib/libcublas.so.12", "nvidia/nvcc/bin/ptxas"];
    for (const name of [...files, ...cuda, "tensorflow/include/c_api.h"]) {
      await mkdir(join(site, name, ".."), { recursive: true });
      await writeFile(join(site, name), name);
    }
    await build.prepare!();
    await build.prepare!(); // a second time, as after an interruption
    const deps = join(folder, "npm", "node_modules", "@tensorflow", "tfjs-node", "deps");
    const read = (...path: string[]): Promise<string> => readFile(join(...path), "utf8");
    expect(await read(deps, "lib", "libtensorflow.so")).toBe(files[0]);
    expect(await read(deps, "lib", "libtensorflow_framework.so")).toBe(files[1]);
    expect(await read(deps, "include", "c_api.h")).toBe("tensorflow/include/c_api.h");
    expect(await read(site, "tensorflow", "libcudnn.so.9")).toBe(cuda[0]);
    expect(await read(site, "tensorflow", "libcublas.so.12")).toBe(cuda[1]);
    expect(build.env?.LDFLAGS).toBe(`-Wl,-rpath,${join(site, "tensorflow")}`);
  });

  it("take Node's headers from a folder only where there is one", () => {
    const argv = (nodeFolder?: string): string =>
      stepsFor(folder, "cpu", { ...tools, ...(nodeFolder === undefined ? {} : { nodeFolder }) })
        .at(-1)!
        .argv.join(" ");
    expect(argv("/usr")).toMatch(/ --nodedir=\/usr$/);
    expect(argv()).not.toContain("nodedir");
  });
});

describe("a built engine", () => {
  afterEach(() => void vi.unstubAllEnvs());

  /** A fake engine in the real layout. Its JavaScript exposes what it was given. */
  async function fakeEngine(build: "cpu" | "gpu"): Promise<string> {
    vi.stubEnv("CODESCORE_CACHE", folder);
    const engine = join(folder, `tensorflow-${build}`);
    const modules = join(engine, "npm", "node_modules", "@tensorflow");
    const files = {
      "tfjs/index.js": 'throw new Error("not replaced")',
      "tfjs-core/index.js": 'throw new Error("not replaced")',
      "tfjs-node/index.js":
        'const util = require("util"); globalThis.seen = [require("@tensorflow/tfjs"), require("@tensorflow/tfjs-core"), util.isNullOrUndefined(null), util.isNullOrUndefined(0), util.isArray([])]',
      // Node can load a folder like a file, so no compiler is needed.
      "tfjs-node/lib/napi-v8/tfjs_binding.node/index.js":
        'module.exports = { TF_Version: "2.99.0", isUsingGpuDevice: () => true }',
    };
    for (const [name, text] of Object.entries(files)) {
      await mkdir(join(modules, name, ".."), { recursive: true });
      await writeFile(join(modules, name), text);
    }
    return engine;
  }

  it("is found once it was checked, the one for a GPU first", async () => {
    const [cpu, gpu] = [await fakeEngine("cpu"), await fakeEngine("gpu")];
    expect(await findNative()).toBeUndefined();
    await writeFile(join(cpu, "checked.json"), "{}");
    expect(await findNative()).toBe(cpu);
    await writeFile(join(gpu, "checked.json"), "{}");
    expect(await findNative()).toBe(gpu);
  });

  it("gets this package's own TensorFlow.js, and what newer Nodes removed", async () => {
    const removed = { isNullOrUndefined: undefined, isArray: undefined };
    Object.assign(util, removed);
    expect(loadNative(await fakeEngine("cpu"))).toEqual({ version: "2.99.0", gpu: true });
    const [tfjs, core, ...answers] = (globalThis as unknown as { seen: [typeof tf, typeof tf, ...boolean[]] }).seen;
    expect(tfjs.engine()).toBe(tf.engine());
    expect(tfjs.Tensor).toBe(tf.Tensor);
    expect(core.Tensor).toBe(tf.Tensor);
    expect(answers).toEqual([true, false, true]);
  });
});
