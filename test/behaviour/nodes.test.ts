import { afterAll, describe, expect, it } from "vitest";
import { counterexamplesOf } from "../../src/behaviour/index.ts";
import { asLists, isTree, mendedTree, nodesOf } from "../../src/behaviour/nodes/index.ts";
import { parseLiteral, printLiteral } from "../../src/languages/python/literals/index.ts";
import type { PyValue } from "../../src/types.ts";
import { closeExecutor, executor, inputsOf, observe } from "./run.ts";

afterAll(closeExecutor);

const LIST = `class ListNode:
    def __init__(self, val=0, next=None):
        self.val = val
        self.next = next
`;
const REVERSE = `def reverse(head):
    before = None
    while head:
        head.next, before, head = before, head, head.next
    return before
`;

interface Given {
  readonly reference: string | null;
  readonly candidates: readonly string[];
  readonly description?: string | null;
}

async function ran({ reference, candidates, description = null }: Given) {
  const found = await observe({ reference, candidates, description }, 30);
  expect(inputsOf(found).length).toBeGreaterThan(9);
  const agreeing = found.observed.candidates.map(({ agrees }) => agrees?.every(Boolean) ?? null);
  return { ...found, agreeing, args: inputsOf(found) };
}

const items = (text: string): readonly PyValue[] => {
  const value = parseLiteral(text);
  return value.t === "list" ? value.v : [];
};
const ANY = { search: false, distinct: false, shape: null } as const;

