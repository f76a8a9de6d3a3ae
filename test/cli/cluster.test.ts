/** The files of `codescore cluster`: the shell scripts label every shard, retry failures and join the shards; the Job is valid for Kubernetes. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { tempFolder, writeRows } from "../problems/helpers.ts";
import { codescoreHere } from "./run.ts";

const entry = join(fileURLToPath(new URL("../..", import.meta.url)), "dist", "cli", "main.js");
const hasBash = spawnSync("bash", ["-c", "true"]).status === 0;
const read = (...path: string[]): string => readFileSync(join(...path), "utf8");

/** A fake `codescore` that logs its arguments. Shard 3 fails twice, shard 5 always, and shard 6 always but leaves a file. */
function fakeCommand(folder: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const script = `#!/bin/bash
printf '%s\\n' "$*" >> '${folder}/asked'
case "$*" in
  *"--shard 3/"*) [ "$(grep -c -- '--shard 3/' '${folder}/asked')" -ge 3 ] || exit 137 ;;
  *"--shard 5/"*) exit 1 ;;
  *"--shard 6/"*) for word; do out=$word; [ "$before" = --output ] && touch "$word"; before=$word; done; exit 1 ;;
esac
`;
  writeFileSync(join(bin, "codescore"), script);
  chmodSync(join(bin, "codescore"), 0o755);
  return bin;
}

async function slurm(folder: string, ...more: string[]) {
  const given = ["--problems", join(folder, "it's p.jsonl"), "--samples", join(folder, "samples"), "--output", folder];
  const { code, stderr } = await codescoreHere(["cluster", "slurm", ...given, ...more]);
  expect(code, stderr).toBe(0);
}

/** A `codescore` that runs the built command. */
function realCommand(folder: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "codescore"), `#!/bin/bash\nexec '${process.execPath}' '${entry}' "$@"\n`);
  chmodSync(join(bin, "codescore"), 0o755);
  return bin;
}

/** Runs the scripts of both parts of an array, and the one that joins. */
function runArray(folder: string, step: string): void {
  const PATH = `${realCommand(folder)}${delimiter}${process.env.PATH}`;
  for (const [name, part] of [
    [step, "1"],
    [step, "2"],
    ["merge", ""],
  ]) {
    const env = { ...process.env, PATH, SLURM_ARRAY_TASK_ID: part };
    const { status, stderr } = spawnSync("bash", [join(folder, `${name}.sbatch`)], { env, encoding: "utf8" });
    expect(status, stderr).toBe(0);
  }
}

