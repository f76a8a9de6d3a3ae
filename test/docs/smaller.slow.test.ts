/**
 * Runs the commands of the documents that need a model server, a server of ours, or training, with smaller settings (`smaller`). They stand
 * in the order of the documents, and later ones use what earlier ones wrote. Needs `npm run build`.
 */
import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { bwrapWorks } from "../execute/open.ts";
import { type Stub, startStub } from "../rtc/stub.ts";
import { shopTests, writeShop } from "../rtc/synthesis/shop.ts";
import { startServer } from "../server/served.ts";
import { isRunSmaller, root, shown, wordsOf } from "./commands.ts";
import { type Folder, firstLines, openFolder } from "./folder.ts";

let folder: Folder;
let model: Stub;

/** Answers every request alike. A description ends where the code begins. */
const ANSWER = "Gives the input back.\n\n```python\nreturn x\n```\n";

const jsonl = (...rows: readonly object[]): string => `${rows.map((row) => JSON.stringify(row)).join("\n")}\n`;

beforeAll(async () => {
  folder = await openFolder();
  model = await startStub(({ body }) => ({ texts: Array.from({ length: Number(body.n ?? 1) }, () => ANSWER) }));
  vi.stubEnv("OPENAI_BASE_URL", model.url);
  vi.stubEnv("OPENAI_API_KEY", "none");
  const { at, write, make } = folder;
  // Enough problems and programs for a calibration: 20 problems and 200 programs.
  const problems = `${await firstLines("datasets/starter/humaneval-style.jsonl", 24)}\n`;
  for (const name of ["problems.jsonl", "bigcodebench.jsonl"]) await write(name, problems);
  await write("HumanEval.jsonl.gz", gzipSync(problems));
  await make("codescore mutate --problems problems.jsonl --per-problem 9 --output samples.jsonl");
  await make("codescore label --problems problems.jsonl --samples samples.jsonl --output data/train.arrow");
  await cp(at("data/train.arrow"), at("dev.arrow"));
  await make("codescore mutate --problems problems.jsonl --per-problem 1 --output few.jsonl");
  await make("codescore label --problems problems.jsonl --samples few.jsonl --output data/dev.arrow");
  for (const name of ["reference.py", "candidate.py", "ref.py"]) await write(name, "def f(x):\n    return 2 * x\n");
  await cp(`${root}/datasets/notebooks`, at("datasets/notebooks"), { recursive: true });
  await write(
    "analysis.ipynb",
    JSON.stringify({
      ...{ nbformat: 4, nbformat_minor: 5, metadata: {} },
      cells: ["xs = [1, 2, 3]", "total = sum(xs)", "mean = total / len(xs)\nprint(mean)"].map((source) => ({
        ...{ cell_type: "code", metadata: {}, source, outputs: [], execution_count: null },
      })),
    }),
  );
  const python = (await folder.run("python3 -c 'import sys; print(sys.executable)'")).stdout.trim();
  for (const name of ["env", "venv"]) {
    await mkdir(at(`${name}/bin`), { recursive: true });
    await symlink(process.env.CODESCORE_PYTHON ?? python, at(`${name}/bin/python`));
  }
  await writeShop(at("shop"));
  await writeShop(at("toolz"));
  await write("projects.jsonl", jsonl({ name: "shop", project: "shop", tests: shopTests }));
  await symlink(join(root, "src/execute/python"), at("projects"));
  const block = (document: string, start: string): string => {
    const text = readFileSync(join(root, document), "utf8");
    const found = [...text.matchAll(/^```json\n([\s\S]*?)^```$/gm)].find(([, json]) => json!.startsWith(start));
    return found?.[1] ?? expect.fail(`${document} has no block that begins with ${start}`);
  };
  const { codescore, ...shape } = JSON.parse(block("docs/gpu-box.md", '{"model_type": "modernbert"')) as {
    codescore: object;
  };
  const small = { hidden_size: 24, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 32 };
  await write("encoder.json", JSON.stringify({ ...shape, ...small, codescore: { ...codescore, max_length: 64 } }));
  await write("answers.jsonl", block("docs/rtc.md", '{"task_id": "easy/double"'));
}, 600_000);

