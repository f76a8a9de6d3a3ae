/**
 * What has a share in scores beside the network: the rule without one, and trees over what programs are made of. Loaded only for
 * models that ask for it: a scorer of one pair starts sooner without.
 */
import type { Ruled } from "../metrics/rule.ts";
import type { UniceConfig } from "../model/unice.ts";
import type { Judged } from "../trees/index.ts";
import type { InputFormat, ScoreInput } from "../types.ts";
import { remember } from "../util/remember.ts";

/** What is seen of a row beside the network's outputs. */
export interface Seen {
  readonly ruled: Ruled | null;
  /** What the trees say; nothing where the gate sees that the candidate fails, null where a program cannot be read. */
  readonly judged: Judged | null;
}

export interface Beside {
  /** For signatures, `|rule:...` and so on; empty in formats in which the network is alone. */
  partOf(format: InputFormat | "auto"): string;
  /** The name of the trees, to which a calibration belongs as to the network; null without. */
  readonly trees: string | null;
  see(input: ScoreInput, format: InputFormat): Seen;
  /** The network's outputs and what is seen as one score. */
  join(network: Judged, seen: Seen): Judged;
}

/** What a candidate got last, and for which reference. */
interface Last {
  readonly compared: string | null | undefined;
  readonly seen: Seen;
}

const NOTHING: Seen = { ruled: null, judged: null };
const FAILS: Judged = { score: 0, exec: 0 };

/** Characters of candidates that are remembered together. */
const CANDIDATES = 2 ** 21;

/** null where the config gives all to the network. Throws as `readTrees`, `loadRule`. */
export async function loadBeside(
  folder: string,
  { rule, trees }: Pick<UniceConfig, "rule" | "trees">,
  modules: ReadonlySet<string> | undefined,
): Promise<Beside | null> {
  if (rule === 0 && trees === 0) return null;
  const [{ loadRule, ruled }, { gate }] = await Promise.all([
    import("../metrics/rule.ts"),
    import("../metrics/gate.ts"),
  ]);
  await loadRule();
  const grown = trees === 0 ? null : await (await import("../trees/index.ts")).readTrees(folder);
  const treePart = grown === null ? "" : `|trees:${trees}@${grown.name}`;
  const rulePart = rule === 0 ? "" : `|rule:${rule}|answers:on|attributes:on|conflicts:on`;
  /** The trees' share of what the rule leaves. */
  const ofRest = trees / (1 - rule);
  const judge = (candidate: string, compared: string | null): Judged | null =>
    gate(candidate, compared ?? "", modules) === 0 ? FAILS : grown!.judge(candidate, compared);
  const look = (candidate: string, compared: string | null): Seen => ({
    ruled: compared === null || rule === 0 ? null : ruled(candidate, compared, modules),
    judged: grown && judge(candidate, compared),
  });
  const lastOf = remember((): Last => ({ compared: undefined, seen: NOTHING }), CANDIDATES);
  return {
    trees: grown?.name ?? null,
    partOf: (format) => (format === "nl" ? treePart : rulePart + treePart),
    see({ candidate, reference }, format) {
      const last = lastOf(candidate);
      const compared = format === "nl" ? null : reference!;
      if (last.compared !== compared) Object.assign(last, { compared, seen: look(candidate, compared) });
      return last.seen;
    },
    join(network, { ruled: seen, judged }) {
      const learned = (key: keyof Judged): number =>
        judged === null ? network[key] : (1 - ofRest) * network[key] + ofRest * judged[key];
      if (seen === null) return { score: learned("score"), exec: learned("exec") };
      return {
        score: (1 - rule) * learned("score") * seen.answers + rule * seen.rule,
        exec: seen.raises ? 0 : learned("exec"),
      };
    },
  };
}
