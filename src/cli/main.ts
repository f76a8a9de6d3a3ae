#!/usr/bin/env node
/** The `codescore` command. Each verb parses, calls the library and prints; only this file ends the process. */
import { CommanderError } from "commander";
import { CodescoreError, messageOf } from "../errors.ts";
import { closeSessions } from "../onnx/index.ts";
import { fileError } from "../util/file-errors.ts";
import { buildProgram } from "./program.ts";

const debug = process.argv.includes("--debug");

let said = false;

/** Says what went wrong first, and sets the exit code. */
function report(thrown: unknown): void {
  if (said) return;
  said = true;
  const error = fileError("use", thrown);
  process.stderr.write(`codescore: ${messageOf(error)}\n`);
  if (debug && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  else if (!(error instanceof CodescoreError))
    process.stderr.write("This is a fault of codescore; --debug shows where.\n");
  process.exitCode = error instanceof CodescoreError && error.code === "usage" ? 2 : 1;
}

/** Nothing more can be printed: either nobody reads it, or the error was said. */
let over = false;
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (over) return;
  over = true;
  // `codescore ... | head` closes the pipe: not a failure
  if (error.code === "EPIPE") process.exitCode = 0;
  else report(fileError("write", error, "stdout"));
  void closeSessions().then(() => process.exit());
});
process.stderr.on("error", () => {}); // there is nowhere left to say so

try {
  await (await buildProgram(process.argv[2])).parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2; // commander says 1 for wrong use
  } else if (!over) report(error);
}
await new Promise((resolve) => process.stdout.write("", resolve)); // what a full disk did not take is known only now
if (!over) process.exit();
