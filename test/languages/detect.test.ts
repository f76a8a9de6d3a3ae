import { describe, expect, it } from "vitest";
import { detectLanguage } from "../../src/languages/index.ts";
import { BROKEN_PYTHON, OTHERS } from "./programs.ts";

describe("detectLanguage", () => {
  it.each(Object.entries(OTHERS))("knows %s", async (name, code) => {
    expect((await detectLanguage(code))?.name).toBe(name);
  });

  it("knows a program that was cut off", async () => {
    expect((await detectLanguage(OTHERS.JavaScript.slice(0, -14)))?.name).toBe("JavaScript");
    expect((await detectLanguage(OTHERS.Java.slice(0, -20)))?.name).toBe("Java");
  });

  it.each(Object.entries(BROKEN_PYTHON))("takes Python %s for no other language", async (_, code) => {
    expect(await detectLanguage(code)).toBeNull();
  });

  it("takes prose for none", async () => {
    expect(await detectLanguage("I am sorry; I cannot write this function. Let me explain why.\n")).toBeNull();
    expect(await detectLanguage("let cnt = how many are divisible by p\nif zeros == 1 → answer = 0\n")).toBeNull();
  });

  it("answers soon whatever it is given", async () => {
    for (const text of [
      "{;\n",
      "public static ",
      "const a",
      "a,".repeat(40),
      "using \n",
      "\t \n",
      "#include <",
      "\\\n",
    ]) {
      const began = performance.now();
      await detectLanguage(text.repeat(40_000));
      expect(performance.now() - began, text).toBeLessThan(10_000);
    }
  });
});
