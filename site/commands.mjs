/** Generates the reference of the commands as Markdown, from the same data as `--help`. */
import { buildProgram } from "../dist/cli/program.js";

/** Escapes text for a table cell: `<` would start a tag, and `{{` an expression. */
const cell = (text) =>
  text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("{{", "{&#123;").replaceAll("\n", " ");
const code = (text) => `\`${text.replaceAll("|", "\\|")}\``;
const sentence = (text) =>
  text === "" ? "" : `${text[0].toUpperCase()}${text.slice(1)}${/[.!?)]$/.test(text) ? "" : "."}`;

function defaultOf({ defaultValue, defaultValueDescription, description, negate }) {
  if (defaultValue === undefined || negate || description.includes("(default")) return "";
  return ` Default: ${code(defaultValueDescription ?? String(defaultValue))}.`;
}

function optionsTable(options) {
  const rows = options
    .filter(({ hidden }) => !hidden)
    .map((option) => {
      const choices = option.argChoices ? ` One of ${option.argChoices.map(code).join(", ")}.` : "";
      const isNeeded = option.mandatory ? " Required." : "";
      return `| ${code(option.flags)} | ${cell(sentence(option.description))}${choices}${defaultOf(option)}${isNeeded} |`;
    });
  return rows.length === 0 ? "" : `| option | meaning |\n| --- | --- |\n${rows.join("\n")}\n`;
}

function argumentsTable(args) {
  if (args.length === 0) return "";
  const rows = args.map((arg) => {
    const name = arg.variadic ? `${arg.name()}...` : arg.name();
    const choices = arg.argChoices ? ` One of ${arg.argChoices.map(code).join(", ")}.` : "";
    return `| ${code(arg.required ? `<${name}>` : `[${name}]`)} | ${cell(sentence(arg.description))}${choices} |`;
  });
  return `| argument | meaning |\n| --- | --- |\n${rows.join("\n")}\n`;
}

/** The text below the options in `--help`: notes and examples. */
function after(command) {
  let text = "";
  command.emit("afterHelp", { error: false, command, write: (more) => (text += more) });
  return text.trim() === "" ? "" : `\`\`\`text\n${text.trim()}\n\`\`\`\n`;
}

/** A command and its subcommands, as sections. */
function section(command, path, depth) {
  const name = [...path, command.name()].join(" ");
  const own = command.commands.filter((one) => one.name() !== "help");
  const parts = [
    `${"#".repeat(depth)} ${name}`,
    sentence(command.description()).replaceAll("<", "&lt;"),
    own.length > 0 ? "" : `\`\`\`text\n${name} ${command.usage()}\n\`\`\``,
    argumentsTable(command.registeredArguments),
    optionsTable(command.options.filter(({ long }) => !["--help", "--debug"].includes(long))),
    after(command),
    ...own.map((one) => section(one, [...path, command.name()], depth + 1)),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Every command with its arguments, options and notes. */
export async function commandsMarkdown() {
  const program = await buildProgram();
  const commands = program.commands.filter((one) => one.name() !== "help" && !one._hidden);
  const intro = `# Commands

Made from the commands themselves: \`codescore COMMAND --help\` says the same. Every command also takes \`--debug\` (show the stack trace of
an error) and \`--help\`. Exit codes: 0 done, 1 something failed, 2 usage error.`;
  return `${[intro, ...commands.map((command) => section(command, ["codescore"], 2))].join("\n\n")}\n`;
}
