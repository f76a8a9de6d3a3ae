/** Peak speeds of cards, from their makers' data sheets. */

/** 1e12 float32 operations per second without tensor cores, which WebGPU's kernels cannot use. The first pattern that matches a name counts. */
const PEAKS: readonly (readonly [RegExp, number])[] = [
  [/GB200|B200/, 80],
  [/B100/, 60],
  [/GH200|H200|H100 80GB HBM3|H100 SXM/, 67],
  [/H100 NVL/, 60],
  [/H100/, 51], // PCIe
  [/A100/, 19.5],
  [/A10G/, 31.5],
  [/A10\b/, 31.2],
  [/A40\b/, 37.4],
  [/L40S/, 91.6],
  [/L40\b/, 90.5],
  [/L4\b/, 30.3],
  [/T4\b/, 8.1],
  [/V100/, 15.7],
  [/RTX 6000 Ada/, 91.1],
  [/RTX A6000/, 38.7],
  [/RTX 5090/, 104.8],
  [/RTX 4090/, 82.6],
  [/RTX 4080/, 48.7],
  [/RTX 3090/, 35.6],
  [/RTX 3080/, 29.8],
  [/MI300X/, 163.4],
];

/** Null for a card that is not in the list. */
export const peakTeraflops = (card: string): number | null =>
  PEAKS.find(([pattern]) => pattern.test(card))?.[1] ?? null;
