/** The share of the real data that the slow suites use: every n-th item. `CODESCORE_EVERY=1` uses all, which takes an hour or more. */
export const every = (usual: number): number => Number(process.env.CODESCORE_EVERY ?? usual);
