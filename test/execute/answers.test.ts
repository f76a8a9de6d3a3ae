/** The answers of programs to inputs, without expected answers. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Executor } from "../../src/execute/index.ts";
import { openShared, sandboxes } from "./open.ts";

describe.each(sandboxes)("answers in %s", (sandbox) => {
  let executor: Executor;
  beforeAll(async () => {
    executor = await openShared(sandbox);
  });

  it("runs a list of inputs as it is now, for whichever function", async () => {
    const inputs = [{ args: "5" }];
    const of = async (entryPoint: string, setup = ""): Promise<unknown[]> => {
      const code = "def f(x): return x + k()\ndef g(x): return x\ndef k(): return 0";
      const answers = await executor.answers({ code, entryPoint, setup }, inputs);
      return answers.map((answer) => (answer.outcome === "ok" ? answer.text : answer.outcome));
    };
    const first = await of("f");
    expect(await of("g", "import math")).toEqual(first);
    inputs.push({ args: "6" });
    expect(await of("f")).toHaveLength(2);
    inputs[0] = { args: "7" };
    expect((await of("f"))[0]).not.toBe(first[0]);
  });
});
