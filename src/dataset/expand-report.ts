/** The report of an expansion: its place, and what it says of the origin of inputs. */

/** Sources of a problem's first inputs, in the order in which a manifest counts them. `none`: no input was found. */
export const INPUTS_FROM = ["tests", "examples", "annotations", "trial", "none"] as const;

/** The report of a file of expanded problems: an `ExpansionReport` per problem, by its id. */
export const reportPath = (out: string): string => `${out}.report.json`;
