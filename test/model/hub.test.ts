/** Encoders are downloaded from the hub into the cache, from a single commit, completely or not at all. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { encoderFolder, type HubOptions, importEncoder } from "../../src/model/index.ts";
import { codescore } from "../cli/run.ts";
import { edit, encoderOf, fixture, scratch, writeVocabulary } from "./folders.ts";
import { COMMIT, type FakeHub, type HubFile, startHub } from "./hub.ts";

const LARGE = /^(model\.safetensors|pytorch_model\.bin)$/;

/** The files of a folder in the form that the fake hub serves. */
const filesOf = (folder: string): Record<string, HubFile> =>
  Object.fromEntries(
    readdirSync(folder).map((name) => [name, { bytes: readFileSync(join(folder, name)), large: LARGE.test(name) }]),
  );

const complete = (): Record<string, HubFile> =>
  filesOf(encoderOf("config.json", "tokenizer.json", "model.safetensors"));

/** The files of UniXcoder's repository. */
function unixcoder(): Record<string, HubFile> {
  const folder = encoderOf("config.json", "pytorch_model.bin");
  writeVocabulary(folder);
  return filesOf(folder);
}

function fetchFrom(hub: FakeHub, options: HubOptions = {}) {
  const cache = options.cache ?? scratch();
  const retries: string[] = [];
  const fetched = encoderFolder("owner/name", {
    endpoint: hub.url,
    pauseMs: 1,
    attempts: 5,
    onRetry: (message) => retries.push(message),
    ...options,
    cache,
  });
  return { fetched, cache, retries, folder: join(cache, "owner--name", COMMIT) };
}

const bodies = (hub: FakeHub): string[] =>
  hub.asked
    .map(({ request }) => request)
    .filter((request) => request.startsWith("GET") && !request.includes("/resolve/"));

