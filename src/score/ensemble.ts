/**
 * The ensemble that a score comes from: the network, the rule (`metrics/static/rule.ts`, which learns nothing) and trees over what
 * programs are made of (`trees/`). Loaded only for models that ask for it: a scorer of one pair starts sooner without.
 */
import { DESCRIPTION } from "../metrics/static/returns.ts";
import type { Ruled } from "../metrics/static/rule.ts";
import type { UniceConfig } from "../model/unice.ts";
import type { Judged } from "../trees/index.ts";
import type { Finding, InputFormat, ScoreInput } from "../types.ts";
import { remember } from "../util/remember.ts";
import { stubOf } from "./stub.ts";

/** What is seen of a candidate beside its reference, or beside a stub of what its description asks for; then the rule is null. */
type Seen = Pick<Ruled, "answers" | "raises"> & { readonly rule: number | null };

/** What the rule and the trees say of a row. */
export interface Features {
  readonly ruled: Seen | null;
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
    partOf: (format) => (format === "nl" ? (rule === 0 ? "" : "|stub:on") : rulePart) + treePart,
    join(network, { ruled, judged }) {
      const learned = (key: keyof Judged): number =>
        judged === null ? network[key] : (1 - ofRest) * network[key] + ofRest * judged[key];
      if (ruled === null) return { score: learned("score"), exec: learned("exec") };
      const score = learned("score") * ruled.answers;
      return {
        score: ruled.rule === null ? score : (1 - rule) * score + rule * ruled.rule,
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

/** What a candidate got last, and for which reference or stub. */
interface Last {
  readonly compared: string | undefined;
  readonly isAlone: boolean;
  readonly features: Features;
}

const NOTHING: Features = { ruled: null, judged: null, findings: [], doubts: [] };
const FAILS: Judged = { score: 0, exec: 0 };

const BROKEN_REFERENCE: Finding = { line: null, what: "Python cannot compile the reference; mend it, or give another" };

/** Characters of candidates that are remembered together. */
const CANDIDATES = 2 ** 20;

/** null where the config gives all to the network. Throws as `readTrees`, `loadRule`. */
export async function loadFeatures(
  folder: string,
  { rule, trees }: Weights,
  modules: ReadonlySet<string> | undefined,
): Promise<FeatureReader | null> {
  if (rule === 0 && trees === 0) return null;
  const [{ loadRule, ruled, seenBesideStub }, { gate, isBroken }, { loadFindings }] = await Promise.all([
    import("../metrics/static/rule.ts"),
    import("../metrics/static/gate.ts"),
    import("../metrics/static/findings.ts"),
  ]);
  await loadRule();
  const find = await loadFindings();
  const grown = trees === 0 ? null : await (await import("../trees/index.ts")).readTrees(folder);
  const sorted = (found: readonly Finding[]): Pick<Features, "findings" | "doubts"> => ({
    findings: found.filter(({ certain }) => certain),
    doubts: found.filter(({ certain }) => !certain),
  });
  const look = (candidate: string, compared: string): Features => {
    const seen = rule === 0 ? null : ruled(candidate, compared, modules);
    const isRefused = seen === null ? gate(candidate, compared, modules) === 0 : seen.refused;
    const found =
      isRefused || (seen !== null && (seen.fails || seen.answers < 1)) ? find(candidate, compared, modules) : [];
    return {
      ruled: seen,
      judged: grown && (isRefused ? FAILS : grown.judge(candidate, compared)),
      ...sorted(isBroken(compared) ? [BROKEN_REFERENCE, ...found] : found),
    };
  };
  const lookAlone = (candidate: string, stub: string): Features => {
    if (gate(candidate, "", modules) === 0) {
      return { ruled: null, judged: grown && FAILS, ...sorted(find(candidate, null, modules)) };
    }
    const seen = rule === 0 ? null : { ...seenBesideStub(candidate, stub, modules), rule: null };
    const doubts = seen !== null && seen.answers < 1 ? find(candidate, stub, modules, DESCRIPTION) : [];
    return { ruled: seen, judged: grown?.judge(candidate, null) ?? null, findings: [], doubts };
  };
  const lastOf = remember((): Last => ({ compared: undefined, isAlone: false, features: NOTHING }), CANDIDATES);
  return {
    trees: grown?.name ?? null,
    featuresOf({ candidate, reference, description }, format) {
      const last = lastOf(candidate);
      const isAlone = format === "nl";
      const compared = isAlone ? (stubOf(description!, candidate) ?? "") : reference!;
      if (last.compared !== compared || last.isAlone !== isAlone) {
        Object.assign(last, { compared, isAlone, features: (isAlone ? lookAlone : look)(candidate, compared) });
      }
      return last.features;
    },
  };
}
