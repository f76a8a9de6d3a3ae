/** The environment whose packages tests use: `CODESCORE_PYTHON`, if it has numpy, pandas and matplotlib. */
import { execFileSync } from "node:child_process";
import { sayOnce } from "../once.ts";

const python = process.env.CODESCORE_PYTHON;

function lacks(): string | null {
  if (python === undefined) return "CODESCORE_PYTHON names no Python";
  try {
    execFileSync(python, ["-I", "-c", "import numpy, pandas, matplotlib"], { stdio: "pipe", timeout: 60_000 });
    return null;
  } catch {
    return `${python} cannot import numpy, pandas and matplotlib`;
  }
}

const why = lacks();
if (why !== null) sayOnce("skipped-packages", `tests of programs with packages are skipped: ${why}`);

/** Null if there is none. */
export const environment: string | null = why === null ? (python as string) : null;
