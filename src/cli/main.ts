#!/usr/bin/env node
/** The `codescore` command. Each verb parses, calls the library and prints; only this file ends the process. */
import { CommanderError } from "commander";
import { CodescoreError, messageOf } from "../errors.ts";
import { closeSessions } from "../onnx/index.ts";
import { buildProgram } from "./program.ts";

let unread = false;
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  if (unread) return;
  unread = true; // `codescore ... | head` closes the pipe: not a failure
  void closeSessions().then(() => process.exit(0));
});

const debug = process.argv.includes("--debug");
try {
  await (await buildProgram(process.argv[2])).parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2; // commander says 1 for wrong use
  } else if (!unread) {
    process.stderr.write(`codescore: ${messageOf(error)}\n`);
    if (debug && error instanceof Error) process.stderr.write(`${error.stack}\n`);
    else if (!(error instanceof CodescoreError))
      process.stderr.write("This is a fault of codescore; --debug shows where.\n");
    process.exitCode = error instanceof CodescoreError && error.code === "usage" ? 2 : 1;
  }
}
if (!unread) process.exit();
