/** Runs a verb in this process. */
import type { Command } from "commander";
import { vi } from "vitest";

/** The stdout of the verb. */
export async function run(verb: Command, ...args: string[]): Promise<string> {
  let printed = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  await verb.exitOverride().parseAsync(args, { from: "user" });
  return printed;
}
