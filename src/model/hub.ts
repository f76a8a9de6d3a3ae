/**
 * Downloads an encoder from the Hugging Face hub or a mirror into the cache: config, tokenizer and weights of one commit. Source:
 * huggingface_hub's file_download.py, `get_hf_file_metadata` (the headers of HEAD requests).
 */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { CodescoreError } from "../errors.ts";
import { cacheFolder } from "../util/cache.ts";
import { download, fileHash } from "../util/download.ts";
import { exists } from "../util/files.ts";
import { listening, persist, type RetryOptions, refuse } from "../util/http.ts";
import { readEncoderConfig, WEIGHT_FILES } from "./import.ts";
import { TOKENIZER_FILES } from "./import-vocabulary.ts";

export interface HubOptions extends RetryOptions {
  /** A branch, tag or commit. @default main */
  readonly revision?: string;
  /** Base URL of the hub or mirror. @default HF_ENDPOINT, otherwise https://huggingface.co */
  readonly endpoint?: string;
  /** Access token for private and gated models. @default HF_TOKEN */
  readonly token?: string;
  /** Folder for the files. @default `hub` in the cache folder */
  readonly cache?: string;
  readonly onProgress?: (file: string, bytes: number, total: number | null) => void;
}

interface Repository {
  /** owner/name */
  readonly name: string;
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly options: HubOptions;
}

/** What the hub reports about a file before the download. */
interface Remote {
  readonly file: string;
  readonly commit: string;
  readonly size: number | null;
  /** Null unless the file is large: the hub reports it for large files only. */
  readonly sha256: string | null;
}

/** Files that may accompany a tokenizer of vocabulary and merges. */
const BESIDE_VOCABULARY = ["added_tokens.json", "special_tokens_map.json", "tokenizer_config.json"] as const;

const MOST_REDIRECTS = 5;

/**
 * The folder of an encoder: `source` itself if it exists, otherwise the model of that name on the hub, downloaded. Throws
 * `CodescoreError("environment")` if the hub cannot be reached or does not have the model, `CodescoreError("model")` if its architecture is
 * not supported, and `CodescoreError("input")` if the bytes differ from the hub's.
 */
export async function encoderFolder(source: string, options: HubOptions = {}): Promise<string> {
  if (await exists(source)) {
    if (options.revision === undefined) return source;
    throw new CodescoreError("usage", `${source} is a local folder; only models on the hub have revisions`);
  }
  if (!/^[a-z0-9][\w.-]*\/[a-z0-9][\w.-]*$/i.test(source)) {
    throw new CodescoreError("usage", `expected a folder, or a model on the hub as owner/name, got \`${source}\``);
  }
  const endpoint = options.endpoint ?? (process.env.HF_ENDPOINT || "https://huggingface.co");
  if (!URL.canParse(endpoint))
    throw new CodescoreError("usage", `expected HF_ENDPOINT to be a URL, got \`${endpoint}\``);
  const token = options.token ?? process.env.HF_TOKEN;
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  return fetchEncoder({ name: source, endpoint: endpoint.replace(/\/+$/, ""), headers, options });
}

async function fetchEncoder(repository: Repository): Promise<string> {
  const { name, options } = repository;
  const { revision = "main", cache = join(cacheFolder(), "hub") } = options;
  const config = await look(repository, "config.json", revision);
  if (config === null) throw absent(repository, "it has no config.json");
  const { commit } = config;
  const folder = join(cache, name.replace("/", "--"), commit);
  await get(repository, config, folder);
  await readEncoderConfig(folder); // fails before half a gigabyte is downloaded
  const tokenizer = await getFirst(repository, TOKENIZER_FILES, commit, folder);
  for (const file of tokenizer.length > 1 ? BESIDE_VOCABULARY : []) {
    const remote = await look(repository, file, commit);
    if (remote !== null) await get(repository, remote, folder);
  }
  const weights = WEIGHT_FILES.map((file) => [file]);
  await getFirst(repository, weights, commit, folder);
  return folder;
}

