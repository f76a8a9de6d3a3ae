#!/usr/bin/env node
/** The `codescore` command. Each verb parses, calls the library and prints; only this file ends the process. */
import { closeSessions } from "../onnx/index.ts";
import { fileError } from "../util/file-errors.ts";
import { wasmError } from "../util/wasm-memory.ts";
import { report, runCommand } from "./run.ts";

const args = process.argv.slice(2);

let said = false;

/** Says what went wrong first. */
function reportFirst(thrown: unknown): void {
  if (!said) report(thrown, args);
  said = true;
}

/** Nothing more can be printed: either nobody reads it, or the error was said. */
let over = false;
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (over) return;
  over = true;
  // `codescore ... | head` closes the pipe: not a failure
  if (error.code === "EPIPE") process.exitCode = 0;
  else reportFirst(fileError("write", error, "stdout"));
  void closeSessions().then(() => process.exit());
});
process.stderr.on("error", () => {}); // there is nowhere left to say so

// What Node makes requests with begins by itself, in WebAssembly, and nobody waits for it.
process.on("unhandledRejection", (thrown) => {
  reportFirst(wasmError(thrown));
  process.exit();
});

await runCommand(args, (thrown) => {
  if (!over) reportFirst(thrown);
});
await new Promise((resolve) => process.stdout.write("", resolve)); // what a full disk did not take is known only now
if (!over) process.exit();
