/** Processor seconds of this process so far. Unlike the clock, they do not depend on what else runs on the machine. */
export const cpuS = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
