/** What a model has seen, for its card: `training.json` of its folder. */
export interface TrainingSummary {
  /** The weights' licence, as the hub writes it (`mit`). */
  readonly license?: string;
  /** How it was trained, and what other seeds gave, in a sentence or two. */
  readonly recipe?: string;
  readonly data?: readonly {
    readonly name: string;
    readonly rows?: number;
    readonly license?: string;
  }[];
}
