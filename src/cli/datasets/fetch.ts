/** `codescore datasets fetch`: downloads public problem sets. */
import { Command, InvalidArgumentError } from "commander";

interface Options {
  readonly output: string;
  readonly baseUrl?: string;
  readonly sha256?: string;
}

export const fetchVerb = (): Command =>
  new Command("fetch")
    .description("download a public problem set: humaneval, mbpp, mbpp-sanitized, apps, humanevalplus or mbppplus")
    .argument("<set>", "name of the set")
    .option("--output <folder>", "folder for the files", "datasets")
    .option("--base-url <url>", "a mirror of the files (default: CODESCORE_DATASETS_URL, else the authors' sites)")
    .option("--sha256 <hash>", "expected SHA-256 of the file (default: from FILE.sha256, if there is one)", sha256)
    .addHelpText(
      "after",
      `
To resume a stopped download, repeat the command. The authors publish no checksums. The first download writes its SHA-256
to FILE.sha256; later downloads must match it.

Examples:
  $ codescore datasets fetch humaneval
  $ codescore datasets fetch apps --output data
  $ codescore datasets fetch mbpp --base-url http://mirror.local/codescore`,
    )
    .action(run);

async function run(
  set: string,
  { output, baseUrl = process.env.CODESCORE_DATASETS_URL, sha256 }: Options,
): Promise<void> {
  const { fetchDataset } = await import("../../problems/index.ts");
  const { downloadBar } = await import("./download-bar.ts");
  const bar = downloadBar();
  const fetched = await fetchDataset(set, {
    output,
    ...(baseUrl ? { baseUrl } : {}),
    ...(sha256 === undefined ? {} : { sha256 }),
    download: { onRetry: (message) => process.stderr.write(`${message}\n`) },
    onProgress: bar.onProgress,
  }).finally(bar.done);
  for (const { path, sha256: hash, checked, kept } of fetched) {
    const how = { pinned: "as given", recorded: "as recorded", first: "recorded now, not verified" }[checked];
    process.stderr.write(`${kept ? "kept" : "wrote"} ${path}: SHA-256 ${hash} (${how})\n`);
  }
}

function sha256(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text;
  throw new InvalidArgumentError(`Expected 64 hexadecimal digits, got \`${text}\`.`);
}
