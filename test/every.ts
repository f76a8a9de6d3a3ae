/** How much of the real data the slow suites take: every so many. `CODESCORE_EVERY=1` takes all, which needs an hour. */
export const every = (usual: number): number => Number(process.env.CODESCORE_EVERY ?? usual);