describe("cluster slurm", () => {
  it.skipIf(!hasBash)("calls the command once a shard, and again where it fails", async () => {
    const folder = tempFolder();
    await slurm(folder, "--shards", "7", "--tasks", "3", "--retries", "2", "--", "--expand", "50");
    mkdirSync(join(folder, "labels"));
    const env = { ...process.env, PATH: `${fakeCommand(folder)}${delimiter}${process.env.PATH}` };
    const run = (part: number) => {
      const { status } = spawnSync("bash", [join(folder, "label.sbatch")], {
        env: { ...env, SLURM_ARRAY_TASK_ID: `${part}` },
      });
      return status;
    };
    expect([run(1), run(2), run(3)]).toEqual([0, 1, 0]); // shard 5 belongs to part 2
    const asked = read(folder, "asked").trim().split("\n");
    const shards = asked.map((line) => /--shard (\d+)\/7 /.exec(line)?.[1]);
    expect(shards).toEqual([..."147", ..."2555", ..."333666"]);
    expect(asked[0]).toBe(
      `label --problems ${folder}/it's p.jsonl --samples ${folder}/samples --shard 1/7 --output ${folder}/labels/1.arrow --workers 1 --expand 50`,
    );
    for (const name of ["1.arrow", "2.arrow"]) writeFileSync(join(folder, "labels", name), "");
    expect(spawnSync("bash", [join(folder, "merge.sbatch")], { env }).status).toBe(0);
    expect(read(folder, "asked").trim().split("\n").at(-1)).toMatch(
      /^datasets merge \S+\/labels.arrow \S+\/1.arrow \S+\/2.arrow/,
    );
  });

  it.skipIf(!hasBash)("labels, expands and scores as one process does", { timeout: 180_000 }, async () => {
    const ids = ["P/0", "P/1", "P/2", "P/3", "P/4"];
    const problems = writeRows(
      ids.map((task_id, i) => ({
        ...{ task_id, description: `Add ${i} to a number.`, entry_point: "f", tests: [`assert f(1) == ${1 + i}`] },
        references: [`def f(x: int) -> int:\n    return x + ${i}\n`],
      })),
    );
    const samples = writeRows(
      ids.flatMap((task_id, i) => [i, i + 1].map((k) => ({ task_id, solution: `def f(x):\n    return ${k} + x\n` }))),
    );
    const input = writeRows(
      ids.map((id, i) => ({ id, candidate: `def f(x):\n    return x\n`, reference: `x = ${i}\n` })),
    );
    const steps = [
      ["label", "labels.arrow", ["--problems", problems, "--samples", samples], ["--workers", "1"], []],
      ["expand", "expanded.jsonl", ["--problems", problems], ["--workers", "1"], ["--count", "3"]],
      ["score", "scores.jsonl", ["--input", input], ["--threads", "1"], ["--model", "tiny"]],
    ] as const;
    for (const [step, name, given, cores, options] of steps) {
      const folder = tempFolder();
      const words = [
        "cluster",
        "slurm",
        "--step",
        step,
        ...given,
        "--shards",
        "2",
        "--output",
        folder,
        "--",
        ...options,
      ];
      const { code, stderr } = await codescoreHere(words);
      expect(code, stderr).toBe(0);
      runArray(folder, step);
      const one = join(folder, "one", name);
      const whole = await codescoreHere([step, ...given, ...cores, ...options, "--output", one]);
      expect(whole.code, whole.stderr).toBe(0);
      for (const ending of step === "score" ? [""] : ["", ".manifest.json"])
        expect(readFileSync(join(folder, `${name}${ending}`)).equals(readFileSync(`${one}${ending}`)), step).toBe(true);
    }
  });

  it("asks for what a part needs", async () => {
    const folder = tempFolder();
    await slurm(folder, "--shards", "7", "--cpus", "2", "--memory", "3G", "--time", "2:00:00", "--partition", "short");
    const text = read(folder, "label.sbatch");
    for (const word of [
      "--array=1-7",
      "--cpus-per-task=2",
      "--mem=3G",
      "--time=2:00:00",
      "--partition=short",
      "--requeue",
    ]) {
      expect(text).toContain(`#SBATCH ${word}\n`);
    }
    expect(read(folder, "submit.sh")).toContain('sbatch --dependency="afterok:$label"');
    if (hasBash)
      for (const name of ["label.sbatch", "merge.sbatch", "submit.sh"])
        execFileSync("bash", ["-n", join(folder, name)]);
  });

  it.each([
    [[], "expected --shards N, got none"],
    [["--shards", "2", "--", "--output", "x"], "--output is set for each shard"],
    [["--shards", "2", "--memory", "many"], "Expected a size such as 4G"],
    [["--shards", "2", "--input", "rows.jsonl"], "--input needs --step score"],
    [["--shards", "2", "--step", "expand"], "--step expand reads no samples: remove --samples"],
    [["--shards", "2", "--step", "score", "--input", "rows.jsonl"], "give --input, or --problems and --samples"],
    [["--shards", "2", "--step", "score", "--", "--threads", "2"], "--threads is set for each shard"],
    [["--shards", "2", "--step", "other"], "Allowed choices are label, expand, score"],
    [["--shards", "2", "--output", "s3://bucket/run"], "expected a path that all machines share, got s3://bucket/run"],
  ])("%j is refused", async (more, message) => {
    const folder = tempFolder();
    const given = ["--problems", "p", "--samples", join(folder, "samples"), "--output", folder];
    const { code, stderr } = await codescoreHere(["cluster", "slurm", ...given, ...more]);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
    expect(existsSync(join(folder, "label.sbatch"))).toBe(false);
  });
});

