/** Names and meanings of the measures of chains, for the console, the page and the help (Min et al. 2024). */

/** Keyed by the names in tables. */
export const CHAIN_MEASURES = {
  SC: "self-consistency, the share of chains in which every program behaves as the one before on all inputs, up to this step",
  SSC: "strong self-consistency, the same, and the first program passes all tests",
  TOM: "Test Output Match, the share of inputs on which two programs give equal outputs, or equal errors",
  "P/F match": "pass/fail match, the share of pairs of programs that both pass the tests or both fail",
} as const;

const NAMES_IN_SUMMARY: Readonly<Record<string, string>> = { tom: "TOM", "pass/fail match": "P/F match" };

/** The name in tables of a measure or similarity in a summary's `agreement`. */
export const nameInTables = (name: string): string => NAMES_IN_SUMMARY[name] ?? name;

/** One line per measure. */
export const chainLegend = (names = Object.keys(CHAIN_MEASURES) as (keyof typeof CHAIN_MEASURES)[]): string[] =>
  names.map((name) => `${name}: ${CHAIN_MEASURES[name]}.`);