afterAll(async () => {
  vi.unstubAllEnvs();
  await model.close();
  await folder.remove();
});

/** A command that trains gets a process of its own, since engines leave threads and memory behind. */
const isTraining = (command: string): boolean => /codescore (train|pretrain)\b/.test(command);

/** The command with a port and a model server that are there, few problems, and two steps of the smallest model. */
function smaller(command: string): string {
  const isTrip = /rtc (synthesis|editing|patched|identity)\b(?!.*--(limit|projects))/.test(command);
  const short = command
    .replace(/ --steps \d+/, isTraining(command) ? "" : "$&")
    .replace(/--size small/, "--size nano")
    .replace(/--vocab-size \d+/, "--vocab-size 300")
    .replace(/ --batch-tokens \d+/, "")
    .replace(/--test-command "[^"]*"/, `--test-command "${shopTests}"`)
    .replace("~/projects /usr/lib/python3", "projects")
    .replace(/(calibrate .*--data )data\//, "$1") // data/dev.arrow is small here
    .replace("http://127.0.0.1:8080/v1", model.url);
  return `${short}${isTraining(command) ? " --steps 2 --batch-tokens 512" : ""}${isTrip ? " --limit 5" : ""}${command.includes("--projects") ? " --least-spans 1" : ""}`;
}

const some = shown.filter(({ command }) => isRunSmaller(command));
const isServe = (command: string): boolean => /codescore serve/.test(command);
const isCurl = (command: string): boolean => wordsOf(command)[0] === "curl";

it.each(some.filter(({ command }) => !isServe(command) && !isCurl(command)).map((one) => [one.document, one.command]))(
  "%s: %s",
  async (_, command) => {
    if (/--projects? /.test(command) && !bwrapWorks) return;
    // Runs that the page compares but does not make.
    for (const name of ["trivial", "people"])
      if (command.includes(`${name}=runs/`))
        await cp(folder.at("runs/gemma"), folder.at(`runs/${name}`), { recursive: true });
    // A page shows several runs, each of which begins anew.
    if (/codescore train/.test(command)) await rm(folder.at("models/mine"), { recursive: true, force: true });
    else if (/(score|calibrate) --model models\/mine/.test(command) && !existsSync(folder.at("models/mine/onnx")))
      await folder.make("codescore export models/mine");
    const { code, stdout, stderr } = await folder[isTraining(command) ? "run" : "runAgain"](smaller(command));
    expect(code, stderr.slice(-2000)).toBe(0);
    expect(stdout + stderr).not.toBe("");
  },
);

it.each(some.filter(({ command }) => isServe(command)).map((one) => [one.document, one.command] as const))(
  "%s: %s, and the requests on the page",
  async (document, command) => {
    const flags = wordsOf(command).slice(2);
    const { url, child, ended } = await startServer(flags);
    for (const request of some.filter((one) => one.document === document && isCurl(one.command))) {
      const { code, stdout, stderr } = await folder.run(request.command.replace("localhost:8080", new URL(url).host));
      expect(code, stderr).toBe(0);
      const { rows } = JSON.parse(stdout) as { rows: { error?: unknown; conclusion?: string }[] };
      expect(rows.map(({ error, conclusion }) => [error, typeof conclusion])).toEqual([[undefined, "string"]]);
    }
    if (flags.includes("--rtc")) {
      const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "Write the mean of a list." }] });
      const headers = { "content-type": "application/json" };
      const response = await fetch(`${url}/evaluate/v1/chat/completions`, { method: "POST", headers, body });
      expect([response.status, response.headers.get("x-codescore-rtc-score")]).toEqual([200, "1"]);
    }
    child.kill("SIGTERM");
    expect(await ended).toEqual({ code: 0, signal: null });
  },
);
