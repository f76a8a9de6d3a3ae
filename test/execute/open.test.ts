/** Opening: what is refused, and what the message says. */
import { describe, expect, it } from "vitest";
import { openExecutor } from "../../src/execute/index.ts";

describe("openExecutor", () => {
  it("runs without a sandbox only when told so", async () => {
    await expect(openExecutor({ sandbox: "none" })).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("--allow-unsafe"),
    });
  });

  it.each([
    { options: { workers: 0 }, says: "workers" },
    { options: { workers: 1.5 }, says: "workers" },
    { options: { limits: { testCpuS: -1 } }, says: "testCpuS" },
    { options: { sandbox: "docker" as "auto" }, says: "docker" },
  ])("refuses $options", async ({ options, says }) => {
    await expect(openExecutor(options)).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining(says),
    });
  });
});
