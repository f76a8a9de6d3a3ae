/**
 * The `v:` of a signature: how scores are made of what a model computes. It changes where the same model gives other scores, and not with
 * each release, so scores of two releases can be compared where their signatures are equal.
 */
export const SCORES_VERSION = "0.1.0";