describe("linked lists", () => {
  const recursive = `def reverse(head):
    if not head or not head.next:
        return head
    last = reverse(head.next)
    head.next.next, head.next = head, None
    return last
`;

  it("are given and compared, by a class that the program defines", async () => {
    const broken = recursive.replace("head.next.next, head.next = head, None", "head.next.next = head");
    const candidates = [LIST + recursive, LIST + broken, LIST + REVERSE.replace("return before", "return head")];
    const { agreeing, args, observed } = await ran({ reference: LIST + REVERSE, candidates });
    expect(agreeing).toEqual([true, false, false]);
    expect(args.every((one) => one.startsWith("["))).toBe(true);
    const task = { reference: LIST + REVERSE, candidates, description: null, entryPoint: null };
    const counterexample = await counterexamplesOf(task, observed, await executor())(2);
    expect(counterexample).toMatchObject({ input: "reverse([1])", expected: "[1]", got: "None" });
  });

  it.each([
    ["another class", "class Node:\n    def __init__(self, data):\n        self.data, self.next = data, None\n"],
    [
      "a dataclass",
      "from dataclasses import dataclass\n@dataclass\nclass Node:\n    value: int\n    next: 'Node | None' = None\n",
    ],
  ])("of %s", async (_, source) => {
    const { agreeing } = await ran({
      reference: source + REVERSE,
      candidates: [source + recursive, `${source}def reverse(head):\n    return head\n`],
    });
    expect(agreeing).toEqual([true, false]);
  });

  it("of the class that judges define, by annotation; examples count", async () => {
    const solution = (body: string): string =>
      `class Solution:\n    def middle(self, head: Optional[ListNode]) -> Optional[ListNode]:\n${body}`;
    const reference = solution(
      "        slow = fast = head\n        while fast and fast.next:\n            slow, fast = slow.next, fast.next.next\n        return slow",
    );
    const counting = solution(
      "        nodes = []\n        while head:\n            nodes.append(head)\n            head = head.next\n        return nodes[len(nodes) // 2] if nodes else None",
    );
    const early = counting.replace("len(nodes) // 2", "(len(nodes) - 1) // 2");
    const description =
      "Given the head of a singly linked list, return its middle node.\n\nExample 1:\nInput: head = [1,2,3,4]\nOutput: [3,4]\n\n" +
      "Constraints:\n\nThe number of nodes in the list is in the range [1, 100].\n1 <= Node.val <= 100";
    const { agreeing, run, args, observed } = await ran({ reference, candidates: [counting, early], description });
    expect(agreeing).toEqual([true, false]);
    expect(run.inputs.examples).toEqual([{ input: { args: "[1, 2, 3, 4]" }, expected: "[3, 4]" }]);
    expect(observed.candidates.map(({ examples }) => examples.passed)).toEqual([1, 0]);
    expect(args).not.toContain("[]");
    expect(args.some((one) => /(?<!\d)(?:0|-\d+)\b/.test(one))).toBe(false);
  });

  it("that a function changes in place", async () => {
    const drop = (body: string): string => `${LIST}def drop(head: ListNode) -> None:\n${body}`;
    const reference = drop(
      "    while head and head.next:\n        head.next = head.next.next\n        head = head.next",
    );
    const candidates = [
      drop("    if head and head.next:\n        head.next = head.next.next\n        drop(head.next)"),
      drop("    pass"),
    ];
    const description =
      "Drop every second node in place.\n\nInput: head = [1,2,3]\nOutput: [1,3]\n\nInput: head = []\nOutput: []";
    const { agreeing, run, observed } = await ran({ reference, candidates, description });
    expect(agreeing).toEqual([true, false]);
    expect(run.inputs.examples.map(({ expected }) => expected)).toEqual(["[1, 3]", "[]"]);
    const alone = await ran({ reference: null, candidates, description });
    expect(alone.observed.candidates.map(({ examples }) => examples.passed)).toEqual([2, 1]);
    expect(observed.candidates.map(({ examples }) => examples.passed)).toEqual([2, 1]);
  });

  it("in lists, and sorted if the description says so", async () => {
    const head = "class Solution:\n    def merge(self, lists: List[Optional[ListNode]]) -> Optional[ListNode]:\n";
    const build =
      "        first = last = ListNode()\n        for value in VALUES:\n            last.next = ListNode(value)\n            last = last.next\n        return first.next\n";
    const read =
      "        found = []\n        for one in lists:\n            while one:\n                found.append(one.val)\n                one = one.next\n";
    const candidates = ["sorted(found)", "found"].map((values) => head + read + build.replace("VALUES", values));
    const { agreeing } = await ran({ reference: candidates[0]!, candidates });
    expect(agreeing).toEqual([true, false]);
    const two = await ran({
      reference: `${LIST}def first(list1: ListNode, list2: ListNode) -> int:\n    return min(one.val for one in (list1, list2) if one)`,
      candidates: [],
      description: "Given the heads of two sorted linked lists list1 and list2, return the smallest value.",
    });
    for (const args of two.args) {
      const values = [...args.matchAll(/\[([^\]]*)\]/g)].map(([, one]) => one!.split(", ").map(Number));
      for (const own of values) expect(own).toEqual(own.toSorted((a, b) => a - b));
    }
  });

  it("that do not end are an error, not a hang", async () => {
    const circle = `${LIST}def reverse(head):\n    if head: head.next = head\n    return head\n`;
    const { observed, agreeing } = await ran({ reference: LIST + REVERSE, candidates: [circle] });
    expect(agreeing).toEqual([false]);
    expect(JSON.stringify(observed.candidates[0]!.answers)).toContain("the nodes do not end");
  });

  it("without a reference, by the description alone", async () => {
    const description = `${LIST}\ndef reverse(head):\n    """Reverse a linked list."""`;
    const candidates = [LIST + REVERSE, LIST + recursive, `${LIST}def reverse(head):\n    return head.next\n`];
    const { run, args } = await ran({ reference: null, description, candidates });
    expect(run.inputs.entry).toMatchObject({ shows: "nodes" });
    expect(args.some((one) => /^\[\d+, /.test(one))).toBe(true);
  });
});

