/**
 * NumPy arrays, pandas data frames and series as arguments. Inputs hold them as lists, and data frames as dictionaries of columns:
 * `[[1, 2], [3, 4]]`, `{'age': [31, 54], 'name': ['Ann', 'Bob']}`. The called expression makes arrays and frames of them (source.ts).
 */
export type ArrayKind = "array" | "frame" | "series";

export interface ArrayParameter {
  readonly name: string;
  readonly slot: number;
  readonly kind: ArrayKind;
}

export interface Arrays {
  readonly parameters: readonly ArrayParameter[];
  /** Whether the answer is what the arguments are after the call. */
  readonly after: boolean;
}
