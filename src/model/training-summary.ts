/** A model's training data and recipe, for its model card: `training.json` in its folder. */
export interface TrainingSummary {
  /** The weights' licence, as the hub writes it (`mit`). */
  readonly license?: string;
  /** How it was trained, and the results of other seeds, in a sentence or two. */
  readonly recipe?: string;
  readonly data?: readonly {
    readonly name: string;
    readonly rows?: number;
    readonly license?: string;
  }[];
}
