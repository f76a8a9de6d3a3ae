import OpenAI from "openai";
import { describe, expect, it, vi } from "vitest";
import { relay } from "../../src/server/relay.ts";
import { failureOf, nameIt, post, question, startProxy, upstreamKey } from "./proxied.ts";

const stars = "*".repeat(upstreamKey.length);
const paths = ["/v1/chat/completions", "/evaluate/v1/chat/completions"];
const body = JSON.stringify(question("pear"));

/** Everything written to stdout and stderr while `use` runs. */
async function logged(use: () => Promise<void>): Promise<string> {
  let text = "";
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((piece) => {
      text += piece;
      return true;
    }),
  );
  try {
    await use();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return text;
}

describe("the upstream's key", () => {
  it.each(paths)("is starred out wherever the upstream quotes it, on %s", async (path) => {
    const text = JSON.stringify({ error: { message: `no ${upstreamKey} here`, type: "t", param: null, code: null } });
    const { url } = await startProxy((_, i) => {
      if (i === 0) return { status: 400, text, headers: { "content-type": "application/json", "x-key": upstreamKey } };
      if (i === 1) return { status: 500, text: `not even JSON: ${upstreamKey}` };
      return { texts: [upstreamKey] };
    });
    const output = await logged(async () => {
      for (const status of [400, 500, 200]) {
        const response = await post(`${url}${path}`, body);
        expect(response.status).toBe(status);
        const all = `${await response.text()}${JSON.stringify([...response.headers])}`;
        expect(all).not.toContain(upstreamKey);
        if (status !== 200 || path === paths[0]) expect(all).toContain(stars);
      }
    });
    expect(output).not.toContain(upstreamKey);
  });

  it.each(paths)(
    "is the server's trouble when it is refused: 502, without the upstream's words, on %s",
    async (path) => {
      const text = '{"error": {"message": "Incorrect API key provided: sk-up****6789", "code": "invalid_api_key"}}';
      const { url } = await startProxy(() => ({ status: 401, text }));
      const response = await post(`${url}${path}`, body, { authorization: "Bearer client-key" });
      expect(response.status).toBe(502);
      expect(await response.json()).toMatchObject({
        error: { type: "server_error", message: expect.stringMatching(/rejected this server's key/) },
      });
    },
  );

  it.each(["/v1", "/evaluate/v1"] as const)("is the client's own where the server has none, on %s", async (base) => {
    const text = '{"error": {"message": "wrong key", "type": "t", "param": null, "code": "invalid_api_key"}}';
    const { stub, client } = await startProxy((_, i) => (i === 0 ? { status: 401, text } : { texts: ["It is x"] }), {
      apiKey: "",
    });
    const openai = client(base, { organization: "org-1", project: "p-1" });
    const thrown = await failureOf(openai.chat.completions.create(question("pear")));
    expect(thrown).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(thrown).toMatchObject({ code: "invalid_api_key" });
    await openai.chat.completions.create(question("pear"));
    expect(stub.requests.every(({ authorization }) => authorization === "Bearer client-key")).toBe(true);
    const sent = { "openai-organization": "org-1", "openai-project": "p-1" };
    expect(stub.raw.every(({ headers }) => Object.entries(sent).every(([k, v]) => headers[k] === v))).toBe(true);
  });

  it.each(["/v1", "/evaluate/v1"] as const)("is never the one that this server asks for, on %s", async (base) => {
    const { stub, client } = await startProxy(nameIt, { apiKey: "" }, { apiKey: "server-key" });
    const wrong = await failureOf(client(base).chat.completions.create(question("pear")));
    expect(wrong).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(wrong).toMatchObject({ code: "key", type: "authentication_error" });
    expect(stub.requests).toHaveLength(0);
    await client(base, { apiKey: "server-key" }).chat.completions.create(question("pear"));
    expect(stub.requests.length).toBeGreaterThan(0);
    expect(stub.requests.map(({ authorization }) => authorization)).not.toContain("Bearer server-key");
  });
});

describe("a relayed body", () => {
  const through = async (pieces: readonly string[], secret: string | null): Promise<string> => {
    const source = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const piece of pieces) controller.enqueue(Buffer.from(piece));
        controller.close();
      },
    });
    return new Response(relay(source, { secret, timeoutMs: 1000, done: () => {} })).text();
  };

  it("has the secret starred out however it is cut, and nothing else", async () => {
    const text = "abc aba ababc abcabc xxab";
    for (let size = 1; size <= text.length; size++) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
        text.slice(i * size, (i + 1) * size),
      );
      expect(await through(pieces, "abc"), `pieces of ${size}`).toBe("*** aba ab*** ****** xxab");
      expect(await through(pieces, null)).toBe(text);
    }
  });
});
