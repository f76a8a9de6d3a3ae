import { expect, it } from "vitest";
import { commandsOf, withCommands } from "../../src/behaviour/commands.ts";
import { quotedCalls, quotedTexts } from "../../src/behaviour/quoted.ts";
import { readSignature } from "../../src/expand/index.ts";
import { Random } from "../../src/util/random.ts";

const calls = (reference: string, description: string): string[] =>
  quotedCalls({ reference, description, candidates: [] }, readSignature(reference, "f")!, new Random(0)).flatMap(
    (input) => ("args" in input ? [input.args] : []),
  );

it("reads texts in quotes, not from the quotes of a docstring to those inside", () => {
  expect(quotedTexts('"""Parse a duration like "1h30m" or "45s"."""')).toEqual(["1h30m", "45s"]);
});

it("calls functions of texts and lists of texts with them", () => {
  const text = "Compares versions such as \"1.10.2\" and '1.2-rc1'.";
  expect(calls("def f(a: str, b: str): ...", text)).toContain("'1.10.2', '1.2-rc1'");
  expect(calls("def f(lines: list[str]): ...", text).every((args) => args.startsWith("['1."))).toBe(true);
  expect(calls("def f(n: int): ...", text)).toEqual([]);
});

it("leaves out texts that the reference contains, and changes case if it ignores it", () => {
  expect(calls("def f(s: str):\n    return 'yes' if s else 'no'", "Returns 'yes' or 'no'.")).toEqual([]);
  expect(calls("def f(s: str):\n    return s.upper()", "Lines like 'a [Warn] b'")).toContain("'A [WARN] B'");
});

it("calls nothing without a reference, where texts in quotes may be answers", () => {
  const parameters = readSignature("def f(s: str): ...", "f")!;
  const task = {
    reference: null,
    description: "Returns 'even' or 'odd'.",
    candidates: ["def f(s: str):\n    return 'odd'"],
  };
  expect(quotedCalls(task, parameters, new Random(0))).toEqual([]);
});

const LEDGER = {
  reference: "import sys\nfor line in sys.stdin:\n    op, name = line.split()\n    print(op == 'deposit')\n",
  description: 'Each line is "deposit NAME" or "withdraw NAME".',
  candidates: [],
};
const SHOWN = [{ stdin: "deposit bob\nwithdraw al\n" }];

it("keeps the forms of lines with commands", () => {
  const commands = commandsOf(LEDGER, SHOWN);
  expect(commands).toEqual({ lines: ["deposit bob", "withdraw al"], isCounted: false });
  const changed = withCommands({ stdin: "dx bob\nwithdraw y\n\nwithdraw y 3\n1 deposit" }, commands, new Random(0));
  expect("stdin" in changed && changed.stdin).toMatch(
    /^(?:deposit bob|withdraw al)\nwithdraw y\nwithdraw al\n(?:deposit bob|withdraw al)\n$/,
  );
});

it("takes words in capitals for commands", () => {
  const task = { reference: "", description: "DEPOSIT name amount - adds\nSHOW - prints", candidates: [] };
  expect(commandsOf(task, [{ stdin: "DEPOSIT ann 3\nSHOW\n" }])?.lines).toEqual(["DEPOSIT ann 3", "SHOW"]);
});

it("counts commands if the description does, and keeps numbers", () => {
  const task = { ...LEDGER, description: "`add X` or `show`" };
  const commands = commandsOf(task, [{ stdin: "2\nadd 5\nshow\n" }]);
  expect(commands).toEqual({ lines: ["2", "add 5", "show"], isCounted: true });
  expect(withCommands({ stdin: "9\nadd 7 8\nadd 3\n1 show\n" }, commands, new Random(0))).toEqual({
    stdin: expect.stringMatching(/^3\nadd 7\nadd 3\n(?:add 1|show)\n$/),
  });
});

it("takes no other word for a command", () => {
  expect(commandsOf({ ...LEDGER, description: "Each line is a word and a name." }, SHOWN)).toBeNull();
  expect(commandsOf(LEDGER, [{ stdin: "deposit bob\nal withdraw" }])).toBeNull();
});