describe("an encoder of the hub", () => {
  it("comes with config, tokenizer and weights of one commit, and imports as the folder does", async () => {
    const hub = await startHub(complete());
    const seen: string[] = [];
    const { fetched, folder } = fetchFrom(hub, {
      onProgress: (file, bytes, total) => bytes === total && seen.push(file),
    });
    expect(await fetched).toBe(folder);
    expect(readdirSync(folder).sort()).toEqual(["config.json", "model.safetensors", "tokenizer.json"]);
    expect(seen).toEqual(["config.json", "tokenizer.json", "model.safetensors"]);
    expect(hub.asked.map(({ request }) => request).filter((request) => request.includes("main"))).toEqual([
      "HEAD /owner/name/resolve/main/config.json",
      "HEAD /owner/name/cache/main/config.json",
    ]);
    const outs = [scratch(), scratch()];
    await importEncoder(folder, outs[0]!);
    await importEncoder(fixture, outs[1]!);
    const [ours, theirs] = outs.map((out) => readFileSync(join(out, "model.safetensors")));
    expect(ours!.equals(theirs!)).toBe(true);
  });

  it("comes as UniXcoder has it: vocab.json, merges.txt and pytorch_model.bin", async () => {
    const hub = await startHub(unixcoder());
    const { fetched, folder } = fetchFrom(hub);
    await fetched;
    const names = ["config.json", "merges.txt", "pytorch_model.bin", "special_tokens_map.json", "vocab.json"];
    expect(readdirSync(folder).sort()).toEqual(names);
    expect((await importEncoder(folder, scratch())).taken).toBe(53);
  });

  it("is not fetched again, but for a file that has changed on the disk", async () => {
    const hub = await startHub(complete());
    const { fetched, cache, folder } = fetchFrom(hub);
    await fetched;
    expect(bodies(hub)).toHaveLength(3);
    await fetchFrom(hub, { cache }).fetched;
    expect(bodies(hub)).toHaveLength(3);
    const path = join(folder, "model.safetensors");
    writeFileSync(path, Buffer.alloc(statSync(path).size));
    await fetchFrom(hub, { cache }).fetched;
    expect(bodies(hub).slice(3)).toEqual(["GET /model.safetensors"]);
    expect(readFileSync(path).equals(hub.files.get("model.safetensors")!.bytes)).toBe(true);
  });

  it("whose transfer is interrupted goes on where it stopped, in the same call and in a later one", async () => {
    const hub = await startHub(complete());
    hub.cutAt = 50_000;
    const first = fetchFrom(hub);
    await first.fetched; // 176,272 bytes in answers of 50,000
    expect(first.retries.length).toBeGreaterThanOrEqual(3);
    expect(
      readFileSync(join(first.folder, "model.safetensors")).equals(hub.files.get("model.safetensors")!.bytes),
    ).toBe(true);

    const second = fetchFrom(hub, { attempts: 1 });
    await expect(second.fetched).rejects.toMatchObject({
      code: "environment",
      message: expect.stringMatching(
        /model\.safetensors: .* \(1 attempts\); repeat the call to continue where it stopped/,
      ),
    });
    expect(existsSync(join(second.folder, "model.safetensors"))).toBe(false);
    const have = statSync(join(second.folder, "model.safetensors.part")).size;
    expect(have).toBeGreaterThan(0);
    hub.cutAt = null;
    await fetchFrom(hub, { cache: second.cache }).fetched;
    expect(hub.asked.at(-1)).toMatchObject({ request: "GET /model.safetensors", range: `bytes=${have}-` });
    expect(readdirSync(second.folder).sort()).toEqual(["config.json", "model.safetensors", "tokenizer.json"]);
  });

  it("of the wrong hash is refused, and nothing else is lost", async () => {
    const files = complete();
    const hub = await startHub(files);
    hub.files.set("model.safetensors", { ...files["model.safetensors"]!, sha256: "0".repeat(64) });
    const { fetched, cache, folder } = fetchFrom(hub);
    await expect(fetched).rejects.toMatchObject({
      code: "input",
      message: expect.stringMatching(/model\.safetensors: expected SHA-256 0{64}, got [0-9a-f]{64}; .* deleted/),
    });
    expect(readdirSync(folder).sort()).toEqual(["config.json", "tokenizer.json"]);
    hub.files.set("model.safetensors", files["model.safetensors"]!);
    const before = hub.asked.length;
    expect(await fetchFrom(hub, { cache }).fetched).toBe(folder);
    expect(bodies({ ...hub, asked: hub.asked.slice(before) })).toEqual(["GET /model.safetensors"]);
  });

  it("is opened by a token, which the server of the large files never sees", async () => {
    const hub = await startHub(complete(), "secret");
    await expect(fetchFrom(hub).fetched).rejects.toThrow(
      /the server answered 401 GatedRepo; check .*\(else set HF_TOKEN\)/,
    );
    hub.asked.length = 0;
    await fetchFrom(hub, { token: "secret" }).fetched;
    for (const { request, authorization } of hub.asked) {
      expect(authorization, request).toBe(request === "GET /model.safetensors" ? undefined : "Bearer secret");
    }
  });

  it("of an architecture that is not read is refused before its weights come", async () => {
    const folder = encoderOf("config.json", "tokenizer.json", "model.safetensors");
    edit(join(folder, "config.json"), (config) => (config.model_type = "gpt2"));
    const hub = await startHub(filesOf(folder));
    await expect(fetchFrom(hub).fetched).rejects.toMatchObject({
      code: "model",
      message: expect.stringMatching(/expected `model_type` to be one of roberta, .*, got gpt2/),
    });
    expect(bodies(hub)).toEqual([`GET /owner/name/cache/${COMMIT}/config.json`]);
  });

  it("that is not there is told what to check", async () => {
    const hub = await startHub(complete());
    const options = { endpoint: hub.url, cache: scratch() };
    await expect(encoderFolder("owner/other", options)).rejects.toMatchObject({
      code: "environment",
      message: `${hub.url} has no encoder owner/other at revision main: the server answered 401 RepoNotFound; check the name, the revision and that it is public (else set HF_TOKEN); there is no folder owner/other here either`,
    });
    await expect(fetchFrom(hub, { revision: "pr/1" }).fetched).rejects.toThrow(
      /at revision pr\/1: the server answered 404 RevisionNotFound; check the name, the revision/,
    );
    hub.files.delete("model.safetensors");
    await expect(fetchFrom(hub).fetched).rejects.toThrow(
      /it has no model\.safetensors and no pytorch_model\.bin; check/,
    );
    hub.files.delete("tokenizer.json");
    await expect(fetchFrom(hub).fetched).rejects.toThrow(
      /it has no tokenizer\.json and no vocab\.json with merges\.txt/,
    );
    hub.files.delete("config.json");
    await expect(fetchFrom(hub).fetched).rejects.toThrow(/it has no config\.json; check the name/);
  });

  it("without a network says so, and that a folder imports without one", async () => {
    const offline = { endpoint: "http://codescore.invalid", attempts: 2, pauseMs: 1, cache: scratch() };
    await expect(encoderFolder("owner/name", offline)).rejects.toMatchObject({
      code: "environment",
      message: expect.stringMatching(
        /^cannot request http:\/\/codescore\.invalid\/owner\/name\/resolve\/main\/config\.json \(to import without the hub, pass a folder with the model's files\): its name cannot be resolved \(\w+\); is this machine online\? \(2 attempts\)/,
      ),
    });
  });

  it.each([
    ["nowhere", {}, /expected a folder, or a model on the hub as owner\/name, got `nowhere`/],
    ["../else/where", {}, /expected a folder/],
    [fixture, { revision: "main" }, /is a local folder; only models on the hub have revisions/],
    ["owner/name", { endpoint: "hub" }, /expected HF_ENDPOINT to be a URL, got `hub`/],
  ])("is not what %s with %o means", async (source, options, message) => {
    await expect(encoderFolder(source, options)).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(message),
    });
  });
});

describe("codescore import", () => {
  it("makes a checkpoint of a model on the hub", async () => {
    const hub = await startHub(unixcoder());
    const [cache, out] = [scratch(), join(scratch(), "encoder")];
    const env = { HF_ENDPOINT: hub.url, HF_TOKEN: "", CODESCORE_CACHE: cache };
    const { code, stdout, stderr } = await codescore(["import", "owner/name", "--output", out], { env });
    expect(stderr).toMatch(/imported 53 parameters from .*owner--name.*, initialised \d+ new ones/);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${out}\n` });
    expect(readdirSync(out).sort()).toEqual(["config.json", "model.safetensors", "tokenizer.json"]);
    expect(readdirSync(join(cache, "hub"))).toEqual(["owner--name"]);
  });
});
