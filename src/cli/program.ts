/** The verbs of the `codescore` command. */
import { Command, type OutputConfiguration } from "commander";
import { packageVersion } from "../util/files.ts";

type Verbs = Readonly<Record<string, () => Promise<Command>>>;

/** In the order of the help, by its headings. Each is loaded on demand, because loading them all takes as long as starting Node. */
const GROUPS: Readonly<Record<string, Verbs>> = {
  "Score programs:": {
    score: async () => (await import("./score.ts")).scoreVerb(),
    serve: async () => (await import("./serve.ts")).serveVerb(),
    doctor: async () => (await import("./doctor.ts")).doctorVerb(),
  },
  "Measure metrics and models:": {
    evaluate: async () => (await import("./evaluate.ts")).evaluateVerb(),
    compare: async () => (await import("./compare.ts")).compareVerb(),
    estimate: async () => (await import("./estimate.ts")).estimateVerb(),
    robustness: async () => (await import("./robustness.ts")).robustnessVerb(),
    rtc: async () => (await import("./rtc.ts")).rtcVerb(),
  },
  "Make labelled data:": {
    datasets: async () => (await import("./datasets.ts")).datasetsVerb(),
    sanitize: async () => (await import("./sanitize.ts")).sanitizeVerb(),
    expand: async () => (await import("./expand.ts")).expandVerb(),
    label: async () => (await import("./label.ts")).labelVerb(),
    mutate: async () => (await import("./mutate.ts")).mutateVerb(),
    cluster: async () => (await import("./cluster.ts")).clusterVerb(),
  },
  "Train a model:": {
    train: async () => (await import("./train.ts")).trainVerb(),
    export: async () => (await import("./export.ts")).exportVerb(),
    boost: async () => (await import("./boost.ts")).boostVerb(),
    calibrate: async () => (await import("./calibrate.ts")).calibrateVerb(),
    pretrain: async () => (await import("./pretrain.ts")).pretrainVerb(),
    import: async () => (await import("./import.ts")).importVerb(),
    setup: async () => (await import("./setup.ts")).setupVerb(),
  },
};

/** @param asked the verb to run; any other text loads all verbs */
export async function buildProgram(asked = ""): Promise<Command> {
  const program = new Command("codescore")
    .description(
      "Estimates how well a Python program does its task: without tests, and if you like without running it.",
    )
    .version(await packageVersion())
    .option("--debug", "show the stack trace of an error")
    .configureOutput(errorsOf("codescore"))
    .exitOverride();
  const isKnown = Object.values(GROUPS).some((verbs) => Object.hasOwn(verbs, asked));
  for (const [heading, verbs] of Object.entries(GROUPS)) {
    for (const [name, load] of Object.entries(verbs))
      if (!isKnown || name === asked) addTo(program, (await load()).helpGroup(heading));
  }
  if (!isKnown) (await import("./completion.ts")).addCompletion(program); // `complete` needs all verbs
  return program;
}

function addTo(parent: Command, child: Command): void {
  inherit(parent, child, `${parent.name()} ${child.name()}`);
  parent.addCommand(child.option("--debug", "show the stack trace of an error"));
}

/** Commander copies no settings to subcommands that are created elsewhere. This does, and makes each name its own help in errors. */
function inherit(parent: Command, child: Command, path: string): void {
  child.copyInheritedSettings(parent).configureOutput(errorsOf(path));
  for (const grandchild of child.commands) inherit(child, grandchild, `${path} ${grandchild.name()}`);
}

/** Rewrites Commander's "error: ..." and its suggestion into the format of all other messages. */
const errorsOf = (path: string): OutputConfiguration => ({
  outputError: (text, write) =>
    write(
      `codescore: ${text
        .trim()
        .replace(/^error: /, "")
        .replace(/\s*\n\s*/g, " ")} (see ${path} --help)\n`,
    ),
});
