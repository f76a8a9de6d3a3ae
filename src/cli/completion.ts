/** Shell completion. `@bomb.sh/tab` completes verbs, flags and their choices; the shell itself completes file names. */
import tab, { ShellCompDirective } from "@bomb.sh/tab";
import addComplete from "@bomb.sh/tab/commander";
import type { Command, Option } from "commander";
import { ListOption } from "./options/values.ts";

/** Matches the placeholder, in the help, of an option that takes a file or folder. `--model` takes a folder too. */
const PATH_OF_OPTION = /(?:[<[](?:path|files?|folder|dirs?|place)(?:\.{3})?[\]>]|--model <model>)$/;
const PATH_ARGUMENTS = /^(?:file|dir|samples|sets|source|candidates|output|shards|runs?)$/;

/** Adds `codescore complete`. @param program must already have all its verbs */
export function addCompletion(program: Command): void {
  addComplete(program);
  nameShells(program);
  // The package sets this to "no files" at each completion. If it is not set and there is nothing else to offer, shells complete files.
  let wantsFile = false;
  const { ShellCompDirectiveDefault: files, ShellCompDirectiveNoFileComp: noFiles } = ShellCompDirective;
  Object.defineProperty(tab, "directive", { get: () => (wantsFile ? files : noFiles), set: () => {} });
  const askForFile = (): void => {
    wantsFile = true;
  };
  let typed = ""; // the word to complete
  const parse = tab.parse.bind(tab);
  tab.parse = (args) => {
    typed = args.at(-1) ?? "";
    parse(args);
  };
  for (const { path, command } of commandsOf(program)) {
    const known = tab.commands.get(path);
    for (const taken of command.options) {
      const option = known?.options.get(taken.long?.slice(2) ?? "");
      if (option === undefined) continue;
      if (PATH_OF_OPTION.test(taken.flags)) option.handler = askForFile;
      if (taken instanceof ListOption) option.handler = (offer) => offerLists(taken, typed, offer);
    }
    for (const argument of command.registeredArguments) {
      const completed = PATH_ARGUMENTS.test(argument.name()) ? known?.arguments.get(argument.name()) : undefined;
      if (completed !== undefined) completed.handler = askForFile;
    }
  }
  printWithFiles(program);
}

/** Makes `complete` without a shell name the shells. The package says only that an argument is missing. */
function nameShells(program: Command): void {
  const complete = program.commands.find((command) => command.name() === "complete");
  complete?.hook("preAction", ({ args }) => {
    if (args.length === 0 && !process.argv.includes("--"))
      complete.error("error: expected a shell: zsh, bash, fish or powershell");
  });
}

/** Offers the choices that a comma-separated list lacks, each after what is typed: `fails,unknown` for `fails,un`. */
function offerLists(
  { argChoices = [] }: Option,
  typed: string,
  offer: (value: string, description: string) => void,
): void {
  const list = typed.replace(/^-[^=]*=/, "");
  const begun = list.slice(0, list.lastIndexOf(",") + 1);
  const given = begun.split(",");
  for (const choice of argChoices) if (!given.includes(choice)) offer(begun + choice, "");
}

/** In bash: what is completed in `--fail-on=fa` begins after `=`, which separates words there. */
const AFTER_EQUALS = `[[ "$cur" == -*=* && "$COMP_WORDBREAKS" == *=* ]] && cur=\${cur#*=}`;

/**
 * Mends the package's script for bash. Files are completed only if the completion is registered with `-o default`. Choices after `=` are
 * compared with the whole word, so there are none. The script defines
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
            .replace(/^( *)COMPREPLY=\( \$\(compgen -W /m, (found, space) => `${space}${AFTER_EQUALS}\n${found}`)
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
