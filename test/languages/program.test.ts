import { describe, expect, it } from "vitest";
import { loadProgramReader, NOTES } from "../../src/languages/index.ts";
import { BROKEN_PYTHON, OTHERS } from "./programs.ts";

const ADD = "def add(a, b):\n    return a + b";
const PROMPT = 'from typing import List\n\ndef add(a, b):\n    """Adds."""\n';
const read = async (text: string) => (await loadProgramReader())(text);

describe("a text that is given as a program", () => {
  it.each([
    ["a program", ADD],
    ["one with a fence in a text", `def f():\n    """\n    \`\`\`python\n    f()\n    \`\`\`\n    """\n    return 1\n`],
    ...Object.entries(BROKEN_PYTHON).map(([how, code]) => [`Python ${how}`, code]),
  ])("is handed on as it is: %s", async (_, text) => {
    const found = await read(text!);
    expect(found).toMatchObject({ program: text });
    expect(found).not.toHaveProperty("note");
  });

  it.each([
    ["in a fence", `\`\`\`python\n${ADD}\n\`\`\``, ADD],
    ["in a fence within prose", `Sure! Here you are:\n\n\`\`\`py\n${ADD}\n\`\`\`\n\nThis adds.`, ADD],
    ["in a fence of another form", `~~~~\n${ADD}\n~~~~\n`, ADD],
    ["in a fence that lacks its end", `\`\`\`python\n${ADD}`, ADD],
    ["with the end of a fence alone", `${ADD}\n\`\`\`\n\nExplanation: it adds.`, ADD],
    ["beside how to install it", `\`\`\`bash\npip install x\n\`\`\`\n\`\`\`python\n${ADD}\n\`\`\``, ADD],
    ["before its use", `\`\`\`python\n${ADD}\n\`\`\`\nUse it:\n\`\`\`python\nprint(add(1, 2))\n\`\`\``, ADD],
    ["after a prompt that it repeats", `${PROMPT}\`\`\`python\n${ADD}\n\`\`\``, `from typing import List\n${ADD}`],
    ["with lines ended as on Windows", `\`\`\`python\r\n${ADD.replace("\n", "\r\n")}\r\n\`\`\``, ADD],
    [
      "in two fences",
      `\`\`\`python\ndef one():\n    return 1\n\`\`\`\n\`\`\`python\n${ADD}\n\`\`\``,
      `def one():\n    return 1\n${ADD}`,
    ],
    ["broken inside of the fence", "```python\ndef add(a, b)\n    return a\n```", "def add(a, b)\n    return a"],
  ])("gives the program %s", async (_, text, program) => {
    expect(await read(text)).toMatchObject({ program, note: NOTES.fenced });
  });

  it("gives a prompt with the body in a fence that continues it", async () => {
    const found = await read(`${PROMPT}\`\`\`python\n    return a + b\n\`\`\``);
    expect(found).toMatchObject({ program: `${PROMPT}    return a + b`, note: NOTES.fenced });
  });

  it.each(Object.entries(OTHERS))("is refused in %s, in a fence or not, marked or not", async (name, code) => {
    expect(await read(code)).toEqual({ foreign: `looks like ${name}` });
    expect(await read(`Here:\n\`\`\`\n${code}\`\`\`\n`)).toEqual({ foreign: `looks like ${name}` });
    const marked = `Here:\n\`\`\`${name.toLowerCase()}\n${code}\`\`\`\n`;
    expect(await read(marked)).toEqual({ foreign: `is in a fence marked as ${name}` });
  });

  it.each([
    "I'm sorry, but I cannot help with that request.",
    "The function **adds** two numbers.\n\n1. It takes `a` and `b`.\n2. It gives their sum.",
    "抱歉，我无法完成这个请求。",
    "```text\nThere is nothing to be done here, sorry about that.\n```",
  ])("is noted where it is prose: %s", async (text) => {
    expect(await read(text)).toEqual({ program: text, parses: false, note: NOTES.prose });
  });

  it("is read soon whatever it is", async () => {
    for (const text of ["```\nx.\n", "```\ndef f(:\n", "~~~\n", "word ", "def f(\n", "import a\n```\n", "\\\n"]) {
      const began = process.cpuUsage();
      await read(text.repeat(Math.floor(100_000 / text.length)));
      const { user, system } = process.cpuUsage(began);
      expect((user + system) / 1e6, text).toBeLessThan(5); // quadratic time would take minutes
    }
  });
});
