#!/usr/bin/env node
/** The `codescore` command. Each verb parses, calls the library and prints. Only this file ends the process. */
import { closeSessions } from "../onnx/index.ts";
import { fileError } from "../util/file-errors.ts";
import { wasmError } from "../util/wasm-memory.ts";
import { requireNode } from "./node.ts";
import { report, runCommand } from "./run.ts";

const args = process.argv.slice(2);

let said = false;

/** Reports the first error only. */
function reportFirst(thrown: unknown): void {
  if (!said) report(thrown, args);
  said = true;
}

/** True when nothing more can be printed: stdout failed, and the reader is gone or the error has been reported. */
let over = false;
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (over) return;
  over = true;
  // `codescore ... | head` closes the pipe. This is not a failure.
  if (error.code === "EPIPE") process.exitCode = 0;
  else reportFirst(fileError("write", error, "stdout"));
  void closeSessions().then(() => process.exit());
});
process.stderr.on("error", () => {}); // stderr itself failed, so this cannot be reported

// Node's HTTP client starts a WebAssembly module on its own. Nothing awaits that promise, so a failure arrives here.
process.on("unhandledRejection", (thrown) => {
  reportFirst(wasmError(thrown));
  process.exit();
});

const fail = (thrown: unknown): void => {
  if (!over) reportFirst(thrown);
};
try {
  requireNode();
  await runCommand(args, fail);
} catch (error) {
  fail(error);
}
await new Promise((resolve) => process.stdout.write("", resolve)); // flush: a full disk shows its error only now
if (!over) process.exit();
