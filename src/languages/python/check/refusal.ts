/** Why Python refuses a program, in a few words, and the offset in the source; null if no single place is at fault. */
export interface Refusal {
  readonly at: number | null;
  readonly why: string;
}
