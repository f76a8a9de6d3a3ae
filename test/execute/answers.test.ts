/** The answers of programs to inputs, without expected answers. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Executor } from "../../src/execute/index.ts";
import type { ProgramInput } from "../../src/types.ts";
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

  it("does not charge a call for the modules of the standard library that it imports", async () => {
    const code =
      "def f(x):\n    import http.client as h, json\n    from xml.dom import minidom\n    return x, h.OK.value, minidom.Node.TEXT_NODE\n";
    const program = { code, entryPoint: "f", setup: "" };
    const answers = await executor.answers(program, [{ args: "1" }, { args: "2" }], 0.02, 1);
    expect(answers.map((answer) => (answer.outcome === "ok" ? answer.text : answer.outcome))).toEqual([
      '["t",[1,200,3]]',
      '["t",[2,200,3]]',
    ]);
    const own = "import random\ndef f(x):\n    import uuid, nowhere.at_all\n    return random.random()\n";
    const [answer] = await executor.answers({ code: own, entryPoint: "f", setup: "" }, [{ args: "1" }], 1, 1);
    expect(answer).toMatchObject({ outcome: "error", errorType: "ModuleNotFoundError" });
  });

  it("gives up on a program after three ended processes, but never on one that reads standard input", async () => {
    const crash = "import ctypes\n  ctypes.string_at(0xfffffff0, 10)";
    const outcomes = async (code: string, inputs: readonly ProgramInput[]): Promise<string> => {
      const entryPoint = "args" in inputs[0]! ? "f" : null;
      const answers = await executor.answers({ code, entryPoint, setup: "" }, inputs, 1, 1);
      return answers.map(({ outcome }) => (outcome === "ok" ? "+" : "-")).join("");
    };
    const numbers = [1, 2, 3, 4, 5, 6];
    const call = `def f(x):\n if x % 2:\n  ${crash}\n return x`;
    const calls = numbers.map((n) => ({ args: `${n}` }));
    expect(await outcomes(call, calls)).toBe("-+-+--");
    expect(await outcomes(`if 1:\n  ${crash}\n${call}`, calls)).toBe("------");
    const texts = numbers.map((n) => ({ stdin: `${n}\n` }));
    expect(await outcomes(`x = int(input())\nif x < 5:\n  ${crash}\nprint(x)`, texts)).toBe("----++");
  });
});
