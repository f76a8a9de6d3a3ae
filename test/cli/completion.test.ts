/** Completion in the installed shells: each is started, gets a line and the tab key, and prints the resulting words. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const BASH_COMPLETION = "/usr/share/bash-completion/bash_completion";

const has = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;
const hasTerminal = process.platform === "linux" && has("script", "--version");

/** A shell function that runs the command for completion requests, and otherwise prints its words in angle brackets. */
const COMMAND = `codescore() { if [ "$1" = complete ]; then '${process.execPath}' '${main}' "$@"; else printf '<%s>' "$@"; fi; }`;

const CASES: readonly (readonly [typed: string, words: string])[] = [
  ["codescore score --reference sol\t", "<score><--reference><solved.py>"],
  ["codescore score no\t", "<score><notes.txt>"],
  ["codescore score --output=no\t", "<score><--output=notes.txt>"],
  ["codescore score --run my\t", "<score><--run><my solutions>"],
  ["codescore rtc compare my\t", "<rtc><compare><my solutions>"],
  ["codescore score --fail-under no\t", "<score><--fail-under><no>"],
  ["codescore score --precision int\t", "<score><--precision><int8>"],
  ["codescore score --fail-on fa\t", "<score><--fail-on><fails>"],
  ["codescore score --fail-on fails,un\t", "<score><--fail-on><fails,unknown>"],
  ["codescore score --fail-on=unknown,looks-right,f\t", "<score><--fail-on=unknown,looks-right,fails>"],
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codescore-completion-"));
  for (const name of ["solved.py", "notes.txt"]) await writeFile(join(folder, name), "");
  await mkdir(join(folder, "my solutions"));
});
afterAll(() => rm(folder, { recursive: true }));

/** What an interactive shell prints in angle brackets, without the slash that some shells add to folders. */
function wordsOf(shell: string, start: string): string[] {
  const input = [start, ...CASES.map(([typed]) => typed), "exit", ""].join("\n");
  const printed = execFileSync("script", ["-qec", shell, "/dev/null"], {
    ...{ cwd: folder, input, encoding: "utf8", stdio: ["pipe", "pipe", "ignore"] },
    env: { ...process.env, TERM: "dumb", COLUMNS: "200" },
  });
  return [...printed.matchAll(/(?:<(?:[\w=.,-]|\/(?=>)| )+>)+/g)].map(([words]) => words.replaceAll("/>", ">"));
}

const expected = CASES.map(([, words]) => words);

describe("shells complete names of files where the command takes them", () => {
  it.skipIf(!hasTerminal || !existsSync(BASH_COMPLETION))("bash", () => {
    const start = `. ${BASH_COMPLETION}; ${COMMAND}; . <(codescore complete bash); . <(codescore complete bash)`;
    expect(wordsOf("bash --norc --noprofile -i", start)).toEqual(expected);
  });

  it.skipIf(!hasTerminal || !has("zsh", "--version"))("zsh", () => {
    const start = `autoload -U compinit; compinit -u -D; ${COMMAND}; . <(codescore complete zsh); . <(codescore complete zsh)`;
    expect(wordsOf("zsh -f -i", start)).toEqual(expected);
  });

  it.skipIf(!has("fish", "--version"))("fish", () => {
    const asked = CASES.map(([typed]) => `complete -C "${typed.trimEnd()}"; echo .;`);
    const start = `function codescore; '${process.execPath}' '${main}' $argv; end; codescore complete fish | source; codescore complete fish | source;`;
    const printed = execFileSync("fish", ["--no-config", "-c", start + asked.join("")], {
      ...{ cwd: folder, encoding: "utf8", env: { ...process.env, HOME: folder } },
    });
    expect(printed.split(".\n").map((lines) => lines.trim().split("\t")[0])).toEqual([
      ...["solved.py", "notes.txt", "--output=notes.txt", "my solutions/", "my solutions/", "", "int8"],
      ...["fails", "fails,unknown", "--fail-on=unknown,looks-right,fails"],
      "",
    ]);
  });
});

/** What a shell that reads the script twice prints, and then the names of ours that it may not change. */
const readTwice = (shell: string, ...args: string[]) => {
  const script = join(folder, `complete.${shell}`);
  writeFileSync(script, execFileSync(process.execPath, [main, "complete", shell]));
  const { stdout, stderr } = spawnSync(shell, [...args.map((one) => one.replaceAll("SCRIPT", `'${script}'`))], {
    ...{ encoding: "utf8", env: { ...process.env, HOME: folder } },
  });
  return stdout + stderr;
};

describe("a shell reads the script twice without a word", () => {
  const other = "readonly ShellCompDirectiveError=1"; // as the script of another command that uses the package
  it.skipIf(!has("bash", "--version"))("bash", () => {
    const print = "complete -p codescore; readonly -p | grep -ci codescore";
    expect(readTwice("bash", "--norc", "-c", `${other}; . SCRIPT; . SCRIPT; ${print}`)).toBe(
      "complete -o default -F __codescore_complete codescore\n0\n",
    );
  });

  it.skipIf(!has("zsh", "--version"))("zsh", () => {
    const script = "autoload -U compinit; compinit -u -D; . SCRIPT; . SCRIPT; echo $_comps[codescore]";
    expect(readTwice("zsh", "-f", "-c", script)).toBe("_codescore\n");
  });

  it.skipIf(!has("fish", "--version"))("fish", () => {
    const command = `function codescore; '${process.execPath}' '${main}' $argv; end`;
    const script = `${command}; source SCRIPT; source SCRIPT; complete -C "codescore score --precision int"`;
    expect(readTwice("fish", "--no-config", "-c", script)).toBe("int8\n");
  });
});
