import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { failureOf, question, startProxy } from "./proxied.ts";

describe("an upstream call that is given up", () => {
  it("is aborted when the client goes away before the answer", async () => {
    const { client, stub } = await startProxy(() => "hang");
    const leaving = new AbortController();
    const asked = client("/v1").chat.completions.create(question("pear"), { signal: leaving.signal });
    await expect.poll(() => stub.raw.length).toBe(1);
    leaving.abort();
    await expect(asked).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    await expect.poll(() => stub.raw[0]!.aborted).toBe(true);
  });

  it("makes room for those that wait; beyond them clients get 429", async () => {
    const { client, stub, url } = await startProxy((_, i) => (i === 0 ? "hang" : { texts: ["fine"] }), {
      concurrency: 1,
      waiting: 1,
    });
    const leaving = new AbortController();
    const first = failureOf(client("/v1").chat.completions.create(question("pear"), { signal: leaving.signal }));
    await expect.poll(() => stub.raw.length).toBe(1);
    const second = client("/v1").chat.completions.create(question("pear"));
    const waiting = async () =>
      /codescore_upstream_waiting (\d+)/.exec(await (await fetch(`${url}/metrics`)).text())![1];
    await expect.poll(waiting).toBe("1");
    const third = await failureOf(client("/v1").chat.completions.create(question("pear")));
    expect(third).toBeInstanceOf(OpenAI.RateLimitError);
    expect(third).toMatchObject({ type: "rate_limit_error", code: "busy" });
    expect((third as InstanceType<typeof OpenAI.APIError>).headers!.get("retry-after")).toBe("1");
    leaving.abort();
    await first;
    expect((await second).choices[0]!.message.content).toBe("fine");
    expect(await waiting()).toBe("0");
  });
});

describe("many clients at once", () => {
  it("get their own answers, streamed or not", async () => {
    const { client, stub } = await startProxy(
      ({ body }) => {
        const said = (body.messages as { content: string }[]).at(-1)!.content;
        if (!body.stream) return { texts: [said] };
        const chunk = { choices: [{ index: 0, delta: { content: said } }] };
        return { pieces: [`data: ${JSON.stringify(chunk)}\n\n`, "data: [DONE]\n\n"] };
      },
      { concurrency: 5 },
    );
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const asked = question(`pear-${i}`);
        if (i % 2 === 0) return (await client("/v1").chat.completions.create(asked)).choices[0]!.message.content;
        let text = "";
        for await (const chunk of await client("/v1").chat.completions.create({ ...asked, stream: true })) {
          text += chunk.choices[0]!.delta.content;
        }
        return text;
      }),
    );
    expect(answers).toEqual(answers.map((_, i) => `name it pear-${i}`));
    expect(stub.peak()).toBeLessThanOrEqual(5);
  });
});
