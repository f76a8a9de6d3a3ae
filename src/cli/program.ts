/** The verbs of the `codescore` command. */
import { Command } from "commander";
import { packageVersion } from "../util/files.ts";
import { calibrateVerb } from "./calibrate.ts";
import { compareVerb } from "./compare.ts";
import { datasetsVerb } from "./datasets.ts";
import { estimateVerb } from "./estimate.ts";
import { evaluateVerb } from "./evaluate.ts";
import { expandVerb } from "./expand.ts";
import { exportVerb } from "./export.ts";
import { importVerb } from "./import.ts";
import { labelVerb } from "./label.ts";
import { mutateVerb } from "./mutate.ts";
import { pretrainVerb } from "./pretrain.ts";
import { robustnessVerb } from "./robustness.ts";
import { rtcVerb } from "./rtc.ts";
import { sanitizeVerb } from "./sanitize.ts";
import { scoreVerb } from "./score.ts";
import { serveVerb } from "./serve.ts";
import { setupVerb } from "./setup.ts";
import { trainVerb } from "./train.ts";

const VERBS = [
  expandVerb,
  sanitizeVerb,
  mutateVerb,
  labelVerb,
  datasetsVerb,
  pretrainVerb,
  trainVerb,
  importVerb,
  exportVerb,
  calibrateVerb,
  scoreVerb,
  evaluateVerb,
  compareVerb,
  estimateVerb,
  robustnessVerb,
  rtcVerb,
  serveVerb,
  setupVerb,
];

export async function buildProgram(): Promise<Command> {
  const program = new Command("codescore")
    .description("Tells, without running it, how much of a program's job a program does.")
    .version(await packageVersion())
    .option("--debug", "show where in codescore an error arose")
    .configureOutput({ outputError: (text, write) => write(oneLine(text)) })
    .exitOverride();
  for (const verb of VERBS) addTo(program, verb());
  return program;
}

/** Subcommands do not inherit these settings by themselves when they are made elsewhere. */
function addTo(parent: Command, child: Command): void {
  child.copyInheritedSettings(parent).option("--debug", "show where in codescore an error arose");
  for (const grandchild of child.commands) grandchild.copyInheritedSettings(parent);
  parent.addCommand(child);
}

/** Commander's "error: ..." and its suggestion, in the form of every other message. */
const oneLine = (text: string): string =>
  `codescore: ${text
    .trim()
    .replace(/^error: /, "")
    .replace(/\s*\n\s*/g, " ")} (see codescore --help)\n`;
