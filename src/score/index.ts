/** Scoring: loads a model folder and scores rows, offline. */
export { findModel } from "./model.ts";
export { type ScoreRow, toScoreRow } from "./rows.ts";
export { CodeScorer, type RowOptions, type ScoreError, type ScoreResult, type ScorerOptions } from "./scorer.ts";
