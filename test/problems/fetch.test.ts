import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { fetchVerb } from "../../src/cli/datasets/fetch.ts";
import { DATASETS, fetchDataset, readProblems } from "../../src/problems/index.ts";
import { tempFolder } from "./helpers.ts";

const mbpp = { text: "Write f.", code: "def f(x):\n    return x\n", test_list: ["assert f(1) == 1"] };
const rows = (...ids: number[]) => ids.map((task_id) => `${JSON.stringify({ ...mbpp, task_id })}\n`).join("");
const apps = (id: number) =>
  JSON.stringify({ id, question: "Do it.", input_output: '{"inputs": ["1"], "outputs": ["1"]}' });
const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex");

/** A mirror with the given files. Other paths are 404. */
async function mirror(files: Record<string, string | Uint8Array>) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const body = files[(request.url ?? "").replace("/sets/", "")];
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  return { asked, files, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sets/` };
}

afterEach(() => vi.unstubAllEnvs());

describe("fetchDataset", () => {
  it("writes a set that readProblems reads, and records its hash as sha256sum does", async () => {
    const { baseUrl } = await mirror({ "mbpp.jsonl": rows(1, 2) });
    const output = tempFolder();
    const path = join(output, "mbpp.jsonl");
    const hash = sha256(rows(1, 2));
    expect(await fetchDataset("mbpp", { output, baseUrl })).toEqual([
      { path, sha256: hash, checked: "first", kept: false },
    ]);
    expect(readFileSync(`${path}.sha256`, "utf8")).toBe(`${hash}  mbpp.jsonl\n`);
    expect([...(await readProblems([output])).keys()]).toEqual(["MBPP/1", "MBPP/2"]);
  });

  it("keeps a file that is there and is what was recorded, without asking the server", async () => {
    const { baseUrl, asked } = await mirror({ "mbpp.jsonl": rows(1) });
    const output = tempFolder();
    await fetchDataset("mbpp", { output, baseUrl });
    expect(await fetchDataset("mbpp", { output, baseUrl })).toMatchObject([{ checked: "recorded", kept: true }]);
    expect(asked).toHaveLength(1);
  });

  it("refuses a file that changed here, and another one from the server, and says how to accept it", async () => {
    const { baseUrl, files } = await mirror({ "mbpp.jsonl": rows(1) });
    const output = tempFolder();
    const path = join(output, "mbpp.jsonl");
    await fetchDataset("mbpp", { output, baseUrl });
    writeFileSync(path, rows(3));
    await expect(fetchDataset("mbpp", { output, baseUrl })).rejects.toThrow(
      /recorded in .*mbpp\.jsonl\.sha256.*remove the file to download it again/,
    );

    rmSync(path);
    files["mbpp.jsonl"] = rows(4);
    await expect(fetchDataset("mbpp", { output, baseUrl })).rejects.toThrow(
      /the file differs from the earlier download .*delete that record to accept the new file/,
    );
    expect(existsSync(path)).toBe(false);
  });

  it("holds a download to the hash that is asked for", async () => {
    const { baseUrl } = await mirror({ "HumanEval.jsonl.gz": gzipSync(rows(1)) });
    const output = tempFolder();
    await expect(fetchDataset("humaneval", { output, baseUrl, sha256: "0".repeat(64) })).rejects.toThrow(
      /expected SHA-256 0{64}, got/,
    );
    const pinned = sha256(gzipSync(rows(1)));
    expect(await fetchDataset("humaneval", { output, baseUrl, sha256: pinned })).toMatchObject([{ checked: "pinned" }]);
    await expect(fetchDataset("humaneval", { output, baseUrl, sha256: "1".repeat(64) })).rejects.toThrow(
      /\(as given\)/,
    );
    await expect(fetchDataset("apps", { output, baseUrl, sha256: pinned })).rejects.toThrow(/apps has 2 files/);
  });

  it("fetches the files of a set one after the other", async () => {
    const { baseUrl, asked } = await mirror({ "apps/train.jsonl": apps(1), "apps/test.jsonl": apps(2) });
    const output = tempFolder();
    await fetchDataset("apps", { output, baseUrl });
    expect(asked).toEqual(["/sets/apps/train.jsonl", "/sets/apps/test.jsonl"]);
    expect([...(await readProblems([join(output, "apps")])).keys()].sort()).toEqual(["APPS/1", "APPS/2"]);
  });

  it.each([
    [
      "a page",
      "<html>Sign in</html>",
      /is not a problem set \(.*mbpp\.jsonl:1: expected JSON, got <html>.*\); the download was deleted/,
    ],
    ["nothing", "", /is not a problem set \(it is empty\); the download was deleted/],
  ])("takes %s for no problem set", async (_, body, message) => {
    const { baseUrl } = await mirror({ "mbpp.jsonl": body });
    const output = tempFolder();
    await expect(fetchDataset("mbpp", { output, baseUrl })).rejects.toThrow(message);
    expect(existsSync(join(output, "mbpp.jsonl"))).toBe(false);
    expect(existsSync(join(output, "mbpp.jsonl.sha256"))).toBe(false);
  });

  it("says what to do without a network", async () => {
    const output = tempFolder();
    const download = { attempts: 1, pauseMs: 1 };
    await expect(fetchDataset("mbpp", { output, baseUrl: "http://codescore.invalid", download })).rejects.toMatchObject(
      {
        code: "environment",
        message: expect.stringMatching(
          /is this machine online\?.*save the file as .*mbpp\.jsonl yourself, or name a mirror \(--base-url\)/,
        ),
      },
    );
  });

  it.each(["toString", "humanevalminus"])("knows no set %s and names those it knows", async (name) => {
    await expect(fetchDataset(name, { output: tempFolder() })).rejects.toThrow(
      /expected one of humaneval, mbpp, mbpp-sanitized, apps, humanevalplus, mbppplus, got/,
    );
  });

  it("has an https address and a path of its own for every file", () => {
    const files = Object.values(DATASETS).flat();
    expect(files.filter(({ url }) => !url.startsWith("https://"))).toEqual([]);
    expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
  });
});

describe("the verb", () => {
  it("takes the mirror from the environment", async () => {
    const { baseUrl } = await mirror({ "sanitized-mbpp.json": `[${rows(1, 2).trim().replace("\n", ",\n")}]` });
    vi.stubEnv("CODESCORE_DATASETS_URL", baseUrl);
    const output = tempFolder();
    await fetchVerb().parseAsync(["mbpp-sanitized", "--output", output], { from: "user" });
    expect((await readProblems([join(output, "sanitized-mbpp.json")])).size).toBe(2);
  });

  it("refuses a hash that is none", async () => {
    const verb = fetchVerb()
      .exitOverride()
      .configureOutput({ writeErr: () => {} });
    await expect(verb.parseAsync(["mbpp", "--sha256", "abc"], { from: "user" })).rejects.toThrow(
      /Expected 64 hexadecimal digits, got `abc`/,
    );
  });
});
