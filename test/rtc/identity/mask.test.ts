import { describe, expect, it } from "vitest";
import { maskFor, renameFunction } from "../../../src/rtc/identity/mask.ts";

describe("renameFunction", () => {
  it.each([
    [
      "a definition, a call and a comment",
      "def fib(n):  # fib of n\n    return fib(n - 1)\n",
      "def func(n):  # func of n\n    return func(n - 1)\n",
    ],
    [
      "a method that calls itself",
      "class S:\n    def fib(self, n):\n        return self.fib(n)\n",
      "class S:\n    def func(self, n):\n        return self.func(n)\n",
    ],
    ["code that does not parse", "def fib(n):\nreturn fib(n", "def func(n):\nreturn func(n"],
  ])("renames in %s", async (_, code, expected) => {
    expect(await renameFunction(code, "fib", "func")).toBe(expected);
  });

  it("leaves strings, methods of other objects, keywords and longer names", async () => {
    const code = 'def add(s, x):\n    s.add(x)\n    f(add=1)\n    add_all = "add"\n    return add_all\n';
    expect(await renameFunction(code, "add", "func")).toBe(code.replace("def add", "def func"));
  });

  it("comes back as it was", async () => {
    const code = "def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\n";
    expect(await renameFunction(await renameFunction(code, "fib", "func"), "func", "fib")).toBe(code);
  });
});

it("the mask is a word that the code around does not have", () => {
  expect(maskFor("def apply(x):\n    pass\n")).toBe("func");
  expect(maskFor("def apply(func, func_):\n    pass\n")).toBe("func__");
});