describe("binary trees", () => {
  const solution = (signature: string, body: string): string =>
    `class Solution:\n    def f(self, ${signature}:\n${body}`;

  it("of many shapes", async () => {
    const depth = (pick: string): string =>
      solution(
        "root: Optional[TreeNode]) -> int",
        `        if not root:\n            return 0\n        return 1 + ${pick}(self.f(root.left), self.f(root.right))`,
      );
    const levels = solution(
      "root: Optional[TreeNode]) -> int",
      "        level, found = [root] if root else [], 0\n        while level:\n            found += 1\n            level = [one for node in level for one in (node.left, node.right) if one]\n        return found",
    );
    const left = depth("max").replace("self.f(root.right)", "0");
    const { agreeing, args, run } = await ran({ reference: depth("max"), candidates: [levels, depth("min"), left] });
    expect(run.inputs.unusual[args.indexOf("[]")] ?? true).toBe(true); // it tests for it only to end
    expect(agreeing).toEqual([true, false, false]);
    expect(args.some((one) => one.includes("None"))).toBe(true);
    for (const one of args) expect(isTree(items(one), ANY), one).toBe(true);
  });

  it("that are equal or mirror images, and empty ones only if the description speaks of these", async () => {
    const same = solution(
      "p: Optional[TreeNode], q: Optional[TreeNode]) -> bool",
      "        if not p or not q:\n            return p is q\n        return p.val == q.val and self.f(p.left, q.left) and self.f(p.right, q.right)",
    );
    const mirror = same.replace("q.left)", "q.RIGHT)").replace("q.right)", "q.left)").replace("RIGHT", "right");
    const found = await ran({ reference: same, candidates: [mirror], description: "Whether two trees are equal." });
    expect(found.agreeing).toEqual([false]);
    const { known, unusual } = found.run.inputs;
    const large = (all: typeof known) =>
      all.filter(({ input, answer }) => answer!.text === "true" && "args" in input && input.args.length > 20).length;
    expect(large(known)).toBeGreaterThan(2);
    const isEmpty = (input: (typeof known)[number]["input"]): boolean => "args" in input && /\[\]/.test(input.args);
    for (const [i, { input }] of known.entries()) if (isEmpty(input)) expect(unusual[i]).toBe(true);
    const said = await ran({
      reference: same,
      candidates: [],
      description: "Whether two trees, which may be empty, are equal.",
    });
    expect(said.run.inputs.known.some(({ input }, i) => isEmpty(input) && !said.run.inputs.unusual[i])).toBe(true);
    const flipped = await ran({ reference: mirror, candidates: [same] });
    expect(large(flipped.run.inputs.known)).toBeGreaterThan(1);
  });

  it("that are search trees, if the description says so", async () => {
    const search = { ...ANY, search: true };
    const lookup = solution(
      "root: Optional[TreeNode], key: int) -> bool",
      "        while root and root.val != key:\n            root = root.left if key < root.val else root.right\n        return root is not None",
    );
    const walk = solution(
      "root: Optional[TreeNode], key: int) -> bool",
      "        return bool(root) and (root.val == key or self.f(root.left, key) or self.f(root.right, key))",
    );
    const description = "Given the root of a binary search tree (BST), return whether it contains key.";
    const { agreeing, args, run } = await ran({ reference: walk, candidates: [lookup], description });
    expect(agreeing).toEqual([true]);
    for (const one of args) expect(isTree(items(one.replace(/, -?\d+$/, "")), search), one).toBe(true);
    expect(run.inputs.known.some(({ answer }) => answer?.text === "true")).toBe(true);
    const validate = "Given the root of a binary tree, determine if it is a valid binary search tree (BST).";
    const entry = { kind: "call", name: "Solution().f" } as const;
    expect(nodesOf({ reference: walk, description: validate, candidates: [] }, entry)!.trees.search).toBe(false);
  });

  it("and nodes in them, by their values", async () => {
    const reference = solution(
      "root: TreeNode, p: TreeNode, q: TreeNode) -> TreeNode",
      "        if root in (None, p, q):\n            return root\n        left, right = self.f(root.left, p, q), self.f(root.right, p, q)\n        return root if left and right else left or right",
    );
    const wrong = reference.replace("return root if left and right else left or right", "return left or right");
    const { agreeing, args } = await ran({
      reference,
      candidates: [reference, wrong],
      description: "The lowest common ancestor of two nodes p and q. All Node.val are unique.",
    });
    expect(agreeing).toEqual([true, false]);
    for (const one of args) {
      const [, tree, p, q] = /^(\[.*\]), (\S+), (\S+)$/.exec(one)!;
      const values = items(tree!).map((value) => printLiteral(value));
      expect(values).toEqual(expect.arrayContaining([p, q]));
      expect(isTree(items(tree!), { ...ANY, distinct: true })).toBe(true);
    }
  });

  it.each<[string, Parameters<typeof mendedTree>[1], string, string]>([
    ["values without a parent", ANY, "[1, None, None, 4]", "[1]"],
    ["missing children at the end", ANY, "[1, 2, None, None]", "[1, 2]"],
    ["no root", ANY, "[None, 1]", "[]"],
    ["a tree", ANY, "[3, 9, 20, None, None, 15, 7]", "[3, 9, 20, None, None, 15, 7]"],
    ["a search tree", { ...ANY, search: true }, "[1, 5, 1, None, 2]", "[3, 1, 5, None, 2]"],
    ["different values", { ...ANY, distinct: true }, "[1, 1, None, 2]", "[3, 1, None, 2]"],
    ["a complete tree", { ...ANY, shape: "complete" }, "[1, None, 2, 3]", "[1, 2, 3]"],
    ["a perfect tree", { ...ANY, shape: "perfect" }, "[1, 2, 3, 4, 5]", "[1, 2, 3]"],
    ["a full tree", { ...ANY, shape: "full" }, "[1, 2, 3, 4]", "[1, 2, 3]"],
  ])("are mended: %s", (_, form, given, expected) => {
    const mended = mendedTree(items(given), form);
    expect(printLiteral({ t: "list", v: mended })).toBe(expected);
    expect(isTree(mended, form)).toBe(true);
    expect(isTree(items(given), form)).toBe(given === expected);
  });
});

