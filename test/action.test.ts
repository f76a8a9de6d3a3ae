/** The GitHub Action: runs its steps as the runner would, on this machine. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { makeModel } from "./score/model.ts";

interface Step {
  readonly name: string;
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
}

const root = fileURLToPath(new URL("..", import.meta.url));
const action = parse(readFileSync(join(root, "action.yml"), "utf8")) as {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
};
const stepOf = (name: string): Step => action.runs.steps.find((one) => one.name === name)!;
const [build, score] = [stepOf("Build codescore"), stepOf("Score")];

const hasBash = spawnSync("bash", ["--version"]).status === 0;

let folder: string;
let model: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codescore-action-"));
  model = await makeModel();
  await writeFile(join(folder, "good one.py"), "def f(a, b):\n    return a + b\n");
  await writeFile(join(folder, "ref.py"), "def f(a, b):\n    return b + a\n");
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await rm(model, { recursive: true });
});

/** Runs the scoring step with these inputs. Expressions are filled in as the runner does. */
function step(inputs: Readonly<Record<string, string>>) {
  const filled = (text: string): string =>
    text.replace(/\$\{\{ (\S+) \}\}/g, (_, name: string) => {
      if (name === "github.action_path") return root;
      const key = name.replace(/^inputs\./, "");
      return inputs[key] ?? action.inputs[key]!.default;
    });
  const env = Object.fromEntries(Object.entries(score.env!).map(([name, value]) => [name, filled(value)]));
  const run = filled(score.run!).replace('" score ', `" score --model ${model} `); // a small model is fast
  return spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", run], {
    cwd: folder,
    env: { ...process.env, ...env },
    encoding: "utf8",
  });
}

describe("action.yml", () => {
  it("builds by scripts that there are, and puts no input into a script", () => {
    expect(action.runs.using).toBe("composite");
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    for (const [, name] of build.run!.matchAll(/npm run --silent (\w+)/g)) expect(scripts).toHaveProperty(name!);
    expect(existsSync(join(root, "package-lock.json"))).toBe(true); // `npm ci` requires it
    for (const one of action.runs.steps) expect(one.run ?? "").not.toContain("${{");
    for (const value of Object.values(score.env!)) {
      const name = /inputs\.(\S+) /.exec(value)?.[1];
      if (name !== undefined) expect(action.inputs).toHaveProperty(name);
    }
  });

  it.skipIf(!hasBash)("sets up Node only where it is missing or older than 20", async () => {
    const [look, setUp] = [stepOf("Look for Node"), stepOf("Set up Node")];
    expect(setUp.if).toBe(`steps.${look.id}.outputs.needed == 'true'`);
    expect(setUp.uses).toMatch(/^actions\/setup-node@v\d+$/);
    expect(setUp.with!["node-version"]).toBe("22");
    const names = action.runs.steps.map(({ name }) => name);
    expect(names).toEqual(["Look for Node", "Set up Node", "Build codescore", "Score"]);
    const lookedWith = async (programs: Readonly<Record<string, string>>): Promise<string> => {
      const path = await mkdtemp(join(folder, "path-"));
      for (const [name, text] of Object.entries(programs))
        await writeFile(join(path, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
      const output = join(path, "output");
      await writeFile(output, "");
      const bash = spawnSync("bash", ["-c", "command -v bash"], { encoding: "utf8" }).stdout.trim();
      const env = { PATH: path, GITHUB_OUTPUT: output };
      const args = ["--noprofile", "--norc", "-eo", "pipefail", "-c", look.run!];
      const { status, stderr } = spawnSync(bash, args, { env, encoding: "utf8" });
      expect([status, stderr]).toEqual([0, ""]);
      return readFile(output, "utf8");
    };
    expect(await lookedWith({ node: "echo 20", npm: "" })).toBe("");
    expect(await lookedWith({ node: "echo 18", npm: "" })).toBe("needed=true\n");
    expect(await lookedWith({ node: "echo 22" })).toBe("needed=true\n");
    expect(await lookedWith({})).toBe("needed=true\n");
  });

  it.skipIf(!hasBash)("scores files, and leaves test cases and scores", async () => {
    const { status, stderr } = step({ candidates: "\ngood one.py\n", reference: "ref.py", "fail-under": "0" });
    expect(status, stderr).toBe(0);
    expect(await readFile(join(folder, "codescore.xml"), "utf8")).toContain('tests="1" failures="0" errors="0"');
    expect(await readFile(join(folder, "codescore.jsonl"), "utf8")).toContain('"id":"good one.py"');
  });

  it.skipIf(!hasBash)("scores changed files against a folder of references", async () => {
    await mkdir(join(folder, "solutions"));
    for (const name of ["good one.py", "unchanged.py"])
      await writeFile(join(folder, "solutions", name), "def f(a, b):\n    return b + a\n");
    const { status, stderr } = step({ candidates: "good one.py", reference: "solutions", "fail-under": "0" });
    expect(status, stderr).toBe(0);
  });

  it.skipIf(!hasBash)("says what it needs if it is given nothing to score", () => {
    const { status, stderr } = step({ candidates: "\n", reference: "ref.py" });
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^::error .*expected one of candidates, input, /)]);
  });

  it.skipIf(!hasBash)("hands over the Python of an environment", () => {
    const { status, stderr } = step({
      candidates: "good one.py",
      reference: "ref.py",
      run: "true",
      python: "no/python",
    });
    expect([status, stderr]).toEqual([2, expect.stringContaining("no/python")]);
  });

  it.skipIf(!hasBash)("hands over the name of a sandbox", () => {
    const { status, stderr } = step({ candidates: "good one.py", reference: "ref.py", run: "true", sandbox: "chroot" });
    expect([status, stderr]).toEqual([2, expect.stringContaining("chroot")]);
  });

  it.skipIf(!hasBash)("fails with an annotation where a score is too low", () => {
    const { status, stderr } = step({ candidates: "good one.py", reference: "ref.py", "fail-under": "1" });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^::error file=good one\.py,title=codescore%3A below 1::score 0\./m);
  });

  it.skipIf(!hasBash)("runs nothing that stands in an input", () => {
    const { stdout, stderr } = step({ candidates: '$(echo hacked)"; echo hacked; "', reference: "`echo hacked`" });
    expect(stdout).not.toMatch(/^hacked/m);
    expect(stderr).not.toMatch(/^hacked/m);
  });
});
