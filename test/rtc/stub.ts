/** A local OpenAI-compatible server over real HTTP that misbehaves as it is told. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface StubRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Record<string, unknown>;
}

/** `texts` are the choices; the other words are ways to fail. */
export type Reaction =
  | { readonly texts: readonly (string | null)[] }
  | { readonly status: number; readonly headers?: Record<string, string>; readonly text?: string }
  | "cut"
  | "refuse"
  | "hang"
  | "malformed";

export interface Stub {
  readonly url: string;
  /** Every request that arrived, in order. */
  readonly requests: StubRequest[];
  /** Those answered with choices. */
  readonly answered: StubRequest[];
  /** The most requests that were open at a time. */
  readonly peak: () => number;
  close(): Promise<void>;
}

export async function startStub(
  react: (request: StubRequest, index: number) => Reaction | Promise<Reaction>,
): Promise<Stub> {
  const requests: StubRequest[] = [];
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
    const request: StubRequest = {
      path: incoming.url ?? "",
      authorization: incoming.headers.authorization,
      body: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>,
    };
    requests.push(request);
    const reaction = await react(request, requests.length - 1);
    if (reaction === "hang") return;
    if (reaction === "refuse") return void incoming.socket.destroy();
    if (reaction === "cut") {
      outgoing.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      return void outgoing.write('{"choices": [{"message', () => incoming.socket.destroy());
    }
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
    outgoing.end(JSON.stringify({ choices, usage: { prompt_tokens: 10, completion_tokens: 3 } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    answered,
    peak: () => peak,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