it("leaves tasks without nodes alone, and those whose nodes have other links", () => {
  const entry = { kind: "call", name: "f" } as const;
  const task = (reference: string) => ({ reference, description: null, candidates: [] });
  expect(nodesOf(task("def f(head, root):\n    return head + root"), entry)).toBeNull();
  const doubly = LIST.replace("self.next = next", "self.next = next\n        self.prev = None");
  expect(nodesOf(task(`${doubly}def f(head):\n    return head.next`), entry)).toBeNull();
});

it("takes no class from a candidate, which would replace that of others", () => {
  const hostile =
    "class list:\n    def __init__(self):\n        self.value = self.next = 0\ndef f(xs: list): return xs";
  const entry = { kind: "call", name: "f" } as const;
  expect(nodesOf({ reference: null, description: null, candidates: [hostile] }, entry)).toBeNull();
  expect(nodesOf({ reference: hostile, description: null, candidates: [] }, entry)).not.toBeNull();
});

it("reads what a description says of nodes as said of lists", () => {
  const reference = "def f(l1: Optional[ListNode], l2: Optional[ListNode]) -> int:\n    return 1 if l1 is None else 2";
  const description =
    "You are given the heads of two linked lists. The number of nodes in each linked list is in the range [1, 100]. 0 <= Node.val <= 9";
  const task = { reference, description, candidates: [] };
  const entry = { kind: "call", name: "f" } as const;
  const own = { ...entry, shows: "nodes", nodes: nodesOf(task, entry)! } as const;
  const read = asLists(task, own);
  expect(read.reference).toBe("def f( l1: List[int], l2: List[int]) -> int:\n    return 1 if not l1 else 2");
  expect(read.description).toContain("1 <= l1.length, l2.length <= 100. 0 <= l1[i], l2[i] <= 9");
  expect(asLists(read, own)).toEqual(read);
});
