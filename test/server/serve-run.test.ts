/** `codescore serve --run` as a process. */
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codescore, codescoreHere } from "../cli/run.ts";
import { makeModel } from "../score/model.ts";
import { startServer } from "./served.ts";

let model: string;
beforeAll(async () => {
  model = await makeModel();
});
afterAll(() => rm(model, { recursive: true }));

const reference = "def double(n: int) -> int:\n    return 2 * n\n";
const wrong = "def double(n: int) -> int:\n    return n * n\n";
/** Takes about a second to run. */
const endless = "def double(n: int) -> int:\n    x = [n]\n    while True: x[0] = len(str(x))\n";

const post = (url: string, rows: readonly object[], more: object = { run: true }) =>
  fetch(`${url}/v1/score`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ rows, ...more }),
  });
const waiting = async (url: string): Promise<number> =>
  Number(/codescore_run_queue_rows (\d+)/.exec(await (await fetch(`${url}/metrics`)).text())![1]);

describe("codescore serve --run", () => {
  it("runs candidates with the real scorer, up to the inputs it allows", async () => {
    const { url, stderr } = await startServer(["--model", model, "--run", "--inputs", "8", "--workers", "1"]);
    const response = await post(url, [{ candidate: wrong, reference }], { run: true, explain: true });
    const { rows } = (await response.json()) as { rows: Record<string, unknown>[] };
    expect(rows[0]).toMatchObject({
      behaviour: { inputs: 8, source: "reference", counterexample: { expected: expect.any(String) } },
      lines: [{ line: 2 }],
    });
    expect(rows[0]!.score).toBeGreaterThanOrEqual(rows[0]!.low as number);
    expect(rows[0]!.signature).toMatch(/^codescore\|model:.*\|run:8@/);
    const refused = await post(url, [{ candidate: wrong, reference }], { run: true, inputs: 9 });
    expect(refused.status).toBe(400);
    expect(stderr()).toMatch(/runs candidates on request: sandbox (bwrap|landlock|wasm), Python 3\.\d+/);
  });

  it("answers on SIGTERM every run that it accepted, and scores meanwhile", async () => {
    const { url, child, ended } = await startServer(["--model", model, "--run", "--workers", "2"]);
    const asked = Array.from({ length: 3 }, (_, i) =>
      post(
        url,
        [endless, wrong].map((candidate) => ({ candidate, reference, task_id: i })),
      ),
    );
    await expect.poll(() => waiting(url), { interval: 5 }).toBe(6);
    const plain = await post(url, [{ candidate: wrong, reference }], {});
    expect(plain.status).toBe(200);
    expect(await waiting(url)).toBeGreaterThan(0);
    child.kill("SIGTERM");
    for (const response of await Promise.all(asked)) {
      expect(response.status).toBe(200);
      const { rows } = (await response.json()) as { rows: { behaviour: { agree: number; inputs: number } }[] };
      expect(rows).toHaveLength(2);
      for (const { behaviour } of rows) expect(behaviour.inputs).toBeGreaterThan(0);
    }
    expect(await ended).toEqual({ code: 0, signal: null });
  });

  it("runs nothing without --run, and takes no option of it then", async () => {
    const { url } = await startServer(["--model", model]);
    const response = await post(url, [{ candidate: wrong, reference }]);
    expect(response.status).toBe(403);
    expect(await response.text()).toContain("codescore serve --run");
    for (const args of [["--inputs", "5"], ["--workers", "1"], ["--run-queue-limit", "500"], ["--allow-unsafe"]]) {
      const { code, stderr } = await codescoreHere(["serve", "--model", model, "--port", "0", ...args]);
      expect(code).toBe(2);
      expect(stderr).toContain(`${args[0]} needs --run`);
    }
  });

  it("does not start where no sandbox comes up", async () => {
    const args = ["serve", "--model", model, "--port", "0", "--run"];
    const missing = await codescore([...args, "--sandbox", "bwrap"], { env: { PATH: "/nowhere" } });
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain("the sandbox that was asked for does not work here. bwrap: ");
    expect(missing.stderr).not.toContain("listening");
    const unsafe = await codescoreHere([...args, "--sandbox", "none"]);
    expect(unsafe.code).toBe(2);
    expect(unsafe.stderr).toContain("--allow-unsafe");
  });
});
