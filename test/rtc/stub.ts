/** A local OpenAI-compatible server over real HTTP that fails on request. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

export interface StubRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  /** Empty if there is no body or it is not JSON. */
  readonly body: Record<string, unknown>;
}

/** The parts of a request that `StubRequest` leaves out. */
export interface RawRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Whether the client disconnected before the answer was complete. */
  aborted: boolean;
}

/** `texts`: the choices. `pieces`: the parts of a body, one after another. The strings are kinds of failure. */
export type Reaction =
  | { readonly texts: readonly (string | null)[]; readonly over?: Record<string, unknown> }
  | {
      readonly pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;
      readonly headers?: Record<string, string | string[]>;
      /** Whether the connection is cut after the last piece. */
      readonly cut?: boolean;
    }
  | { readonly status: number; readonly headers?: Record<string, string>; readonly text?: string }
  | "cut"
  | "refuse"
  | "hang"
  | "malformed";

export interface Stub {
  readonly url: string;
  /** Every request that arrived, in order. */
  readonly requests: StubRequest[];
  /** The same requests in raw form. */
  readonly raw: RawRequest[];
  /** The requests that were answered with choices. */
  readonly answered: StubRequest[];
  /** Maximum number of simultaneous requests. */
  readonly peak: () => number;
  close(): Promise<void>;
}

export async function startStub(
  react: (request: StubRequest, index: number) => Reaction | Promise<Reaction>,
): Promise<Stub> {
  const requests: StubRequest[] = [];
  const raw: RawRequest[] = [];
  const answered: StubRequest[] = [];
  let open = 0;
  let peak = 0;
  const server = createServer(async (incoming, outgoing) => {
    open += 1;
    peak = Math.max(peak, open);
    outgoing.on("close", () => {
      open -= 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const request: StubRequest = {
      path: incoming.url ?? "",
      authorization: incoming.headers.authorization,
      body: parsed(text),
    };
    requests.push(request);
    const seen: RawRequest = { method: incoming.method ?? "", headers: incoming.headers, text, aborted: false };
    raw.push(seen);
    outgoing.on("close", () => {
      seen.aborted = !outgoing.writableFinished;
    });
    const reaction = await react(request, requests.length - 1);
    if (reaction === "hang") return;
    if (reaction === "refuse") return void incoming.socket.destroy();
    if (reaction === "cut") {
      outgoing.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      return void outgoing.write('{"choices": [{"message', () => incoming.socket.destroy());
    }
    if (typeof reaction === "object" && "pieces" in reaction) return send(outgoing, reaction);
    if (reaction === "malformed") return void outgoing.end('{"choices": [');
    if ("status" in reaction) {
      outgoing.writeHead(reaction.status, reaction.headers);
      return void outgoing.end(reaction.text ?? '{"error": {"message": "as told"}}');
    }
    answered.push(request);
    const choices = reaction.texts.map((text, index) =>
      request.path.endsWith("/chat/completions")
        ? { index, message: { role: "assistant", content: text } }
        : { index, text },
    );
    outgoing.writeHead(200, { "content-type": "application/json" });
    outgoing.end(JSON.stringify({ choices, usage: { prompt_tokens: 10, completion_tokens: 3 }, ...reaction.over }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    raw,
    answered,
    peak: () => peak,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

async function send(outgoing: ServerResponse, { pieces, headers, cut }: Extract<Reaction, { pieces: unknown }>) {
  outgoing.writeHead(200, headers);
  await pipeline(Readable.from(pieces), outgoing, { end: !cut }).catch(() => {}); // the client disconnected
  if (cut) outgoing.write("", () => outgoing.socket?.destroy());
}
