/** How the pool handles a guard that violates the protocol: every program gets an answer. */
import { expect, it, onTestFinished } from "vitest";
import { defaultLimits } from "../../src/execute/index.ts";
import { Pool } from "../../src/execute/pool.ts";
import type { Suite } from "../../src/execute/protocol.ts";

const suite: Suite = { key: "k", mode: "call", entry: "f", setup: "", inputs: ["1", "2"] };
const budgets = () => ({ seconds: [1, 1] });

/** A pool whose guard answers every frame with `reply`, an expression of the job's number `id`. */
async function answering(reply: string): Promise<Pool> {
  const script = `
    const put = (text) => {
      const size = Buffer.alloc(4);
      size.writeUInt32BE(Buffer.byteLength(text));
      process.stdout.write(Buffer.concat([size, Buffer.from(text)]));
    };
    put("{}");
    let data = Buffer.alloc(0);
    process.stdin.on("data", (piece) => {
      data = Buffer.concat([data, piece]);
      while (data.length >= 4 && data.length >= 4 + data.readUInt32BE()) {
        const end = 4 + data.readUInt32BE();
        const { id } = JSON.parse(data.subarray(4, end));
        data = data.subarray(end);
        const reply = ${reply};
        if (reply !== null) put(reply);
      }
    });`;
  const abilities = { pidNamespace: false, privateTmp: false, forks: true };
  const command = () => ({ file: process.execPath, args: ["-e", script], env: {} });
  const pool = new Pool({ kind: "none", abilities, command }, defaultLimits, 1, false);
  onTestFinished(() => pool.close());
  await pool.start();
  return pool;
}

const head = "JSON.stringify({ id, cpu: 0 })";

it("takes the lines of a job by its number", async () => {
  const pool = await answering(`${head} + "\\nv 0.5 1\\nt 0 null"`);
  const lines = [
    { status: "v", cpuS: 0.5, payload: "1" },
    { status: "t", cpuS: 0, payload: "null" },
  ];
  expect(await Promise.all([pool.run(suite, "a", budgets), pool.run(suite, "b", budgets)])).toEqual([lines, lines]);
});

it.each([
  ["too few lines", `${head} + "\\nv 0 1"`, "answered 1 lines to 2 inputs"],
  ["another's number", 'JSON.stringify({ id: id + 7 }) + "\\nv 0 1\\nv 0 1"', "answered job 8, which it was not given"],
  [
    "another's number, given back",
    "JSON.stringify({ id: id + 7, back: true })",
    "answered job 8, which it was not given",
  ],
  ["no JSON", '"words"', "while it ran this program"],
])("gives up a job that is answered with %s", async (_, reply, message) => {
  const pool = await answering(reply);
  const run = pool.run(suite, "a", budgets);
  await expect(run).rejects.toMatchObject({ code: "infra", message: expect.stringContaining(message) });
});

it("rejects what was not answered when it is closed", async () => {
  const pool = await answering("null");
  const runs = Array.from({ length: 5 }, (_, i) => pool.run(suite, String(i), budgets));
  const ends = Promise.allSettled(runs);
  await pool.close();
  for (const end of await ends) {
    expect(end).toMatchObject({ status: "rejected", reason: { code: "infra", message: "the executor is closed" } });
  }
});

it("sends a job that was given back again", async () => {
  const pool = await answering(`id === 1 ? JSON.stringify({ id, back: true }) : ${head} + "\\nv 0 1\\nv 0 " + id`);
  const [, second] = await pool.run(suite, "a", budgets);
  expect(second!.payload).toBe("2");
});
