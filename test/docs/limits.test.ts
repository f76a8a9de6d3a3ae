/** The limits that docs/server.md states are those of the code. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MOST_ENTRY_CHARS } from "../../src/score/index.ts";
import { appDefaults } from "../../src/server/app.ts";
import { MOST_MARKS } from "../../src/server/body.ts";
import { MAX_STATEMENTS } from "../../src/server/explained.ts";
import { MAX_CONNECTIONS, REQUEST_MS } from "../../src/server/listen.ts";
import { MOST } from "../../src/server/page/link.ts";
import { QUEUE_CHARS } from "../../src/server/queue.ts";
import { OUTPUT_BYTES, TASK_MS } from "../../src/server/run-lane.ts";
import { QUEUE_CHARS as RUN_QUEUE_CHARS } from "../../src/server/run-queue.ts";
import { root } from "./commands.ts";

const text = readFileSync(join(root, "docs/server.md"), "utf8");

it("are those of the code, each in the table", () => {
  const table = text.slice(text.indexOf("## Limits\n")).match(/(?:^\|.*\n)+/m)![0];
  const rows = table
    .trim()
    .split("\n")
    .slice(2)
    .map((line) => line.split("|").map((cell) => cell.trim()));
  const stated = Object.fromEntries(rows.map(([, limit, value]) => [limit, value!.replace(/ \(.*/, "")]));
  const {
    maxBodyBytes,
    maxBodiesBytes,
    maxRows,
    maxRun,
    maxConsensus,
    maxExplained,
    maxJointChars,
    maxChars,
    maxInputs,
    queueLimit,
    runQueueLimit,
  } = appDefaults;
  const limits = {
    "bytes of a request body": maxBodyBytes,
    "bytes of all bodies that are not yet answered": maxBodiesBytes,
    "brackets, colons and commas in a body, outside of strings": MOST_MARKS,
    "seconds until a request has arrived": REQUEST_MS / 1000,
    connections: MAX_CONNECTIONS,
    "rows per request": maxRows,
    "rows per request with `run`": maxRun,
    "rows per request with `consensus`": maxConsensus,
    "rows per request with `explain`": maxExplained,
    "characters of all rows, with `run`, `consensus` or `explain`": maxJointChars,
    "characters of a candidate, reference or description": maxChars,
    "characters of an `entry_point`": MOST_ENTRY_CHARS,
    "statements with an effect, with `explain`": MAX_STATEMENTS,
    "inputs per task, with `run`": maxInputs,
    "rows that wait to be scored": queueLimit,
    "characters that wait to be scored": QUEUE_CHARS,
    "rows to run, not yet answered": runQueueLimit,
    "characters of the rows to run, not yet answered": RUN_QUEUE_CHARS,
    "seconds of one task, with `run`": TASK_MS / 1000,
    "bytes of a program's answer, with `run`": OUTPUT_BYTES,
  };
  const shown = Object.entries(limits).map(([name, value]) => [name, value.toLocaleString("en-US")]);
  expect(stated).toEqual(Object.fromEntries(shown));
});

it("and the length of a link to the page", () => {
  expect(text).toContain(`up to ${MOST.fragment.toLocaleString("en-US")} characters`);
});
