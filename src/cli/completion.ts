/** Shell completion. `@bomb.sh/tab` completes verbs, flags and their choices; the shell itself completes file names. */
import tab, { ShellCompDirective } from "@bomb.sh/tab";
import addComplete from "@bomb.sh/tab/commander";
import type { Command } from "commander";

/** Matches the placeholder, in the help, of an option that takes a file or folder. `--model` takes a folder too. */
const PATH_OF_OPTION = /(?:[<[](?:path|files?|folder|dirs?|place)(?:\.{3})?[\]>]|--model <model>)$/;
const PATH_ARGUMENTS = /^(?:file|dir|samples|sets|source|candidates|output|shards|runs?)$/;

/** Adds `codescore complete`. @param program must already have all its verbs */
export function addCompletion(program: Command): void {
  addComplete(program);
  // The package sets this to "no files" at each completion. If it is not set and there is nothing else to offer, shells complete files.
  let wantsFile = false;
  const { ShellCompDirectiveDefault: files, ShellCompDirectiveNoFileComp: noFiles } = ShellCompDirective;
  Object.defineProperty(tab, "directive", { get: () => (wantsFile ? files : noFiles), set: () => {} });
  const askForFile = (): void => {
    wantsFile = true;
  };
  for (const { path, command } of commandsOf(program)) {
    const known = tab.commands.get(path);
    for (const { flags, long } of command.options) {
      const option = PATH_OF_OPTION.test(flags) ? known?.options.get(long?.slice(2) ?? "") : undefined;
      if (option !== undefined) option.handler = askForFile;
    }
    for (const argument of command.registeredArguments) {
      const completed = PATH_ARGUMENTS.test(argument.name()) ? known?.arguments.get(argument.name()) : undefined;
      if (completed !== undefined) completed.handler = askForFile;
    }
  }
  printWithFiles(program);
}

/**
 * Mends the package's script for bash. Files are completed only if the completion is registered with `-o default`. The script defines
 * read-only variables under general names, so bash prints an error for each if the script is read again, or that of another command that
 * uses the package: here they are plain variables under names of this command's own.
 */
function printWithFiles(program: Command): void {
  const name = program.name();
  const setup = tab.setup.bind(tab);
  tab.setup = (...[as, executable, shell]) => {
    const { log } = console;
    if (shell === "bash")
      console.log = (script: string) =>
        log(
          script
            .replaceAll("readonly ShellCompDirective", "ShellCompDirective")
            .replaceAll("ShellCompDirective", `__${name}_directive`)
            .replace(`complete -F __${name}_complete`, `complete -o default -F __${name}_complete`),
        );
    try {
      setup(as, executable, shell);
    } finally {
      console.log = log;
    }
  };
}

function* commandsOf(parent: Command, above = ""): Generator<{ path: string; command: Command }> {
  for (const command of parent.commands) {
    const path = `${above}${command.name()}`;
    yield { path, command };
    yield* commandsOf(command, `${path} `);
  }
}
