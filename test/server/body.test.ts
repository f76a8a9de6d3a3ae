import { expect, it } from "vitest";
import { marksIn } from "../../src/server/body.ts";
import { createApp } from "../../src/server/index.ts";
import { cpuS } from "../cpu.ts";
import { fakeScorer } from "./fake.ts";

it.each([
  ["", 0],
  ['[1, {"a": [2]}]', 5],
  ['["[,:{", "\\"[", "\\\\", ["]"]]', 5],
  ['"[[[[', 0],
  ['"\\', 0],
  ["[".repeat(100), 11],
])("counts what holds a body's values together: %s", (text, marks) => {
  expect(marksIn(Buffer.from(text), 10)).toBe(marks);
});

it.each([
  ["arrays", `{"rows":[${"[],".repeat(3.2e6)}[]]}`],
  ["arrays in arrays", `{"rows":${"[".repeat(4.9e6)}${"]".repeat(4.9e6)}}`],
  ["fields", `{"rows":[{${Array.from({ length: 6e5 }, (_, i) => `"k${i}":1`).join(",")}}]}`],
])("refuses 10 MB of %s before they are parsed", async (_, body) => {
  const app = await createApp({ scorer: fakeScorer() });
  const began = cpuS();
  const headers = { "content-type": "application/json" };
  const response = await app.request("/v1/score", { method: "POST", headers, body });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: { message: "expected a JSON body with at most 100000 brackets, colons and commas in all" },
  });
  expect(cpuS() - began).toBeLessThan(2);
});

it("takes as many rows as it says, of texts full of brackets", async () => {
  const app = await createApp({ scorer: fakeScorer() });
  const row = { id: "1", task_id: "t", candidate: '[{,:\\"'.repeat(500), reference: "r", description: "[1, 2]" };
  const response = await app.request("/v1/score", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ rows: Array(1000).fill(row) }),
  });
  expect(response.status).toBe(200);
});
