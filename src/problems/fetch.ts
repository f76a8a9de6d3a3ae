/**
 * Fetches public problem sets from where their authors publish them. The authors give no checksums. So the SHA-256 of the first
 * download is stored beside the file (`FILE.sha256`, in the format of `sha256sum`), and later downloads must match it, or the
 * hash that the caller gives.
 */
import { readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { CodescoreError } from "../errors.ts";
import { type DownloadOptions, download, fileHash } from "../util/download.ts";
import { exists, writeAtomic } from "../util/files.ts";
import { streamProblems } from "./problems.ts";

interface RemoteFile {
  /** Path relative to the output folder, and to a mirror's base URL. */
  readonly path: string;
  readonly url: string;
}

/** The sets by name. `readProblems` can read every file. */
export const DATASETS: Readonly<Record<string, readonly RemoteFile[]>> = {
  humaneval: [
    { path: "HumanEval.jsonl.gz", url: "https://github.com/openai/human-eval/raw/master/data/HumanEval.jsonl.gz" },
  ],
  mbpp: [{ path: "mbpp.jsonl", url: "https://github.com/google-research/google-research/raw/master/mbpp/mbpp.jsonl" }],
  "mbpp-sanitized": [
    {
      path: "sanitized-mbpp.json",
      url: "https://github.com/google-research/google-research/raw/master/mbpp/sanitized-mbpp.json",
    },
  ],
  // The hub's rows instead of the authors' APPS.tar.gz, because they can be read without unpacking.
  apps: ["train", "test"].map((split) => ({
    path: `apps/${split}.jsonl`,
    url: `https://huggingface.co/datasets/codeparrot/apps/resolve/main/${split}.jsonl`,
  })),
  humanevalplus: [
    {
      path: "HumanEvalPlus.jsonl.gz",
      url: "https://github.com/evalplus/humanevalplus_release/releases/download/v0.1.10/HumanEvalPlus.jsonl.gz",
    },
  ],
  mbppplus: [
    {
      path: "MbppPlus.jsonl.gz",
      url: "https://github.com/evalplus/mbppplus_release/releases/download/v0.2.0/MbppPlus.jsonl.gz",
    },
  ],
};

export interface FetchOptions {
  /** The output folder. */
  readonly output: string;
  /** Base URL of a mirror that serves the files under their `path`. @default the authors' URLs */
  readonly baseUrl?: string;
  /** Expected SHA-256 of the file. Only for sets of one file. */
  readonly sha256?: string;
  readonly download?: Pick<DownloadOptions, "attempts" | "pauseMs" | "silenceMs" | "onRetry">;
  readonly onProgress?: (file: string, bytes: number, total: number | null) => void;
}

export interface Fetched {
  readonly path: string;
  readonly sha256: string;
  /** What the hash was checked against: the caller's, the recorded one, or nothing (`first`: now recorded). */
  readonly checked: "pinned" | "recorded" | "first";
  /** Whether the file existed already, so that nothing was downloaded. */
  readonly kept: boolean;
}

/**
 * Fetches the files of a set. Existing files with the right hash are kept. Throws `CodescoreError("environment")` if a server cannot be reached,
 * `CodescoreError("input")` if a file has the wrong hash or holds no problems, `CodescoreError("usage")` for an unknown name.
 */
export async function fetchDataset(name: string, options: FetchOptions): Promise<Fetched[]> {
  const files = Object.hasOwn(DATASETS, name) ? DATASETS[name] : undefined;
  if (files === undefined) {
    throw new CodescoreError("usage", `expected one of ${Object.keys(DATASETS).join(", ")}, got \`${name}\``);
  }
  if (options.sha256 !== undefined && files.length > 1) {
    throw new CodescoreError("usage", `${name} has ${files.length} files, and a SHA-256 is for one file`);
  }
  const fetched: Fetched[] = [];
  for (const file of files) fetched.push(await fetchFile(file, options));
  return fetched;
}

async function fetchFile(file: RemoteFile, options: FetchOptions): Promise<Fetched> {
  const path = join(options.output, file.path);
  const url = options.baseUrl === undefined ? file.url : `${options.baseUrl.replace(/\/+$/, "")}/${file.path}`;
  const recorded = await readRecord(path);
  const wanted = options.sha256?.toLowerCase() ?? recorded;
  const checked = options.sha256 !== undefined ? "pinned" : recorded !== null ? "recorded" : "first";
  if (await exists(path)) {
    const sha256 = await fileHash(path);
    if (wanted !== null && sha256 !== wanted) {
      throw new CodescoreError(
        "input",
        `${path}: expected SHA-256 ${wanted} (${origin(checked, path)}), got ${sha256}; remove the file to download it again`,
      );
    }
    await record(path, sha256);
    return { path, sha256, checked, kept: true };
  }
  const sha256 = await download(url, path, {
    ...options.download,
    ...(wanted === null ? {} : { sha256: wanted }),
    onProgress: (bytes, total) => options.onProgress?.(file.path, bytes, total),
  }).catch((error: unknown) => {
    if (!(error instanceof CodescoreError) || error.code === "usage") throw error;
    const hint =
      error.code === "environment"
        ? `; or save the file as ${path} yourself, or name a mirror (--base-url)`
        : wanted === recorded && recorded !== null
          ? `; the file differs from the earlier download (${path}.sha256): delete that record to accept the new file`
          : "";
    throw new CodescoreError(error.code, `${error.message}${hint}`, { cause: error });
  });
  await checkReadable(path, url);
  await record(path, sha256);
  return { path, sha256, checked, kept: false };
}

const origin = (checked: Fetched["checked"], path: string): string =>
  checked === "pinned" ? "as given" : `recorded in ${path}.sha256`;

/** Deletes a download that holds no problems, for example a login page, and throws. Reads only the first problem. */
async function checkReadable(path: string, url: string): Promise<void> {
  let why = "it is empty";
  try {
    for await (const _ of streamProblems([path])) return;
  } catch (error) {
    if (!(error instanceof CodescoreError)) throw error;
    why = error.message;
  }
  await rm(path, { force: true });
  throw new CodescoreError("input", `${url} is not a problem set (${why}); the download was deleted`);
}

async function readRecord(path: string): Promise<string | null> {
  const text = await readFile(`${path}.sha256`, "utf8").catch(() => null);
  if (text === null) return null;
  const hash = /^([0-9a-f]{64})\b/i.exec(text)?.[1];
  if (hash === undefined) throw new CodescoreError("input", `${path}.sha256: expected a SHA-256 in hexadecimal`);
  return hash.toLowerCase();
}

const record = (path: string, sha256: string): Promise<void> =>
  writeAtomic(`${path}.sha256`, `${sha256}  ${basename(path)}\n`);