/** Downloads the first of the file sets that is complete in the repository. */
async function getFirst<T extends readonly string[]>(
  repository: Repository,
  sets: readonly T[],
  commit: string,
  folder: string,
): Promise<T> {
  for (const set of sets) {
    const remotes: Remote[] = [];
    for (const file of set) {
      const remote = await look(repository, file, commit);
      if (remote !== null) remotes.push(remote);
    }
    if (remotes.length < set.length) continue;
    for (const remote of remotes) await get(repository, remote, folder);
    return set;
  }
  throw absent(repository, `it has no ${sets.map((set) => set.join(" with ")).join(" and no ")}`);
}

/** Downloads a file, unless it is already there with the hub's size and hash. */
async function get(repository: Repository, { file, commit, size, sha256 }: Remote, folder: string): Promise<void> {
  const path = join(folder, file);
  const kept = await stat(path).catch(() => null);
  const whole = kept !== null && (size === null || kept.size === size);
  if (whole && (sha256 === null || (await fileHash(path)) === sha256)) return;
  const { headers, options } = repository;
  await download(urlOf(repository, file, commit), path, {
    ...options,
    headers,
    ...(size === null ? {} : { size }),
    ...(sha256 === null ? {} : { sha256 }),
    onProgress: (bytes, total) => options.onProgress?.(file, bytes, total),
  });
}

const urlOf = ({ endpoint, name }: Repository, file: string, revision: string): string =>
  `${endpoint}/${name}/resolve/${encodeURIComponent(revision)}/${file}`;

/** Asks the hub about a file. Null if the repository does not have it. */
function look(repository: Repository, file: string, revision: string): Promise<Remote | null> {
  const { options } = repository;
  const url = urlOf(repository, file, revision);
  const failure = `cannot request ${url} (to import without the hub, pass a folder with the model's files)`;
  return persist(failure, options, () => listening(options, (signal) => head(repository, file, url, signal)));
}

async function head(repository: Repository, file: string, url: string, signal: AbortSignal): Promise<Remote | null> {
  const headers = { ...repository.headers, "Accept-Encoding": "identity", "User-Agent": "codescore" };
  const linked: Record<string, string | null> = { "x-repo-commit": null, "x-linked-etag": null, "x-linked-size": null };
  for (let at = new URL(url), redirects = 0; ; redirects++) {
    const response = await fetch(at, { method: "HEAD", redirect: "manual", headers, signal });
    for (const name of Object.keys(linked)) linked[name] ??= response.headers.get(name);
    // A large file is stored on another host, but its hash is in this response. So only redirects within the hub are followed.
    const next = new URL(response.headers.get("location") ?? "", at);
    const redirected = response.status >= 300 && response.status < 400;
    if (redirected && next.origin === at.origin && redirects < MOST_REDIRECTS) {
      at = next;
      continue;
    }
    if (!redirected && !response.ok) return await noRemote(repository, url, response);
    const { "x-repo-commit": commit, "x-linked-etag": etag, "x-linked-size": size } = linked;
    if (!commit) {
      const said = `the answer of ${url} has no header X-Repo-Commit, so it is not from the hub`;
      throw new CodescoreError("environment", `${said}; check HF_ENDPOINT, or the network's login page`);
    }
    const length = size ?? (redirected ? null : response.headers.get("content-length"));
    const sha256 = /^"?([0-9a-f]{64})"?$/i.exec(etag ?? "")?.[1] ?? null;
    return { file, commit, size: length === null ? null : Number(length), sha256 };
  }
}

/** Null if only the file is missing. Throws otherwise. */
async function noRemote(repository: Repository, url: string, response: Response): Promise<null> {
  const code = response.headers.get("x-error-code");
  if (response.status === 404 && (code === null || code === "EntryNotFound")) return null;
  if ([401, 403, 404].includes(response.status)) {
    throw absent(repository, `the server answered ${response.status}${code === null ? "" : ` ${code}`}`);
  }
  return await refuse(`cannot request ${url}`, response);
}

function absent({ name, endpoint, options, headers }: Repository, why: string): CodescoreError {
  const token = "Authorization" in headers ? "that HF_TOKEN opens it" : "that it is public (else set HF_TOKEN)";
  return new CodescoreError(
    "environment",
    `${endpoint} has no encoder ${name} at revision ${options.revision ?? "main"}: ${why}; check the name, the revision and ${token}; there is no folder ${name} here either`,
  );
}
