/**
 * `codescore setup tensorflow`: builds the native engine of TensorFlow.js from tfjs-node's sources (a Node-API binding
 * over TensorFlow's C API) against the libraries and headers in pip's current TensorFlow. npm's own install of tfjs-node
 * instead downloads a libtensorflow of 2022 (2.9, CUDA 11.2) from outside of the registry.
 */
import { spawnSync } from "node:child_process";
import { mkdir, readdir, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { CodescoreError } from "../errors.ts";
import { exists, packageRoot, writeAtomic } from "../util/files.ts";
import type { NativeCheck } from "./check.ts";
import { type Build, CHECKED, tensorflowFolder } from "./places.ts";
import { DONE, runSteps, type Step, stepsDone } from "./steps.ts";
import { findTools, type Tools } from "./tools.ts";

const TFJS_NODE = "4.22.0";

export interface SetupOptions {
  /** TensorFlow with CUDA. @default false */
  readonly gpu?: boolean;
  /** Python that makes the environment. @default the first of at least 3.9 on the PATH */
  readonly python?: string;
}

export interface SetupPlan {
  readonly folder: string;
  readonly steps: readonly (Step & { readonly done: boolean })[];
}

/** The steps that would run. Throws `CodescoreError("environment")`, which lists all that is missing, if the engine cannot be built. */
export async function planTensorflow({ gpu = false, python }: SetupOptions = {}): Promise<SetupPlan> {
  checkPlatform(gpu);
  checkTfjs();
  const build = gpu ? "gpu" : "cpu";
  const folder = tensorflowFolder(build);
  if (/[^\w./@+-]/.test(folder)) {
    throw new CodescoreError(
      "environment",
      `make cannot build in a folder whose path has spaces or special characters: ${folder}; set CODESCORE_CACHE=FOLDER`,
    );
  }
  const steps = stepsFor(folder, build, findTools(python));
  const done = await stepsDone(folder, steps);
  return { folder, steps: steps.map((step, i) => ({ ...step, done: done[i]! })) };
}

/**
 * Builds what is not built yet and checks the engine. Throws `CodescoreError("environment")` that says what failed, with
 * the end of its output and the path of the log.
 */
export async function setupTensorflow(options: SetupOptions = {}): Promise<NativeCheck & { readonly folder: string }> {
  const { folder, steps } = await planTensorflow(options);
  await rm(join(folder, CHECKED), { force: true }); // a half-built engine must not be found
  await runSteps(folder, steps);
  const checked = await checkNative(folder);
  await writeAtomic(join(folder, CHECKED), `${JSON.stringify(checked, null, 2)}\n`);
  return { ...checked, folder };
}

function checkPlatform(gpu: boolean): void {
  const here = `${process.platform}-${process.arch}`;
  if (here === "linux-x64" || (here === "linux-arm64" && !gpu)) return;
  throw new CodescoreError(
    "environment",
    gpu
      ? `TensorFlow's wheels have CUDA on linux-x64 only, this is ${here} (on Windows: inside WSL 2)`
      : `setup builds the native engine on Linux only, this is ${here}; npm's own build may work: npm install --ignore-scripts=false @tensorflow/tfjs-node, or train with --device wasm`,
  );
}

function checkTfjs(): void {
  try {
    createRequire(import.meta.url).resolve("@tensorflow/tfjs");
  } catch {
    throw new CodescoreError("environment", "the native engine needs TensorFlow.js: npm install @tensorflow/tfjs");
  }
}

/** All steps of the build, for a machine with these tools. */
export function stepsFor(folder: string, build: Build, { python, compiler, nodeFolder }: Tools): Step[] {
  const environment = join(folder, "python");
  const libraries = join(environment, "lib", `python${python.version}`, "site-packages", "tensorflow");
  const npm = join(folder, "npm");
  const source = join(npm, "node_modules", "@tensorflow", "tfjs-node");
  // Only libraries and headers are used. So without CUDA, none of the Python packages that TensorFlow requires are installed.
  const wheel =
    build === "gpu"
      ? ["tensorflow[and-cuda]<3"]
      : ["--no-deps", process.arch === "x64" ? "tensorflow-cpu<3" : "tensorflow<3"];
  return [
    {
      title: "Python environment",
      key: python.version,
      prepare: () => rm(environment, { recursive: true, force: true }), // it may belong to another Python, or be incomplete
      argv: [python.path, "-m", "venv", environment],
    },
    {
      title: build === "gpu" ? "TensorFlow and CUDA from pip (gigabytes)" : "TensorFlow from pip (270 MB)",
      argv: [
        join(environment, "bin", "python"),
        "-m",
        "pip",
        "install",
        "--only-binary",
        ":all:",
        "--no-compile",
        ...wheel,
      ],
      env: { PIP_USER: "0", PIP_DISABLE_PIP_VERSION_CHECK: "1" },
      hint: (output) =>
        /No matching distribution|Could not find a version/.test(output)
          ? `Either the registry does not answer, or TensorFlow has no wheel for Python ${python.version} on this machine (it needs Linux with glibc); use --python PATH for another Python.`
          : undefined,
    },
    {
      title: "tfjs-node from npm",
      key: TFJS_NODE,
      prepare: () => writePackage(npm),
      argv: ["npm", "install", "--prefix", npm, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=warn"],
      cwd: npm,
    },
    {
      title: "native binding",
      key: process.arch,
      noise: /^(gyp|npm|make)\b/,
      prepare: () => linkLibraries(libraries, join(source, "deps")),
      argv: [
        ...["npm", "explore", "--prefix", npm, "@tensorflow/tfjs-node", "--"], // with npm's own node-gyp
        ...["node-gyp", "rebuild", "--module_name=tfjs_binding", `--module_path=${join(source, "lib", "napi-v8")}`],
        ...["--napi_build_version=8", ...(nodeFolder === undefined ? [] : [`--nodedir=${nodeFolder}`])],
      ],
      cwd: npm,
      env: {
        CXX: compiler,
        // The binding finds TensorFlow in its wheel. TensorFlow's libraries look for one another in their own folder.
        LDFLAGS: `-Wl,-rpath,${libraries}`,
        NODE_GYP_FORCE_PYTHON: join(environment, "bin", "python"),
      },
    },
  ];
}

/** Writes the npm project: tfjs-node, and instead of TensorFlow.js (190 MB) two placeholders that `loadNative` replaces by ours. */
async function writePackage(npm: string): Promise<void> {
  const names = ["tfjs", "tfjs-core"];
  for (const name of names) {
    const folder = join(npm, "ours", name);
    const manifest = { name: `@tensorflow/${name}`, version: TFJS_NODE, main: "index.js" };
    await writeAtomic(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    await writeAtomic(join(folder, "index.js"), 'throw new Error("codescore puts its own TensorFlow.js here");\n');
  }
  const ours = names.map((name) => [`@tensorflow/${name}`, `file:ours/${name}`]);
  const manifest = {
    private: true,
    dependencies: { ...Object.fromEntries(ours), "@tensorflow/tfjs-node": TFJS_NODE },
  };
  await writeAtomic(join(npm, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Links what tfjs-node's build looks for in `deps`: headers, and libraries under the names that the linker asks for. */
async function linkLibraries(libraries: string, deps: string): Promise<void> {
  await rm(deps, { recursive: true, force: true });
  await mkdir(join(deps, "lib"), { recursive: true });
  await symlink(join(libraries, "include"), join(deps, "include"));
  for (const [name, file] of [
    ["libtensorflow.so", "libtensorflow_cc.so.2"],
    ["libtensorflow_framework.so", "libtensorflow_framework.so.2"],
  ] as const) {
    if (!(await exists(join(libraries, file)))) {
      throw new CodescoreError("environment", `pip's TensorFlow has no ${file} in ${libraries}`);
    }
    await symlink(join(libraries, file), join(deps, "lib", name));
  }
  await linkCuda(libraries);
}

/** Links CUDA's libraries to where TensorFlow looks for them, beside itself (see TensorFlow's install page). pip has them in other packages. */
async function linkCuda(libraries: string): Promise<void> {
  const nvidia = join(libraries, "..", "nvidia");
  for (const name of (await exists(nvidia)) ? await readdir(nvidia) : []) {
    const folder = join(nvidia, name, "lib");
    for (const file of (await exists(folder)) ? await readdir(folder) : []) {
      if (!file.includes(".so")) continue;
      await rm(join(libraries, file), { force: true });
      await symlink(join(folder, file), join(libraries, file));
    }
  }
}

/** Loads the engine in a separate process, because an incompatible native library can end the process. */
async function checkNative(folder: string): Promise<NativeCheck> {
  const script = join(packageRoot, "dist", "setup", "check.js");
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [script, folder], { encoding: "utf8" });
  if (status === 0) return JSON.parse(stdout) as NativeCheck;
  const lines = stderr.trimEnd().split("\n").slice(-12);
  await rm(join(folder, DONE), { force: true });
  throw new CodescoreError(
    "environment",
    [
      `the engine is built, but does not work: ${signal ? `stopped by ${signal}` : `code ${status}`}`,
      ...lines.map((line) => `  | ${line}`),
      "Run the same command again to rebuild it.",
    ].join("\n"),
  );
}
