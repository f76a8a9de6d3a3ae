/** The verbs of the `codescore` command. */
import { Command } from "commander";
import { packageVersion } from "../util/files.ts";

export async function buildProgram(): Promise<Command> {
  const program = new Command("codescore")
    .description("Tells, without running it, how much of a program's job a program does.")
    .version(await packageVersion())
    .option("--debug", "show where in codescore an error arose")
    .showHelpAfterError("(codescore --help, or codescore VERB --help, shows what there is)")
    .exitOverride();
  for (const verb of [] as Command[]) program.addCommand(verb.exitOverride());
  return program;
}
