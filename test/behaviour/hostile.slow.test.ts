/** All hostile programs in runs that give evidence: each in one of its sandboxes, and a sixth of them also as references and samples.
 * With CODESCORE_EVERY=1 all programs in all sandboxes. */
import { every } from "../every.ts";
import { working } from "../execute/open.ts";
import { hostile } from "./attacks.ts";
import { hostileRun } from "./hostile-run.ts";

const all = new Map(working.map((sandbox) => [sandbox, hostile(sandbox).map(({ name }) => name)]));
const names = [...new Set([...all.values()].flat())];

for (const sandbox of working) {
  const isOwn = (name: string, i: number): boolean => {
    const able = working.filter((one) => all.get(one)!.includes(name));
    return every(0) === 1 || able[i % able.length] === sandbox;
  };
  const own = names.filter((name, i) => all.get(sandbox)!.includes(name) && isOwn(name, i));
  // As references and samples each is a separate task, which takes longest.
  hostileRun(
    sandbox,
    own,
    own.filter((_, i) => i % every(6) === 0),
  );
}
