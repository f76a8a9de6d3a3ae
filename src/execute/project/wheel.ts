/** Unpacks a project that comes as a wheel, a zip file, with Python itself. Runs nothing of it. */
import { execFile } from "node:child_process";
import { rename, rm } from "node:fs/promises";
import { promisify } from "node:util";
import { CodescoreError, messageOf } from "../../errors.ts";
import { exists, makeFolder } from "../../util/files.ts";

const run = promisify(execFile);

/** Unpacks a wheel into a folder, unless the folder exists. Throws `CodescoreError("input")` for a file that is not a wheel. */
export async function unpackWheel(wheel: string, folder: string, python = "python3"): Promise<void> {
  if (await exists(folder)) return;
  const part = `${folder}.part`;
  await rm(part, { recursive: true, force: true });
  await makeFolder(part);
  try {
    await run(python, ["-I", "-m", "zipfile", "-e", wheel, part], { timeout: 300_000 });
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    const why = messageOf(error).trim().split("\n").at(-1);
    throw new CodescoreError("input", `expected a wheel that \`${python} -m zipfile\` unpacks, got ${wheel}: ${why}`);
  }
  await rename(part, folder);
}
