/**
 * The ensemble behind a score: the network, if it has a share, the rule (`metrics/static/rule.ts`, which learns nothing), and trees on
 * features of the programs (`trees/`). Loaded only for models that use it, so that a scorer with the network alone starts faster.
 */
import { DESCRIPTION } from "../metrics/static/returns.ts";
import type { Ruled } from "../metrics/static/rule.ts";
import type { UniceConfig } from "../model/unice.ts";
import type { Judged } from "../trees/index.ts";
import type { Finding, InputFormat, ScoreInput } from "../types.ts";
import { remember } from "../util/remember.ts";
import { stubOf } from "./stub.ts";

/** What is visible in a candidate next to its reference, or next to a stub made from its description. With a stub, the rule is null. */
type Seen = Pick<Ruled, "answers" | "raises"> & { readonly rule: number | null };

/** The outputs of the rule and the trees for a row. */
export interface Features {
  readonly ruled: Seen | null;
  /** Output of the trees: zeros if the gate sees that the candidate fails, null without trees or if a program cannot be read. */
  readonly judged: Judged | null;
  /** Faults that certainly make the candidate fail. */
  readonly findings: readonly Finding[];
  /** Suspicions that lower the score but prove nothing, such as a single operator that differs from the reference. */
  readonly doubts: readonly Finding[];
}

/** Combines the parts into one score. */
export interface Ensemble {
  /** The part of the signature, such as `|rule:...`. Empty in formats in which the network is alone. */
  partOf(format: InputFormat | "auto"): string;
  /** Combines the network's outputs, null if it has no share, and the features into one score. */
  join(network: Judged | null, features: Pick<Features, "ruled" | "judged">): Judged;
}

type Weights = Pick<UniceConfig, "rule" | "trees">;

/** Stands for the learned parts if the trees cannot read a program and the network has no share. */
const UNKNOWN: Judged = { score: 0.5, exec: 0.5 };

/** @param grown name of the trees, null if there are none */
export function ensembleOf({ rule, trees }: Weights, grown: string | null): Ensemble {
  const treePart = grown === null ? "" : `|trees:${trees}@${grown}`;
  const rulePart = rule === 0 ? "" : `|rule:${rule}|answers:on|attributes:on|conflicts:on|edits:on`;
  /** The trees' share of the weight that the rule leaves. */
  const ofRest = trees / (1 - rule);
  const mix = (network: Judged | null, judged: Judged | null): Judged | null => {
    if (network === null || judged === null) return network ?? judged;
    const of = (key: keyof Judged): number => (1 - ofRest) * network[key] + ofRest * judged[key];
    return { score: of("score"), exec: of("exec") };
  };
  return {
    partOf: (format) => (format === "nl" ? (rule === 0 ? "" : "|stub:on") : rulePart) + treePart,
    join(network, { ruled, judged }) {
      const learned = mix(network, judged);
      const { score, exec } = learned ?? UNKNOWN;
      if (ruled === null) return { score, exec };
      const seen = score * ruled.answers;
      const both = ruled.rule === null ? seen : (1 - rule) * seen + rule * ruled.rule;
      return {
        score: learned === null ? (ruled.rule ?? seen) : both,
        exec: ruled.raises ? 0 : exec,
      };
    },
  };
}

/** Computes the features of the rule and the trees. */
export interface FeatureReader {
  /** The name of the trees, null if there are none. A calibration belongs to the trees as well as to the network. */
  readonly trees: string | null;
  featuresOf(input: ScoreInput, format: InputFormat): Features;
}

/** The last features of a candidate, and the reference or stub they were computed with. */
interface Last {
  readonly compared: string | undefined;
  readonly isAlone: boolean;
  readonly features: Features;
}

const NOTHING: Features = { ruled: null, judged: null, findings: [], doubts: [] };
const FAILS: Judged = { score: 0, exec: 0 };

const BROKEN_REFERENCE: Finding = { line: null, what: "Python cannot compile the reference; fix it or use another" };

/** Total characters of candidates in the cache. */
const CANDIDATES = 2 ** 20;

/** Null if the config gives all weight to the network. Throws the same errors as `readTrees` and `loadRule`. */
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
