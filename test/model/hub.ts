/** A server that behaves like the Hugging Face hub: HEAD and GET of `resolve`, with large files on another server. */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export const COMMIT = "5604afdc964f6c53782a6813140ade5216b99006";
export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

export interface HubFile {
  readonly bytes: Buffer;
  /** Stored on the other server with a hash, like files in Git LFS. */
  readonly large?: boolean;
  /** The hash that the hub reports. @default the right one */
  readonly sha256?: string;
}

export interface FakeHub {
  readonly url: string;
  /** "METHOD /path", with the relevant headers. */
  readonly asked: { request: string; authorization: string | undefined; range: string | undefined }[];
  readonly files: Map<string, HubFile>;
  /** Connections for large files drop after this many bytes of each answer; null: never. */
  cutAt: number | null;
}

/** Serves `owner/name`, whose `main` is `COMMIT`. Small files are redirected within the hub, like those of renamed models. */
export async function startHub(files: Record<string, HubFile>, token?: string): Promise<FakeHub> {
  const hub = {
    url: "",
    asked: [] as FakeHub["asked"],
    files: new Map(Object.entries(files)),
    cutAt: null as number | null,
  };
  const note = ({ method, url, headers }: IncomingMessage): void => {
    hub.asked.push({ request: `${method} ${url}`, authorization: headers.authorization, range: headers.range });
  };
  const elsewhere = await listen((request, response) => {
    note(request);
    const { bytes } = hub.files.get(request.url!.slice(1))!;
    send(request, response, bytes, hub.cutAt);
  });
  hub.url = await listen((request, response) => {
    note(request);
    const fail = (status: number, code: string): void =>
      void response.writeHead(status, { "X-Error-Code": code }).end();
    const [, name, revision, path] = /^\/([^/]+\/[^/]+)\/(?:resolve|cache)\/([^/]+)\/(.+)$/.exec(request.url!) ?? [];
    if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) return fail(401, "GatedRepo");
    if (name !== "owner/name") return fail(401, "RepoNotFound");
    if (revision !== "main" && revision !== COMMIT) return fail(404, "RevisionNotFound");
    response.setHeader("X-Repo-Commit", COMMIT);
    const file = hub.files.get(path!);
    if (file === undefined) return fail(404, "EntryNotFound");
    if (file.large) {
      response.setHeader("X-Linked-Etag", `"${file.sha256 ?? sha256(file.bytes)}"`);
      response.setHeader("X-Linked-Size", file.bytes.length);
      response.writeHead(302, { Location: `${elsewhere}/${path}` }).end();
    } else if (request.url!.includes("/resolve/")) {
      response.writeHead(307, { Location: request.url!.replace("/resolve/", "/cache/") }).end();
    } else send(request, response, file.bytes, null);
  });
  return hub;
}

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function send(request: IncomingMessage, response: ServerResponse, bytes: Buffer, cutAt: number | null): void {
  const etag = `"${sha256(bytes).slice(0, 40)}"`;
  const from =
    request.headers["if-range"] === etag ? Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1]) : 0;
  const body = bytes.subarray(from);
  const range = from > 0 ? { "Content-Range": `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {};
  response.writeHead(from > 0 ? 206 : 200, { ETag: etag, "Content-Length": body.length, ...range });
  if (request.method === "HEAD") response.end();
  else if (cutAt === null || body.length <= cutAt) response.end(body);
  else response.write(body.subarray(0, cutAt), () => setTimeout(() => response.destroy(), 300)); // after it was received
}
