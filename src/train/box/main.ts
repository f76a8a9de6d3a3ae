/** The program behind a pack's `run.sh`, for a machine with nothing but a GPU driver. Runs all stages in order, or the named one. */
import { fileURLToPath } from "node:url";
import { CodescoreError, messageOf } from "../../errors.ts";
import { readSettings } from "./settings.ts";
import { runStages, STAGES, type Stage } from "./stages.ts";

const folder = fileURLToPath(new URL(".", import.meta.url)).replace(/[\\/]$/, "");

try {
  const [name, ...more] = process.argv.slice(2);
  if (more.length > 0 || (name !== undefined && !STAGES.some((stage) => stage === name))) {
    throw new CodescoreError(
      "usage",
      `expected no argument or one of ${STAGES.join(", ")}, got \`${process.argv.slice(2).join(" ")}\``,
    );
  }
  process.exitCode = await runStages(folder, readSettings(process.env, folder), (name as Stage | undefined) ?? null);
} catch (error) {
  process.stdout.write(`failed: ${messageOf(error)}\n`);
  if (!(error instanceof CodescoreError)) process.stderr.write(`${(error as Error).stack}\n`);
  process.exitCode = error instanceof CodescoreError && error.code === "usage" ? 2 : 1;
}
process.exit();
