import { describe, expect, it } from "vitest";
import { readExamples } from "../../src/behaviour/examples.ts";

const read = (text: string): [string, string][] =>
  readExamples(text, { kind: "stdin" }).map(({ input, expected }) => ["stdin" in input ? input.stdin : "", expected]);

const codeforces = `You are given n integers.

Input

The first line contains a single integer n (1 ≤ n ≤ 100).

Output

Print the sum of the given integers.

Examples

Input


3
1 2 3


Output


6


Input

1
5

Output

5

Note

In the first example the sum is 1 + 2 + 3 = 6.`;

const apps = `Polycarp has a string.

-----Input-----

The first line contains one integer $n$.


-----Output-----

Print the answer.


-----Examples-----
Input
3
abc

Output
YES
2

Input
1
a

Output
NO



-----Note-----

The first example is explained here.`;

const atcoder = `Takahashi counts.

-----Input-----
Input is given from Standard Input in the following format:
N

-----Output-----
Print the count.

-----Sample Input-----
RRLRL

-----Sample Output-----
0 1 2 1 1

 - After each child performed one move, the number of children standing on each square is 0, 2, 1.
 - After each child performed two moves, the number is 3.`;

describe("samples of contests", () => {
  it.each<[string, string, [string, string][]]>([
    [
      "CodeContests",
      codeforces,
      [
        ["3\n1 2 3\n", "6\n"],
        ["1\n5\n", "5\n"],
      ],
    ],
    [
      "Windows",
      codeforces.replaceAll("\n", "\r\n"),
      [
        ["3\n1 2 3\n", "6\n"],
        ["1\n5\n", "5\n"],
      ],
    ],
    [
      "APPS",
      apps,
      [
        ["3\nabc\n", "YES\n2\n"],
        ["1\na\n", "NO\n"],
      ],
    ],
    ["AtCoder, prose behind the answer left out", atcoder, [["RRLRL\n", "0 1 2 1 1\n"]]],
    [
      "numbered headings",
      "Sample Input 1\n3\nSample Output 1\n6\n\nSample Input 2\n4\nSample Output 2\n8",
      [
        ["3\n", "6\n"],
        ["4\n", "8\n"],
      ],
    ],
    [
      "inputs before outputs",
      "Sample Input 1\n3\nSample Input 2\n4\nSample Output 1\n6\nSample Output 2\n8",
      [
        ["3\n", "6\n"],
        ["4\n", "8\n"],
      ],
    ],
    [
      "fences",
      "### Sample Input 1\n\n```\n3\n```\nThree.\n\n### Sample Output 1\n\n```text\n\n6\n```\n",
      [["3\n", "\n6\n"]],
    ],
    ["one fence around both", "Example:\n```\nInput:\n3\nOutput:\n6\n```", [["3\n", "6\n"]]],
    [
      "CodeChef",
      "-----Example-----\nInput:\n2\n3\n\nOutput:\n5\n\n-----Explanation-----\nThe sum.",
      [["2\n3\n", "5\n"]],
    ],
    [
      "CodeChef with colons",
      "-----Sample Input:-----\n2\n-----Sample Output:-----\n5\n-----EXPLANATION:-----\nIt is.",
      [["2\n", "5\n"]],
    ],
    ["Codeforces' own page", "Examples\nInputCopy\n3\nOutputCopy\n6", [["3\n", "6\n"]]],
    [
      "HackerRank",
      "**Input Format**\n\nOne integer.\n\n**Output Format**\n\nOne more.\n\n**Sample Input 0**\n\n```\n3\n```\n\n**Sample Output 0**\n\n```\n6\n```",
      [["3\n", "6\n"]],
    ],
    ["values behind their labels", "Example 1:\nInput: 3 4\nOutput: 7", [["3 4\n", "7\n"]]],
    [
      "values behind and below their labels",
      "Example 1:\nInput: 2\n3 4\nOutput: 7\nExplanation: the sum.",
      [["2\n3 4\n", "7\n"]],
    ],
    ["a margin", "Example\n\n    Input\n    3\n    Output\n    6\n", [["3\n", "6\n"]]],
    ["no heading over them", "Add one.\nInput:\n3\nOutput:\n4", [["3\n", "4\n"]]],
    [
      "texts with sentences",
      "Sample Input\nThe quick brown fox jumps over.\nSample Output\n6",
      [["The quick brown fox jumps over.\n", "6\n"]],
    ],
    [
      "sentences that lead to them",
      "Read a log.\nFor the input\n50 2\n40\nthe output is\nno alarms",
      [["50 2\n40\n", "no alarms\n"]],
    ],
    ["what it prints", "Example input:\n08:00 in\nprints\nworked 0:00", [["08:00 in\n", "worked 0:00\n"]]],
    ["leading blanks of a picture", "Sample Input\n2\nSample Output\n  *\n ***", [["2\n", "  *\n ***\n"]]],
    ["HTML's characters", "Example\nInput\n2 1\nOutput\n&gt;\n&lt;", [["2 1\n", ">\n<\n"]]],
    ["typographic minus signs", "Example\nInput\n\u22122 1\nOutput\n\u22121", [["-2 1\n", "-1\n"]]],
    [
      "an example in the story",
      "Example\nA word is good if it has vowels.\n\nInput\nThe first line contains a single integer.\nOutput\nPrint it.\n\nSample Input\n3\nSample Output\n4",
      [["3\n", "4\n"]],
    ],
    ["pictures", "Example\nInput\n3\nOutput\n4\n\n<image>", [["3\n", "4\n"]]],
  ])("reads %s", (_, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each([
    ["what the input is like", "Input\nThe first line contains an integer n.\nOutput\nPrint the sum."],
    ["prose", "The input is a number and the output is its square. For example 3 gives 9."],
    ["an input without output", "Sample Input\n3\n"],
    ["an output without input", "Sample Output\n3\n"],
    ["empty blocks", "Example\nInput\n\nOutput\n\n"],
    ["nothing", ""],
  ])("does not read %s", (_, text) => {
    expect(read(text)).toEqual([]);
  });
});
