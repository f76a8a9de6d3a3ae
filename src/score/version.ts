/**
 * The `v:` of a signature: the version of the way scores are computed from a model's outputs. It changes when the same model gives other
 * scores, not with each release. Scores of two releases are comparable if their signatures are equal.
 */
export const SCORES_VERSION = "0.1.0";
