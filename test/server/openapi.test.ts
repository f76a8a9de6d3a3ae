import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { openSimilarity } from "../../src/rtc/index.ts";
import { type AppOptions, type BatchScorer, createApp } from "../../src/server/index.ts";
import type { ScoreInput } from "../../src/types.ts";
import { fakeScorer } from "./fake.ts";
import { fakeLane, fakeRunner } from "./fake-lane.ts";
import { nameIt, post as postText, startProxy } from "./proxied.ts";

interface Operation {
  readonly requestBody?: { readonly content: Record<string, { examples: Record<string, { value: object }> }> };
  readonly responses: Record<string, { readonly content: Record<string, { readonly schema: object }> }>;
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, object> };
}

const start = (options: Partial<AppOptions> = {}) => createApp({ scorer: fakeScorer(), ...options });
const rtc = { similarity: openSimilarity("exact") };
const documentOf = async (app: Hono) => (await (await app.request("/openapi.json")).json()) as Document;
const post = (app: Hono, path: string, body: object, headers: Record<string, string> = {}) =>
  app.request(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

/** Validates a value against a schema of the document: the errors, or null. */
function checker(document: Document): (schema: object, value: unknown) => string | null {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
  ajv.addVocabulary(["components"]);
  ajv.addSchema({ $id: "doc:", components: document.components });
  return (schema, value) => {
    const own = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"doc:#/')) as object;
    return ajv.validate(own, value) ? null : ajv.errorsText();
  };
}

describe("/openapi.json", () => {
  it.each<[string, Partial<AppOptions>]>([
    ["without a key", {}],
    ["with a key", { apiKey: "key" }],
    ["in front of a model", { rtc }],
    ["that runs candidates", { runner: fakeRunner() }],
  ])("is an OpenAPI 3.1 document by its official schema, %s", async (_, options) => {
    const document = await documentOf(await start(options));
    const { valid, errors } = await new Validator().validate(document as object as Record<string, unknown>);
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
    const wrong = { ...document, paths: { ...document.paths, "/x": { get: { responses: { abc: {} } } } } };
    expect((await new Validator().validate(wrong as object as Record<string, unknown>)).valid).toBe(false);
  });

  it.each<[string, Partial<AppOptions>]>([
    ["that scores", {}],
    ["in front of a model", { rtc }],
  ])("has every route of a server %s, and no other", async (_, options) => {
    const app = await start(options);
    const described = Object.entries((await documentOf(app)).paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const served = app.routes.filter(({ method }) => method !== "ALL").map(({ method, path }) => `${method} ${path}`);
    expect(described.sort()).toEqual([...new Set(served)].sort());
  });

  it.each<[string, Partial<AppOptions>, number]>([
    ["scores", {}, 5],
    ["runs candidates", { runner: fakeRunner() }, 6],
  ])("has examples that work, and schemas that the answers keep, of a server that %s", async (_, options, examples) => {
    const app = await start(options);
    const document = await documentOf(app);
    const check = checker(document);
    let posted = 0;
    for (const [path, { post: operation }] of Object.entries(document.paths)) {
      const body = operation?.requestBody?.content["application/json"] as
        | { schema: object; examples: Record<string, { value: object }> }
        | undefined;
      for (const [name, { value }] of Object.entries(body?.examples ?? {})) {
        expect(check(body!.schema, value), name).toBeNull();
        const response = await post(app, path, value);
        expect(response.status, name).toBe(200);
        expect(
          check(operation!.responses["200"]!.content["application/json"]!.schema, await response.json()),
        ).toBeNull();
        posted += 1;
      }
    }
    expect(posted).toBe(examples);
    const health = document.paths["/healthz"]!.get!.responses["200"]!.content["application/json"]!.schema;
    expect(check(health, await (await app.request("/healthz")).json())).toBeNull();
    expect(check(health, { status: "no", signature: 1 })).not.toBeNull();
    expect(document.paths["/healthz"]!.get!.responses).toHaveProperty("503");
  });

  it.each<[string, string, object | string, number]>([
    ["/v1/score", "no rows", {}, 400],
    ["/v1/score", "a field too many", { rows: [{ candidate: "1" }], foo: 1 }, 400],
    ["/v1/similarity", "no reference", { candidate: "1" }, 400],
    ["/v1/similarity", "an empty candidate", { candidate: "", reference: "1" }, 422],
    ["/v1/similarity", "a scorer that fails", { candidate: "poison", reference: "1" }, 500],
    ["/v1/score", "too long a body", { rows: [{ candidate: "x".repeat(2000) }] }, 413],
    ["/v1/score", "no key", { rows: [{ candidate: "1" }] }, 401],
  ])("describes the error of %s for %s", async (path, _, body, status) => {
    const app = await start({ maxBodyBytes: 1000, apiKey: "key" });
    const response = await post(app, path, body as object, status === 401 ? {} : { authorization: "Bearer key" });
    expect(response.status).toBe(status);
    const document = await documentOf(app);
    const described = document.paths[path]!.post!.responses[status];
    expect(checker(document)(described!.content["application/json"]!.schema, await response.json())).toBeNull();
  });

  it("refuses by its schema what the server refuses", async () => {
    const app = await start({ maxRows: 2, maxChars: 10 });
    const document = await documentOf(app);
    const schema = { $ref: "#/components/schemas/ScoreRequest" };
    const good = { candidate: "1", description: "d" };
    const rows: [object, boolean][] = [
      [{ rows: [good] }, true],
      [{ rows: [{ ...good, id: null }], explain: false }, true],
      [{ rows: [good, good, good] }, false],
      [{ rows: [{ ...good, candidate: "12345678901" }] }, false],
      [{ rows: [{ ...good, refrence: "x" }] }, false],
      [{ rows: [{ ...good, id: true }] }, false],
      [{ rows: [good], explain: "yes" }, false],
      [{ rows: [{ ...good, language: "python" }] }, true],
      [{ rows: [{ ...good, language: 1 }] }, false],
    ];
    for (const [body, valid] of rows) {
      expect(checker(document)(schema, body) === null, JSON.stringify(body)).toBe(valid);
      const answer = await (await post(app, "/v1/score", body)).text();
      expect(answer.includes('"error"'), answer).toBe(!valid);
    }
  });

  it("describes what running shows, and what a server that runs nothing answers", async () => {
    const row = { candidate: "1", reference: "r", task_id: "t", entry_point: "f" };
    const request = { $ref: "#/components/schemas/ScoreRequest" };
    const response = { $ref: "#/components/schemas/ScoreResponse" };
    const nothing = { agree: null, inputs: 0, examples: null, samples: null, source: null, counterexample: null };
    for (const behaviour of [{}, { ...nothing, reason: "it needs numpy, which is not installed" }]) {
      const app = await start({ runner: fakeRunner(fakeLane({ behaviour })), maxInputs: 20 });
      const check = checker(await documentOf(app));
      const body = { rows: [row], run: true, inputs: 20, seed: 7, until: 0.5 };
      expect(check(request, body)).toBeNull();
      const answer = await (await post(app, "/v1/score", body)).json();
      expect(answer).toHaveProperty("rows.0.behaviour");
      expect(check(response, answer)).toBeNull();
      expect(check(response, JSON.parse(JSON.stringify(answer).replace('"inputs":', '"input":')))).not.toBeNull();
      for (const odd of [{ inputs: 21 }, { inputs: -1 }, { seed: 0.5 }, { until: 2 }]) {
        expect(check(request, { ...body, ...odd }), JSON.stringify(odd)).not.toBeNull();
        expect((await post(app, "/v1/score", { ...body, ...odd })).status).toBe(400);
      }
    }
    const app = await start();
    const document = await documentOf(app);
    const refused = await post(app, "/v1/score", { rows: [row], run: true });
    expect(refused.status).toBe(403);
    const schema = document.paths["/v1/score"]!.post!.responses[403]!.content["application/json"]!.schema;
    expect(checker(document)(schema, await refused.json())).toBeNull();
  });

  it("describes the notes of a score and of a similarity, and hands rows' languages to the scorer", async () => {
    const given: ScoreInput[] = [];
    const scorer: BatchScorer = {
      signature: "s",
      ready: async () => {},
      scoreAll: async (inputs) => {
        given.push(...inputs);
        return inputs.map(() => ({ score: 1, exec: 1, format: "ref", signature: "s", notes: ["candidate: n"] }));
      },
    };
    const app = await start({ scorer });
    const check = checker(await documentOf(app));
    const row = { candidate: "1", reference: "r", language: "java" };
    for (const [path, body, schema] of [
      ["/v1/score", { rows: [row] }, "ScoreResponse"],
      ["/v1/similarity", row, "SimilarityResponse"],
    ] as const) {
      const answer = await (await post(app, path, body)).text();
      expect(answer).toContain('"notes":["candidate: n"]');
      const form = { $ref: `#/components/schemas/${schema}` };
      expect(check(form, JSON.parse(answer))).toBeNull();
      expect(check(form, JSON.parse(answer.replace('["candidate: n"]', '"n"')))).not.toBeNull();
    }
    expect(given.map(({ language }) => language)).toEqual(["java", "java"]);
  });

  it("describes what an evaluated request is, and what comes of it", async () => {
    const { url } = await startProxy(nameIt, {}, { maxBodyBytes: 1000 });
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
    const { requestBody, responses } = document.paths["/evaluate/v1/chat/completions"]!.post!;
    const check = checker(document);
    const schemaOf = (status: number) => responses[status]!.content["application/json"]!.schema;
    const ask = (body: object) => postText(`${url}/evaluate/v1/chat/completions`, JSON.stringify(body));
    const request = { $ref: "#/components/schemas/EvaluateRequest" };
    for (const { value } of Object.values(requestBody!.content["application/json"]!.examples)) {
      expect(check(request, value)).toBeNull();
      const response = await ask(value);
      expect(response.status).toBe(200);
      expect(check(schemaOf(200), await response.json())).toBeNull();
    }
    const good = { model: "m", messages: [{ role: "user", content: "name it pear" }] };
    for (const [field, status] of [
      [{ n: 2 }, 400],
      [{ tools: [{}] }, 400],
      [{ temprature: 1 }, 400],
      [{ messages: [] }, 400],
      [{ messages: [{ role: "tool", content: "x" }] }, 400],
    ] as const) {
      const body = { ...good, ...field };
      expect(check(request, body), JSON.stringify(field)).not.toBeNull();
      const response = await ask(body);
      expect(response.status).toBe(status);
      expect(check(schemaOf(status), await response.json())).toBeNull();
    }
    const long = await ask({ ...good, user: "x".repeat(1000) });
    expect(check(schemaOf(413), await long.json())).toBeNull();
  });
});
