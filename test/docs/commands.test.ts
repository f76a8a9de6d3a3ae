/** Every command in the documents exists, and its options parse. commands.slow.test.ts, smaller.slow.test.ts and others.slow.test.ts run them. */
import { accessSync, constants, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { buildProgram } from "../../src/cli/program.ts";
import { isRunBeside, isRunSmaller, isRunWhole, NOT_RUN, root, shown, whyNotRun, wordsOf } from "./commands.ts";

const ours = shown.filter(({ command }) => wordsOf(command)[0] === "codescore");

it("finds the commands of every document, whatever their blocks look like", () => {
  const documents = new Set(shown.map(({ document }) => document));
  for (const name of ["README.md", "docs/tutorial.md", "docs/gpu-box.md", "docs/releasing.md"])
    expect(documents).toContain(name);
  expect(ours.length).toBeGreaterThan(50);
  expect(wordsOf("KEY=a npx codescore serve --rtc -d '{\"a b\": 1}' | head")).toEqual([
    "codescore",
    "serve",
    "--rtc",
    "-d",
    "{a b: 1}",
  ]);
});

it("finds no block of commands that it does not read", () => {
  for (const name of new Set(shown.map(({ document }) => document)))
    expect(readFileSync(join(root, name), "utf8"), name).not.toMatch(
      /^ *```(?:(?:sh|bash|shell|terminal)$|\n *(?:\$ |npx |npm |codescore ))/m,
    );
});

it("is in the sidebar of the site, every document", () => {
  const config = readFileSync(join(root, "site/.vitepress/config.mjs"), "utf8");
  const pages = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
  const isLinked = (name: string): boolean =>
    new RegExp(`^    "?${name.slice(0, -".md".length)}"?: "`, "m").test(config);
  expect(pages.filter((name) => !isLinked(name) && name !== "tutorial.md")).toEqual([]);
});

/** Parses the arguments without running the command. */
async function parse(args: readonly string[]): Promise<void> {
  const program = await buildProgram(args[0]);
  const still = (command: Command): void => {
    command.action(() => {}).configureOutput({ writeErr: () => {} });
    command.commands.forEach(still);
  };
  for (const command of program.commands) still(command);
  await program.parseAsync([...args], { from: "user" });
}

describe("a command in a document", () => {
  it.each(ours.map(({ document, command }) => [document, command] as const))(
    "is understood: %s: %s",
    async (_, command) => {
      await parse(wordsOf(command).slice(1));
    },
  );

  it("would be refused with an option that there is not", async () => {
    await expect(parse(["score", "--fromat", "ref"])).rejects.toThrow("unknown option '--fromat'");
  });

  it("is run by a slow suite, or there is a reason why not", () => {
    const isRun = ({ command }: (typeof shown)[number]): boolean =>
      isRunWhole(command) || isRunSmaller(command) || isRunBeside(command);
    expect(shown.filter((one) => !isRun(one) && whyNotRun(one.command) === undefined)).toEqual([]);
    expect(shown.filter(({ command }) => isRunWhole(command)).length).toBeGreaterThan(40);
    expect(shown.filter(({ command }) => isRunSmaller(command)).length).toBeGreaterThan(25);
    expect(shown.filter(({ command }) => isRunBeside(command)).length).toBeGreaterThan(20);
    const stale = NOT_RUN.filter(([pattern]) => !shown.some(({ command }) => pattern.test(command)));
    expect(stale).toEqual([]);
  });
});

it("names scripts that exist, where it runs one", () => {
  const scriptsOf = (folder: string): string[] =>
    Object.keys(JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")).scripts);
  const runs = shown.flatMap(({ command }) => [
    ...command.matchAll(/\bnpm (?:run )?(quickstart|test|build)\b(?: --prefix (\w+))?/g),
  ]);
  expect(runs.length).toBeGreaterThan(5);
  for (const [command, script, folder = "."] of runs) expect(scriptsOf(folder), command).toContain(script);
  const files = shown.filter(({ command }) => command === ".ci/run");
  expect(files).not.toEqual([]);
  accessSync(join(root, ".ci/run"), constants.X_OK);
});
