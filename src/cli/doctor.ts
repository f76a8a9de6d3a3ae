/** `codescore doctor`: checks Node, engine, model, Python, sandbox and trainer, and says how to fix what is missing. */
import { availableParallelism } from "node:os";
import { Command } from "commander";
import { CodescoreError, messageOf } from "../errors.ts";
import type { SandboxKind } from "../execute/types.ts";
import { nodeMajor, SUPPORTED } from "./node.ts";
import { markIncomplete, pythonOption, sandboxOption } from "./options/values.ts";

interface Flags {
  readonly json?: true;
  readonly model?: string;
  readonly sandbox: SandboxKind | "auto";
  readonly python?: string;
}

/** `missing`: only the named feature is unavailable. `fail`: nothing can be scored. */
interface Check {
  readonly what: string;
  readonly status: "ok" | "missing" | "fail";
  readonly found: string;
  /** What to do; null if nothing is needed. */
  readonly remedy: string | null;
}

export const doctorVerb = (): Command =>
  new Command("doctor")
    .description("check Node, engine, model, Python, sandbox and trainer, and say how to get what is missing")
    .option("--json", "as JSON")
    .option("--model <model>", "model folder, or the name of a shipped model, to check")
    .addOption(sandboxOption())
    .addOption(pythonOption())
    .addHelpText(
      "after",
      `
Scores one program and runs one as a test. Exits with 1 if scoring does not work.

Examples:
  codescore doctor
  codescore doctor --sandbox landlock --json`,
    )
    .action(async ({ json, model, sandbox, python }: Flags) => {
      const checks = [node(), ...(await scoring(model)), await running(sandbox, python), await training()];
      process.stdout.write(json ? `${JSON.stringify(checks, null, 2)}\n` : checks.map(show).join(""));
      if (checks.some(({ status }) => status === "fail")) markIncomplete();
    });

const show = ({ what, status, found, remedy }: Check): string =>
  `${status.padEnd(8)} ${what.padEnd(8)} ${found}\n${remedy === null ? "" : `${" ".repeat(18)}${remedy}\n`}`;

function node(): Check {
  const { least, most } = SUPPORTED;
  const major = nodeMajor();
  const found = `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} cores`;
  const isKnown = major >= least && major <= most;
  const remedy = isKnown ? null : `codescore is tested on Node ${least} to ${most}: use one of these`;
  return { what: "node", status: isKnown ? "ok" : "missing", found, remedy };
}

const PAIR = { candidate: "def f(x):\n    return x + x\n", reference: "def f(x):\n    return 2 * x\n" };

async function scoring(model: string | undefined): Promise<Check[]> {
  const { CodeScorer } = await import("../score/index.ts");
  try {
    const scorer = await CodeScorer.load(model, { threads: 1 });
    try {
      const [result] = await scorer.scoreAll([PAIR]);
      if ("error" in result!) throw new Error(result.error.message);
      const inWasm = scorer.device === "wasm";
      const engine: Check = {
        what: "engine",
        status: "ok",
        found: inWasm ? "onnxruntime, WebAssembly" : "onnxruntime, native code",
        remedy: inWasm
          ? "native code is three to five times as fast: npm install onnxruntime-node --ignore-scripts"
          : null,
      };
      return [
        ...(scorer.device === "none" ? [] : [engine]),
        { what: "model", status: "ok", found: `${scorer.folder} scores`, remedy: null },
      ];
    } finally {
      await scorer.close();
    }
  } catch (error) {
    return [
      {
        what: "model",
        status: "fail",
        found: messageOf(error),
        remedy: "install codescore again, or give --model DIR",
      },
    ];
  }
}

const RUN_REMEDY =
  "`label` and `score --run` need it: install bubblewrap and Python 3.9 or later (apt install bubblewrap python3), or npm install pyodide";

async function running(sandbox: SandboxKind | "auto", python: string | undefined): Promise<Check> {
  try {
    const { openExecutor } = await import("../execute/index.ts");
    const executor = await openExecutor({ sandbox, workers: 1, ...(python === undefined ? {} : { python }) });
    try {
      const program = { code: PAIR.candidate, entryPoint: "f", setup: "" };
      const [answer] = await executor.answers(program, [{ args: "2" }]);
      const found = `${executor.sandbox}, Python ${executor.python}`;
      if (answer?.outcome === "ok")
        return { what: "sandbox", status: "ok", found: `${found}; ran a program`, remedy: null };
      const why = `a test program gave ${answer?.outcome ?? "nothing"}`;
      return { what: "sandbox", status: "missing", found: `${found}: ${why}`, remedy: RUN_REMEDY };
    } finally {
      await executor.close();
    }
  } catch (error) {
    const isMistake = error instanceof CodescoreError && error.code === "usage";
    const remedy = isMistake ? "change the option, or leave it out" : RUN_REMEDY;
    return { what: "sandbox", status: "missing", found: messageOf(error), remedy };
  }
}

async function training(): Promise<Check> {
  const { findNative } = await import("../setup/index.ts");
  const folder = await findNative();
  if (folder !== undefined)
    return { what: "trainer", status: "ok", found: `native TensorFlow in ${folder}`, remedy: null };
  const remedy = "`train` uses WebGPU or WebAssembly instead, which is slower; to get it: codescore setup tensorflow";
  return { what: "trainer", status: "missing", found: "no native TensorFlow", remedy };
}
