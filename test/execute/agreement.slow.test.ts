/**
 * The sandboxes give he-eval-dev's programs the same verdicts, except for reasons that docs/execution.md names. By default every
 * 32nd program, because WebAssembly is slow. CODESCORE_EVERY=1 runs all 1,540.
 */
import { expect, it } from "vitest";
import { openExecutor, type SandboxKind } from "../../src/execute/index.ts";
import type { Execution, Verdict } from "../../src/types.ts";
import { every } from "../every.ts";
import { heEvalDev } from "./he-eval.ts";
import { bwrapWorks } from "./open.ts";

const data = process.env.CODESCORE_DATA;
const each = every(32);

const names = ({ outcome, errorType = "" }: Verdict): string => (errorType ? `${outcome}:${errorType}` : outcome);
const one = (a: Verdict, b: Verdict, of: (verdict: Verdict) => boolean): boolean => of(a) !== of(b);

/** Reasons why two verdicts on a program may differ. The first that applies is used. */
const reasons: readonly (readonly [string, (a: Verdict, b: Verdict, code: string) => boolean])[] = [
  [
    "a module that one of the Pythons has not",
    (a, b) => one(a, b, ({ errorType }) => errorType === "ModuleNotFoundError"),
  ],
  [
    "time or memory ran out in one of them",
    (a, b) => [a, b].some(({ outcome }) => outcome === "timeout" || outcome === "memory"),
  ],
  [
    "Python 3.14 does not evaluate annotations (PEP 649)",
    (a, b, code) => /def .*(->|:)/.test(code) && one(a, b, ({ errorType }) => errorType === "NameError"),
  ],
  [
    "the order of a set of strings: hashes have 32 bits in WebAssembly",
    (a, b, code) => /\bset\(|\{[^:}]* for /.test(code) && !a.errorType && !b.errorType,
  ],
];

it.skipIf(!data || !bwrapWorks)(
  "agree in bubblewrap and WebAssembly but for documented reasons",
  async () => {
    const rows = (await heEvalDev(data as string)).filter((_, index) => index % each === 0);
    const run = async (sandbox: SandboxKind): Promise<Execution[]> => {
      const executor = await openExecutor({ sandbox });
      try {
        return await Promise.all(rows.map(({ task, code }) => executor.execute(task, code)));
      } finally {
        await executor.close();
      }
    };
    const [native, wasm] = [await run("bwrap"), await run("wasm")];
    const seen = new Map<string, string[]>();
    const unexplained: string[] = [];
    let differing = 0;
    rows.forEach(({ id, code }, index) => {
      const [a, b] = [native[index] as Execution, wasm[index] as Execution];
      expect([a.status, b.status], id).toEqual(["ok", "ok"]);
      if (a.passRatio !== b.passRatio || a.executable !== b.executable) differing += 1;
      a.verdicts.forEach((verdict, place) => {
        const other = b.verdicts[place] as Verdict;
        if (names(verdict) === names(other)) return;
        const shown = `${id} test ${verdict.testId}: ${names(verdict)}, in WebAssembly ${names(other)}`;
        const reason = reasons.find(([, holds]) => holds(verdict, other, code));
        if (reason) seen.set(reason[0], [...(seen.get(reason[0]) ?? []), shown]);
        else unexplained.push(shown);
      });
    });
    for (const [reason, shown] of seen) process.stderr.write(`  ${reason}: ${shown.length}, e.g. ${shown[0]}\n`);
    process.stderr.write(`  ${differing} of ${rows.length} labels differ\n`);
    expect(unexplained).toEqual([]);
    expect(differing).toBeLessThanOrEqual(0.01 * rows.length);
  },
  1_800_000,
);
