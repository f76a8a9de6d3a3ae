import { describe, expect, it } from "vitest";
import type { StubRequest } from "../stub.ts";
import { run, said, serve, turnsOf, useFolder } from "./patched.ts";

useFolder();

/** Answers a question with a text that contains it. Writes the same question for the first answer, but another one for the later turn. */
const react = (request: StubRequest) => {
  const text = said(request);
  const [, response] = /<response>\n([\s\S]*)\n<\/response>/.exec(text) ?? [];
  if (response !== undefined) return { texts: [response === "answer to First." ? "First." : "Something else."] };
  return { texts: [`answer to ${text}`] };
};

describe("turns after the first", () => {
  const rows = [{ question_id: 81, turns: ["First.", "Second."] }];

  it("are asked once the model has answered the ones before, each question once", async () => {
    const stub = await serve(react);
    const { summary, samples } = await run(rows);
    const questions = stub.requests.filter((one) => !said(one).includes("<response>")).map(turnsOf);
    const roles = questions.map((turns) => turns.map(({ role }) => role[0]).join(""));
    expect(roles.sort()).toEqual(["u", "u", "u", "uau"]); // both first questions, both ways back
    const [long] = questions.filter((turns) => turns.length === 3);
    expect(long!.map(({ content }) => content)).toEqual(["First.", "answer to First.", "Second."]);
    expect(samples.map(({ task_id, reference, candidate }) => [task_id, reference, candidate])).toEqual([
      ["81", "answer to First.", "answer to First."],
      ["81/2", "answer to Second.", "answer to Something else."],
    ]);
    expect(samples[1]!.shown!.query).toBe("[user]\nFirst.\n\n[assistant]\nanswer to First.\n\n[user]\nSecond.");
    expect(summary.similarities[0]!.rtc!.value).toBe(0.5);
    const asked = stub.requests.length;
    await run(rows);
    expect(stub.requests).toHaveLength(asked); // everything is in the recording
  });

  it("are missing where the answer before is, and a patchflow leaves them out", async () => {
    await serve((request) => (said(request) === "First." ? { status: 400 } : react(request)));
    await expect(run(rows)).rejects.toThrow("no round trip succeeded; response of 81");
    await serve(react);
    const code = [{ question_id: 81, turns: ["First.", "Second."], before: "x" }];
    const { summary } = await run(code, { patchflow: "code" });
    expect(summary.skipped).toEqual([
      { task_id: "81/2", reason: "a patchflow accepts only one turn; this query has several" },
    ]);
  });
});