describe("cluster k8s", () => {
  const of = async (...more: string[]) => {
    const folder = tempFolder();
    const { code, stderr } = await codescoreHere([
      "cluster",
      "k8s",
      "--image",
      "registry/codescore:1",
      "--write",
      folder,
      "--shards",
      "7",
      ...more,
    ]);
    expect(code, stderr).toBe(0);
    const step = more[more.indexOf("--step") + 1] as string;
    const name = more.includes("--step") ? step : "label";
    return { folder, label: JSON.parse(read(folder, `${name}.json`)), merge: JSON.parse(read(folder, "merge.json")) };
  };

  it("is an indexed Job that needs no privilege, and one that joins", async () => {
    const { folder, label, merge } = await of(
      "--problems",
      "/data/p",
      "--samples",
      "/data/s",
      "--output",
      "/data/run",
      "--claim",
      "sets",
    );
    expect(label.spec).toMatchObject({
      completionMode: "Indexed",
      completions: 7,
      parallelism: 7,
      backoffLimitPerIndex: 3,
    });
    const { spec } = label.spec.template;
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true });
    const [container] = spec.containers;
    expect(container.securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
    });
    expect(container.command[2]).toContain("shard=$((JOB_COMPLETION_INDEX + 1))");
    expect(container.volumeMounts).toContainEqual({ name: "data", mountPath: "/data" });
    expect(merge.spec.template.spec.containers[0].command[2]).toBe(
      "codescore datasets merge /data/run/labels.arrow /data/run/labels/*.arrow\n",
    );
    if (hasBash) {
      execFileSync("bash", ["-n", join(folder, "submit.sh")]);
      execFileSync("bash", ["-nc", container.command[2]]);
    }
  });

  it.each([
    [
      ["--step", "expand", "--problems", "/data/p", "--output", "/data/run", "--claim", "sets", "--", "--count", "9"],
      'codescore expand --problems /data/p --shard "$shard/7" --output "$out" --workers 1 --count 9;',
      "codescore datasets merge /data/run/expanded.jsonl /data/run/expanded/*.jsonl\n",
    ],
    [
      ["--step", "score", "--input", "/data/r.jsonl", "--output", "/data/run", "--claim", "sets", "--", "--run"],
      'codescore score --input /data/r.jsonl --shard "$shard/7" --output "$out" --threads 1 --workers 1 --run;',
      "codescore datasets merge /data/run/scores.jsonl /data/run/scores/*.jsonl\n",
    ],
    [
      ["--step", "score", "--problems", "s3://b/p", "--samples", "s3://b/s/", "--output", "s3://b/run"],
      'python3 -m codescore.shards score --problems s3://b/p --samples s3://b/s --shard "$shard/7" --output "$out" --threads 1;',
      "python3 -m codescore.shards join s3://b/run/scores --output s3://b/run/scores.jsonl\n",
    ],
  ])("does the step %j", async (words, command, joins) => {
    const { folder, label, merge } = await of(...words);
    expect(label.metadata.name).toBe(`codescore-${words[1]}`);
    const [, , script] = label.spec.template.spec.containers[0].command;
    expect(script).toContain(`until ${command} do`);
    expect(merge.spec.template.spec.containers[0].command[2]).toBe(joins);
    expect(read(folder, "submit.sh")).toContain(`for part in ${words[1]} merge;`);
    if (hasBash) execFileSync("bash", ["-nc", script]);
  });

  it("goes through the Python package where rows are by URL", async () => {
    const { label, merge } = await of(
      "--problems",
      "s3://b/p.jsonl",
      "--samples",
      "s3://b/s/",
      "--output",
      "s3://b/run",
      "--secret",
      "bucket",
    );
    for (const job of [label, merge])
      expect(job.spec.template.spec.containers[0].envFrom).toEqual([{ secretRef: { name: "bucket" } }]);
    const [container] = label.spec.template.spec.containers;
    expect(container.command[2]).toContain(
      'python3 -m codescore.shards label s3://b/s/"$name" --problems s3://b/p.jsonl --output s3://b/run/labels --workers 1',
    );
    expect(container.volumeMounts).toEqual([{ name: "tmp", mountPath: "/tmp" }]);
    expect(merge.spec.template.spec.containers[0].command[2]).toBe(
      "python3 -m codescore.shards join s3://b/run/labels --samples s3://b/s/shards.json --output s3://b/run/labels.arrow\n",
    );
  });

  it("is refused for paths without a claim", async () => {
    const folder = tempFolder();
    const given = ["--problems", "/data/p", "--samples", "/data/s", "--output", "/data/run", "--shards", "2"];
    const words = ["cluster", "k8s", "--image", "i", "--write", folder, ...given];
    const { code, stderr } = await codescoreHere(words);
    expect(stderr).toContain("expected --claim NAME, got none: pods can write /data/run only in a claim");
    expect(code).toBe(2);
    expect(existsSync(join(folder, "label.json"))).toBe(false);
  });
});
