import { rm } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CodeScorer } from "../../src/score/index.ts";
import type { Score, ScoreInput } from "../../src/types.ts";
import { Random } from "../../src/util/random.ts";
import { makeModel } from "./model.ts";

let folder: string;
let scorer: CodeScorer;

beforeAll(async () => {
  folder = await makeModel();
  scorer = await CodeScorer.load(folder, { threads: 1 });
});

afterAll(async () => {
  await scorer.close();
  await rm(folder, { recursive: true });
});

function rows(count: number): ScoreInput[] {
  const random = new Random(5);
  const program = (): string =>
    `def f(a, b):\n${Array.from({ length: random.int(1, 25) }, () => `    a = a ${random.pick(["+", "-", "*"])} ${random.int(0, 9)}\n`).join("")}    return a\n`;
  return Array.from({ length: count }, () => ({
    candidate: program(),
    reference: random.chance(0.8) ? program() : null,
    description: "Change a.",
  }));
}

describe("CodeScorer", () => {
  it("gives a row the same score whatever its batch-mates, their order and the padding", async () => {
    const inputs = rows(40);
    const alone: Score[] = [];
    for (const input of inputs) alone.push((await scorer.scoreAll([input]))[0] as Score);
    expect(new Set(alone.map(({ score }) => score.toFixed(5))).size).toBeGreaterThan(20); // the rows differ
    for (const batchTokens of [300, 2000, 100_000]) {
      const other = await CodeScorer.load(folder, { threads: 1, batchTokens });
      const order = new Random(batchTokens).shuffle(inputs.map((_, i) => i));
      const together = (await other.scoreAll(order.map((i) => inputs[i]!))) as Score[];
      for (const [at, i] of order.entries()) {
        expect(Math.abs(together[at]!.score - alone[i]!.score)).toBeLessThan(1e-6);
        expect(Math.abs(together[at]!.exec - alone[i]!.exec)).toBeLessThan(1e-6);
      }
      await other.close();
    }
  });

  it("gives a row the same score in batches of 1 to 64", async () => {
    const inputs = rows(64);
    const whole = await CodeScorer.load(folder, { threads: 1, batchTokens: 1_000_000 });
    const alone = (await scorer.scoreAll(inputs)) as Score[];
    for (const size of [1, 2, 3, 7, 16, 33, 64]) {
      for (let from = 0; from < inputs.length; from += size) {
        const batch = (await whole.scoreAll(inputs.slice(from, from + size))) as Score[];
        for (const [i, { score, exec }] of batch.entries()) {
          expect(Math.abs(score - alone[from + i]!.score)).toBeLessThan(1e-6);
          expect(Math.abs(exec - alone[from + i]!.exec)).toBeLessThan(1e-6);
        }
      }
    }
    await whole.close();
  });

  it("scores a stream in order", async () => {
    const inputs = rows(20).map((row, id) => ({ ...row, id }));
    const whole = (await scorer.scoreAll(inputs)) as Score[];
    const ids: number[] = [];
    for await (const { row, result } of scorer.score(inputs)) {
      expect((result as Score).score).toBeCloseTo(whole[row.id]!.score, 6);
      ids.push(row.id);
    }
    expect(ids).toEqual(inputs.map(({ id }) => id));
  });

  it("takes rows only as scores are taken, and ends the source when its consumer stops", async () => {
    const row: ScoreInput = { candidate: "x = 1", reference: "x = 2" };
    let given = 0;
    let ended = false;
    async function* source(): AsyncGenerator<ScoreInput> {
      try {
        for (;;) {
          given += 1;
          yield row;
        }
      } finally {
        ended = true;
      }
    }
    let taken = 0;
    for await (const { result } of scorer.score(source())) {
      expect(result).toHaveProperty("score");
      taken += 1;
      expect(given - taken).toBeLessThanOrEqual(2 * 256);
      if (taken === 600) break;
    }
    expect(ended).toBe(true);
    const then = given;
    await setTimeout(50);
    expect(given).toBe(then);
    expect((await scorer.scoreAll([row]))[0]).toHaveProperty("score"); // the abandoned work does not block others
  });

  it("answers what has come before it asks a source that pauses again", async () => {
    const answered: number[] = [];
    async function* source(): AsyncGenerator<ScoreInput & { id: number }> {
      for (let id = 0; id < 3; id++) {
        while (answered.length < id) await setTimeout(10); // continues only after the answer to the last row
        yield { id, candidate: "x = 1", reference: "x = 2" };
      }
    }
    for await (const { row } of scorer.score(source())) answered.push(row.id);
    expect(answered).toEqual([0, 1, 2]);
  });

  it("passes on what the source throws", async () => {
    function* source(): Generator<ScoreInput> {
      yield { candidate: "x = 1", reference: "x = 2" };
      throw new Error("torn");
    }
    await expect(scorer.scoreAll(source() as unknown as ScoreInput[])).rejects.toThrow("torn");
  });

  it("answers concurrent calls, each with its own rows, and lets others run meanwhile", async () => {
    const inputs = rows(48);
    const expected = (await scorer.scoreAll(inputs)) as Score[];
    let turns = 0;
    const turn = (): void => {
      turns += 1;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn); // not a timer, which fires rarely on a busy machine
    const calls = await Promise.all(inputs.map((input) => scorer.scoreAll([input, inputs[0]!])));
    clearImmediate(next);
    for (const [i, [own, first]] of calls.entries()) {
      expect((own as Score).score).toBeCloseTo(expected[i]!.score, 6);
      expect((first as Score).score).toBeCloseTo(expected[0]!.score, 6);
    }
    expect(turns).toBeGreaterThan(5);
  });

  it("is closed once: later calls and those under way are refused, a second close does nothing", async () => {
    const other = await CodeScorer.load(folder, { threads: 1 });
    const under = other.scoreAll(rows(400)).catch((error: unknown) => error);
    await setTimeout(20);
    await Promise.all([other.close(), other.close()]);
    await other.close();
    const closed = { code: "usage", message: expect.stringMatching(/is closed/) };
    expect(await under).toMatchObject(closed);
    await expect(other.scoreAll(rows(1))).rejects.toMatchObject(closed);
    await expect(other.similarity().compare([{ candidate: "x", reference: "y" }])).rejects.toMatchObject(closed);
  });

  it("yields an error in the place of a row that cannot be scored, and scores the rest", async () => {
    const good: ScoreInput = { candidate: "x = 1", reference: "x = 2" };
    const bad = [
      { candidate: "x = 1" },
      { candidate: 5, reference: "y" },
      { reference: "y" },
      { candidate: "x", reference: ["y"] },
      { candidate: "x", description: { a: 1 } },
    ] as unknown as ScoreInput[];
    const results = await scorer.scoreAll([good, ...bad, good]);
    for (const result of results.slice(1, -1)) expect(result).toHaveProperty("error.message");
    expect(results[0]).toEqual(results.at(-1));
  });

  it.each(["\u0000", "\ud800", "\u{1f600}", "def f(:\n  retur", "x".repeat(100_000), "</s>", "\t\r\n x"])(
    "scores odd text %#",
    async (candidate) => {
      const [result] = await scorer.scoreAll([{ candidate, reference: "x = 1" }]);
      expect((result as Score).score).toBeGreaterThanOrEqual(0);
      expect((result as Score).score).toBeLessThanOrEqual(1);
    },
  );

  it("says what was cut", async () => {
    const [long, short] = (await scorer.scoreAll([
      { candidate: "a = 1\n".repeat(500), reference: "x = 1", description: "d" },
      { candidate: "a = 1\n", reference: "x = 1" },
    ])) as Score[];
    expect(long!.cut!.candidate).toBeGreaterThan(100);
    expect(long!.cut!.reference).toBe(0);
    expect(short!.cut).toBeUndefined();
  });

  it("takes the format asked for and refuses what a row cannot give", async () => {
    const all: ScoreInput = { candidate: "x = 1", reference: "x = 2", description: "d" };
    for (const format of ["ref", "nl", "ref+nl"] as const) {
      expect((await scorer.scoreAll([all], { format }))[0]).toMatchObject({
        format,
        signature: scorer.signatureOf(format),
      });
    }
    expect((await scorer.scoreAll([{ candidate: "x", reference: "y" }], { format: "nl" }))[0]).toHaveProperty(
      "error.message",
      "the format nl needs a description, got none",
    );
  });

  it("is a similarity", async () => {
    const [row] = rows(1);
    const [result] = (await scorer.scoreAll([row!])) as Score[];
    expect(await scorer.similarity().compare([{ ...row!, reference: row!.reference ?? "" }])).toEqual([result!.score]);
  });
});
