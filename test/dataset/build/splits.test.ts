/** Which part of which set a problem belongs to. Expected values were computed with Python's hashlib. */
import { describe, expect, it } from "vitest";
import { appsSplit, mbppSplit, trainSplit } from "../../../src/dataset/build/splits.ts";

describe("mbpp-eval", () => {
  it.each([
    ["MBPP/1", "train"],
    ["MBPP/10", "train"],
    ["MBPP/11", "test"],
    ["MBPP/510", "test"],
    ["MBPP/511", "dev"],
    ["MBPP/600", "dev"],
    ["MBPP/601", "train"],
    ["MBPP/974", "train"],
    ["MBPPT/11", "test"],
    ["Mbpp/11", "test"],
    ["LC/two-sum", null],
    ["MBPP/x", null],
  ])("%s: %s", (id, split) => {
    expect(mbppSplit(id)).toBe(split);
  });
});

describe("apps-eval", () => {
  // python3 -c "import hashlib; print(int(hashlib.sha256(b'APPS/0').hexdigest(), 16) % 5)"
  const remainders = {
    "APPS/0": 1,
    "APPS/1": 4,
    "APPS/2": 1,
    "APPS/interview/7": 3,
    "CC/1_A. Theatre Square": 1,
    "CC/4_C. Registration system": 1,
    "XCode/abc": 1,
    "XCode/9ce37bc2d361f5bb8a0568fb479b8a38": 0,
    "APPS/9": 4,
    "APPS/10": 4,
  };

  it.each(Object.entries(remainders))("%s, whose sha256 is %i mod 5", (id, remainder) => {
    expect(appsSplit(id) === "test").toBe(remainder === 0);
    expect(trainSplit(id) === null).toBe(remainder === 0);
  });

  it("is no other family's", () => {
    expect(appsSplit("MBPP/1")).toBeNull();
    expect(appsSplit("LC/two-sum")).toBeNull();
  });
});

describe("train-mix", () => {
  const ids = Array.from({ length: 2000 }, (_, i) => `LC/${i}`);

  it("has no test problem of the others, and a rewording where its original is", () => {
    expect(trainSplit("MBPP/100")).toBeNull();
    expect(trainSplit("MBPPT/100")).toBeNull();
    expect(trainSplit("Mbpp/100")).toBeNull();
    for (let n = 601; n < 700; n++) expect(trainSplit(`MBPPT/${n}`)).toBe(trainSplit(`MBPP/${n}`));
  });

  it("keeps one problem in twenty for development", () => {
    const dev = ids.filter((id) => trainSplit(id) === "dev").length;
    expect(dev / ids.length).toBeCloseTo(0.05, 1);
    expect(ids.some((id) => trainSplit(id) === "test")).toBe(false);
  });
});
