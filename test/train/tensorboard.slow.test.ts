/** TensorFlow reads a run's event files. Skipped if Python lacks it. `CODESCORE_PYTHON` names another Python. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readLog, train } from "../../src/train/index.ts";
import { rowsOf, scratch, settings, writeRows } from "./rows.ts";

const python = process.env.CODESCORE_PYTHON ?? "python3";
const has = spawnSync(python, ["-c", "import tensorflow"]).status === 0;

/** All events of the files in the order of their names, like TensorBoard: a restart discards earlier events from its step on. */
const READ = `
import sys, json, tensorflow as tf
shown, versions = [], []
for path in sys.argv[1:]:
    for event in tf.compat.v1.train.summary_iterator(path):
        if event.HasField("file_version"): versions.append(event.file_version)
        if event.session_log.status == 1: shown = [e for e in shown if e[0] < event.step]
        for value in event.summary.value: shown.append([event.step, value.tag, value.simple_value])
print(json.dumps([versions, shown]))
`;

it.skipIf(!has)("shows every step of a run that was killed and went on once", async () => {
  const folder = scratch();
  const data = [writeRows(join(folder, "data.jsonl"), rowsOf(8))];
  const out = join(folder, "run");
  const stop = new AbortController();
  const stopped = train({
    ...settings,
    data,
    out,
    signal: stop.signal,
    onStep: ({ step }) => step === 3 && stop.abort(),
  });
  await expect(stopped).rejects.toThrow("stopped at step 3");
  // A kill during step 5: its log line is written, but its state is not.
  const killed = train({
    ...settings,
    data,
    out,
    onStep: ({ step }) => {
      if (step === 5) throw new Error("killed");
    },
  });
  await expect(killed).rejects.toThrow("killed");
  await train({ ...settings, data, out });
  const files = readdirSync(join(out, "tensorboard"))
    .sort()
    .map((name) => join(out, "tensorboard", name));
  expect(files).toHaveLength(3);
  const { stdout, stderr, status } = spawnSync(python, ["-c", READ, ...files], { encoding: "utf8" });
  expect(status, stderr).toBe(0);
  const [versions, shown] = JSON.parse(stdout) as [string[], [number, string, number][]];
  expect(versions).toEqual(Array(3).fill("brain.Event:2"));
  const log = await readLog(out);
  const of = (tag: string): [number, number][] =>
    shown.flatMap(([step, t, value]) => (t === tag ? [[step, value]] : []));
  expect(of("train/loss")).toEqual(log.map(({ step, loss }) => [step, Math.fround(loss)]));
  expect(of("train/learning_rate")).toEqual(log.map(({ step, learningRate }) => [step, Math.fround(learningRate)]));
  expect(of("train/gradient_norm")).toEqual(log.map(({ step, gradientNorm }) => [step, Math.fround(gradientNorm)]));
  expect(of("train/tokens_per_second")).toEqual(
    log.map(({ step, tokens, seconds }) => [step, Math.fround(tokens / seconds)]),
  );
  const evaluated = log.flatMap(({ step, dev }) => (dev ? [[step, Math.fround(dev.mae)]] : []));
  expect(of("dev/mae")).toEqual(evaluated);
  expect(evaluated.map(([step]) => step)).toEqual([2, 4, 6]);
});
