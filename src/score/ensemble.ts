/**
 * The ensemble that a score comes from: the network, the rule (`metrics/static/rule.ts`, which learns nothing) and trees over what
 * programs are made of (`trees/`). Loaded only for models that ask for it: a scorer of one pair starts sooner without.
 */
import type { Ruled } from "../metrics/static/rule.ts";
import type { UniceConfig } from "../model/unice.ts";
import type { Judged } from "../trees/index.ts";
import type { Finding, InputFormat, ScoreInput } from "../types.ts";
import { remember } from "../util/remember.ts";

/** What the rule and the trees say of a row. */
export interface Features {
  readonly ruled: Ruled | null;
  /** What the trees say; nothing where the gate sees that the candidate fails, null where a program cannot be read. */
  readonly judged: Judged | null;
  /** What the candidate fails by for certain. */
  readonly findings: readonly Finding[];
  /** What lowers its score and proves nothing, such as the one operator that differs from the reference. */
  readonly doubts: readonly Finding[];
}

/** How the parts become one score. */
export interface Ensemble {
  /** For signatures, `|rule:...` and so on; empty in formats in which the network is alone. */
  partOf(format: InputFormat | "auto"): string;
  /** The network's outputs and the features as one score. */
  join(network: Judged, features: Pick<Features, "ruled" | "judged">): Judged;
}

type Weights = Pick<UniceConfig, "rule" | "trees">;

/** @param grown the name of the trees, where there are any */
export function ensembleOf({ rule, trees }: Weights, grown: string | null): Ensemble {
  const treePart = grown === null ? "" : `|trees:${trees}@${grown}`;
  const rulePart = rule === 0 ? "" : `|rule:${rule}|answers:on|attributes:on|conflicts:on|edits:on`;
  /** The trees' share of what the rule leaves. */
  const ofRest = trees / (1 - rule);
  return {
    partOf: (format) => (format === "nl" ? treePart : rulePart + treePart),
    join(network, { ruled, judged }) {
      const learned = (key: keyof Judged): number =>
        judged === null ? network[key] : (1 - ofRest) * network[key] + ofRest * judged[key];
      if (ruled === null) return { score: learned("score"), exec: learned("exec") };
      return {
        score: (1 - rule) * learned("score") * ruled.answers + rule * ruled.rule,
        exec: ruled.raises ? 0 : learned("exec"),
      };
    },
  };
}

/** What the rule and the trees read. */
export interface FeatureReader {
  /** The name of the trees, to which a calibration belongs as to the network; null without. */
  readonly trees: string | null;
  featuresOf(input: ScoreInput, format: InputFormat): Features;
}

/** What a candidate got last, and for which reference. */
interface Last {
  readonly compared: string | null | undefined;
  readonly features: Features;
}

const NOTHING: Features = { ruled: null, judged: null, findings: [], doubts: [] };
const FAILS: Judged = { score: 0, exec: 0 };

/** Characters of candidates that are remembered together. */
const CANDIDATES = 2 ** 20;

/** null where the config gives all to the network. Throws as `readTrees`, `loadRule`. */
export async function loadFeatures(
  folder: string,
  { rule, trees }: Weights,
  modules: ReadonlySet<string> | undefined,
): Promise<FeatureReader | null> {
  if (rule === 0 && trees === 0) return null;
  const [{ loadRule, ruled }, { gate }, { loadFindings }] = await Promise.all([
    import("../metrics/static/rule.ts"),
    import("../metrics/static/gate.ts"),
    import("../metrics/static/findings.ts"),
  ]);
  await loadRule();
  const find = await loadFindings();
  const grown = trees === 0 ? null : await (await import("../trees/index.ts")).readTrees(folder);
  const look = (candidate: string, compared: string | null): Features => {
    const seen = compared === null || rule === 0 ? null : ruled(candidate, compared, modules);
    const isRefused = seen === null ? gate(candidate, compared ?? "", modules) === 0 : seen.refused;
    const found =
      isRefused || (seen !== null && (seen.fails || seen.answers < 1)) ? find(candidate, compared, modules) : [];
    return {
      ruled: seen,
      judged: grown && (isRefused ? FAILS : grown.judge(candidate, compared)),
      findings: found.filter(({ certain }) => certain),
      doubts: found.filter(({ certain }) => !certain),
    };
  };
  const lastOf = remember((): Last => ({ compared: undefined, features: NOTHING }), CANDIDATES);
  return {
    trees: grown?.name ?? null,
    featuresOf({ candidate, reference }, format) {
      const last = lastOf(candidate);
      const compared = format === "nl" ? null : reference!;
      if (last.compared !== compared) Object.assign(last, { compared, features: look(candidate, compared) });
      return last.features;
    },
  };
}
