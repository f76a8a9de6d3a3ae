/** Threads that die: their computations are rejected, and later ones run in new threads. */

import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { CodeScorer } from "../../src/score/index.ts";
import { createApp } from "../../src/server/index.ts";
import { makeModel } from "../score/model.ts";
import { recordWorkers } from "./workers.ts";

const { workers, end } = recordWorkers();

const row = { candidate: "x = 1", reference: "x = 2" };
const killAll = () => Promise.all(workers.splice(0).map((worker) => worker.terminate()));

let model: string;
beforeAll(async () => {
  model = await makeModel();
});
afterAll(async () => {
  end();
  await rm(model, { recursive: true });
});

describe("a scorer whose threads died", () => {
  it("scores what comes next in a new one, to the same", async () => {
    const scorer = await CodeScorer.load(model, { threads: 1 });
    const before = await scorer.scoreAll([row]);
    await killAll();
    expect(await scorer.scoreAll([row])).toEqual(before);
    expect(workers).toHaveLength(1);
    await scorer.close();
  });

  it("rejects the batch that it died of, and goes on", async () => {
    const scorer = await CodeScorer.load(model, { threads: 1 });
    const worker = workers.at(-1)!;
    const post = worker.postMessage.bind(worker);
    vi.spyOn(worker, "postMessage").mockImplementation(() => post(undefined)); // no batch, so the thread throws
    await expect(scorer.scoreAll([row])).rejects.toMatchObject({
      code: "infra",
      message: expect.stringMatching(/^the model's thread ended/),
    });
    expect(await scorer.scoreAll([row])).toMatchObject([{ format: "ref" }]);
    await scorer.close();
  });

  it("does not go on with another model under the same signature", async () => {
    const copy = await mkdtemp(join(tmpdir(), "codescore-changed-"));
    await cp(model, copy, { recursive: true });
    const scorer = await CodeScorer.load(copy, { threads: 1, precision: "fp32" });
    await writeFile(join(copy, "onnx", "model.onnx"), "another");
    await killAll();
    await expect(scorer.scoreAll([row])).rejects.toMatchObject({
      code: "model",
      message: expect.stringMatching(/model\.onnx has changed since it was loaded; load the model again/),
    });
    await scorer.close();
    await rm(copy, { recursive: true });
  });
});

describe("the server over such a scorer", () => {
  it("has a thread again by the time it says that it is well, and says what is wrong where none can be had", async () => {
    const copy = await mkdtemp(join(tmpdir(), "codescore-gone-"));
    await cp(model, copy, { recursive: true });
    const scorer = await CodeScorer.load(copy, { threads: 1 });
    const app = await createApp({ scorer });
    const health = async () => {
      const response = await app.request("/healthz");
      return [response.status, await response.json()];
    };
    await killAll();
    expect(await health()).toEqual([200, { status: "ok", signature: scorer.signature }]);
    expect(workers).toHaveLength(1);

    await rm(copy, { recursive: true });
    await killAll();
    const message = expect.stringMatching(/^nothing can be scored: .*\.onnx has changed since it was loaded/);
    expect(await health()).toEqual([503, { error: { code: "infra", message } }]);
    await scorer.close();
    expect(await health()).toEqual([503, { error: { code: "infra", message: expect.stringMatching(/is closed/) } }]);
  });
});
