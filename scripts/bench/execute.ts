/**
 * Measures programs per second of the executor on he-eval-dev. Compares it with a plain labeller (one fork per program) and with one fresh
 * interpreter per program, each with two processes on split input, one after another in the same run. Also reports how far the labels
 * agree, and the peak memory of the executor's process tree. The executor runs before and after each peer, and the mean of both counts,
 * because the speed of a machine varies. Run it on an idle machine.
 *
 * usage: npx vite-node scripts/bench/execute.ts DATA_FOLDER PLAIN_LABELLER.py [bwrap|wasm]
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SandboxKind } from "../../src/execute/index.ts";
import { executor, type Measured, peakBytes, peerLabels, type Row, readRows } from "./he-eval.ts";

const [data, labeller, sandbox = "bwrap"] = process.argv.slice(2);
if (!data || !labeller) {
  throw new Error("usage: npx vite-node scripts/bench/execute.ts DATA_FOLDER PLAIN_LABELLER.py [bwrap|wasm]");
}

const rows = await readRows(join(data, "he-eval-dev"));
for (const [name, part] of [
  ["without timeouts", rows.filter(({ timeout }) => !timeout)],
  ["all programs", rows],
] as const) {
  const ours = await executor(part, sandbox as SandboxKind);
  console.log(`${name} (${part.length})`);
  print("codescore", ours, part);
  let before = ours.seconds;
  for (const [peer, script] of [
    ["a fork a program", labeller],
    ["an interpreter a program", fileURLToPath(new URL("process-per-program.py", import.meta.url))],
  ] as const) {
    const theirs = await peerLabels(script, part);
    print(peer, theirs, part);
    const agree = (key: "passRatio" | "executable"): string => {
      const same = part.filter(
        (_, i) => Math.abs(Number(ours.labels[i]?.[key]) - Number(theirs.labels[i]?.[key])) < 1e-9,
      );
      return `${((100 * same.length) / part.length).toFixed(2)}%`;
    };
    const again = await executor(part, sandbox as SandboxKind);
    print("codescore again", again, part);
    const mean = (before + again.seconds) / 2;
    before = again.seconds;
    console.log(
      `    codescore is ${(theirs.seconds / mean).toFixed(2)} times as fast; agreement on PassRatio ` +
        `${agree("passRatio")}, on Executability ${agree("executable")}`,
    );
  }
  const peak = await peakBytes(part, sandbox as SandboxKind);
  console.log(`  most memory of codescore's processes together: ${(peak / 2 ** 20).toFixed(0)} MiB`);
}

function print(name: string, { seconds }: Measured, part: readonly Row[]): void {
  console.log(`  ${name}: ${seconds.toFixed(1)} s, ${(part.length / seconds).toFixed(1)} programs/s`);
}
