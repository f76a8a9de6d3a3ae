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
    .argument("<set>", "which one")
    .option("--output <folder>", "where its files go", "datasets")
    .option(
      "--base-url <url>",
      "a mirror that serves the files (default: CODESCORE_DATASETS_URL, else the authors' places)",
    )
    .option("--sha256 <hash>", "what the file must hash to (default: what FILE.sha256 says, if it is there)", sha256)
    .addHelpText(
      "after",
      `
An interrupted download goes on when the same call is made again. The authors publish no checksums: the first download's
SHA-256 is written to FILE.sha256, and later ones must agree with it.

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
    const how = { pinned: "as asked for", recorded: "as recorded", first: "recorded now, checked against nothing" }[
      checked
    ];
    process.stderr.write(`${kept ? "kept" : "wrote"} ${path}: SHA-256 ${hash} (${how})\n`);
  }
}

function sha256(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text;
  throw new InvalidArgumentError(`Expected 64 hexadecimal digits, got \`${text}\`.`);
}
