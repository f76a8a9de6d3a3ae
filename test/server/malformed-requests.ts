/** Requests that fail as a whole, and helpers to build correct ones. */
import { gzipSync } from "node:zlib";
import { chunked, request } from "./raw.ts";

export const row = { candidate: "0.5", description: "d" };
export const score = (body: unknown, headers: Record<string, string | null> = {}) =>
  request("/v1/score", typeof body === "string" ? body : JSON.stringify(body), { headers });
export const rows = (...all: unknown[]) => score({ rows: all });
export const good = score({ rows: [row] });

export const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
const raw = (head: string, body = ""): string => `${head.replaceAll("\n", "\r\n")}\r\n\r\n${body}`;
const json = "Content-Type: application/json";

/** Requests that fail as a whole: the bytes sent, the status, and a part of the message. */
export const requests: [string, string | Uint8Array, number, string][] = [
  // the type of the body
  ["a body without a type", score({ rows: [row] }, { "Content-Type": null }), 415, "got none"],
  ["a form", score("rows=1", { "Content-Type": "application/x-www-form-urlencoded" }), 415, "got application/x-www"],
  ["text", score({ rows: [row] }, { "Content-Type": "text/plain" }), 415, "got text/plain"],
  ["a type that begins like JSON", score({ rows: [row] }, { "Content-Type": "application/json-seq" }), 415, "json-seq"],
  ["JSON in UTF-16", score({ rows: [row] }, { "Content-Type": "application/json; charset=utf-16" }), 415, "utf-16"],
  ["a gzipped body", score(gzipSync("{}").toString("latin1"), { "Content-Encoding": "gzip" }), 415, "Content-Encoding"],
  ["a multipart body", score("--x", { "Content-Type": "multipart/form-data; boundary=x" }), 415, "multipart"],
  // not JSON
  ["an empty body", score(""), 400, "got an empty one"],
  ["white space", score(" \n\t "), 400, "got an empty one"],
  ["no body at all", score("", { "Content-Length": null }), 400, "got an empty one"],
  ["text that is no JSON", score("score me"), 400, "expected a JSON body"],
  ["truncated JSON", score('{"rows": [{"candidate": "x'), 400, "expected a JSON body"],
  ["two JSON values", score('{"rows": []} {"rows": []}'), 400, "expected a JSON body"],
  ["JSON with a comment", score('{"rows": [] /* none */}'), 400, "expected a JSON body"],
  ["a comma too many", score('{"rows": [1,]}'), 400, "expected a JSON body"],
  ["single quotes", score("{'rows': []}"), 400, "expected a JSON body"],
  ["NaN", score('{"rows": NaN}'), 400, "expected a JSON body"],
  ["a raw line break in a string", score('{"rows": [{"candidate": "a\nb"}]}'), 400, "expected a JSON body"],
  ["NUL bytes", score("\0\0\0\0"), 400, "expected a JSON body"],
  ["a raw NUL in a string", score('{"rows": [{"candidate": "a\0b"}]}'), 400, "expected a JSON body"],
  [
    "binary",
    request(
      "/v1/score",
      Uint8Array.from({ length: 256 }, (_, i) => i),
    ),
    400,
    "in UTF-8",
  ],
  ["Latin-1", request("/v1/score", Buffer.from('{"rows": [{"candidate": "\xe9"}]}', "latin1")), 400, "in UTF-8"],
  ["a surrogate in UTF-8", request("/v1/score", Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])), 400, "in UTF-8"],
  ["gzip called JSON", request("/v1/score", gzipSync('{"rows": []}')), 400, "in UTF-8"],
  ["JSON nested too deeply to be whole", score("[".repeat(2_000_000)), 400, "expected a JSON body"],
  // JSON of another form
  ["null", score("null"), 400, "expected a JSON object, got null"],
  ["a number", score("1e999"), 400, "expected a JSON object, got a number"],
  ["a string", score('"rows"'), 400, "expected a JSON object, got a string"],
  ["an array", score([row]), 400, "expected a JSON object, got an array"],
  ["an array of great depth", score(nested(100_000)), 400, "expected a JSON object, got an array"],
  ["an empty object", score({}), 400, "expected `rows` to be an array, got nothing"],
  ["rows that are an object", score({ rows: { 0: row } }), 400, "expected `rows` to be an array, got an object"],
  ["rows that are a string", score({ rows: "[]" }), 400, "expected `rows` to be an array, got a string"],
  ["rows that are null", score({ rows: null }), 400, "expected `rows` to be an array, got null"],
  ["no rows", score({ rows: [] }), 400, "expected at least one row"],
  ["too many rows", score({ rows: Array(6).fill(row) }), 400, "expected at most 5 rows per request, got 6"],
  ["too many rows to explain", score({ rows: [row, row], explain: true }), 400, "at most 1 row per request with"],
  [
    "too many rows for a consensus",
    score({ rows: [row, row, row], consensus: true }),
    400,
    "at most 2 rows per request with",
  ],
  [
    "consensus of another type",
    score({ rows: [row], consensus: 1 }),
    400,
    "`consensus` to be true or false, got a number",
  ],
  ["both", score({ rows: [row], consensus: true, explain: true }), 400, "use it without `consensus`"],
  ["explain of another type", score({ rows: [row], explain: "yes" }), 400, "`explain` to be true or false"],
  ["explain that is null", score({ rows: [row], explain: null }), 400, "`explain` to be true or false, got null"],
  ["a field that means nothing", score({ rows: [row], model: "x" }), 400, "unknown field `model`"],
  ["a field named __proto__", score('{"rows": [], "__proto__": {"rows": [1]}}'), 400, "unknown field `__proto__`"],
  ["fields of the prototype", score('{"__proto__": {"rows": [{}]}}'), 400, "unknown field `__proto__`"],
  ["a field named constructor", score('{"rows": [], "constructor": {"prototype": {}}}'), 400, "unknown field `constr"],
  ["a similarity without a reference", request("/v1/similarity", '{"candidate": "x"}'), 400, "needs two programs"],
  ["a similarity of a list", request("/v1/similarity", "[]"), 400, "expected a JSON object, got an array"],
  ["a similarity of numbers", request("/v1/similarity", '{"candidate": 1, "reference": 2}'), 400, "got a number"],
  [
    "a similarity to too long a text",
    request("/v1/similarity", JSON.stringify({ candidate: "1", reference: "x".repeat(1001) })),
    400,
    "at most 1000 characters, got 1001",
  ],
  [
    "a similarity that cannot be scored",
    request("/v1/similarity", '{"candidate": "", "reference": "1"}'),
    422,
    "expected a candidate",
  ],
  // too large
  ["10 MB", score(`{"rows": [{"candidate": "${"x".repeat(10_500_000)}"}]}`), 413, "at most 10000000 bytes"],
  [
    "10 MB in chunks",
    Buffer.concat([
      request("/v1/score", "", { headers: { "Content-Length": null, "Transfer-Encoding": "chunked" } }),
      Buffer.from(chunked(" ".repeat(10_500_000), 60_000)),
    ]),
    413,
    "at most 10000000 bytes",
  ],
  ["a length beyond all numbers", score("{}", { "Content-Length": "9".repeat(18) }), 413, "at most 10000000 bytes"],
  ["headers of 100 KB", score({ rows: [row] }, { "X-Long": "x".repeat(100_000) }), 431, "headers are too long"],
  // paths and methods
  ["a path that is not there", request("/v2/score", "{}"), 404, "there is no /v2/score"],
  ["a path to climb", request("/../../etc/passwd", "", { method: "GET" }), 404, "there is no"],
  ["a path of odd bytes", request("/%00%ff%2e%2e", "", { method: "GET" }), 404, "there is no"],
  ["a long path", request(`/${"x".repeat(5000)}`, "", { method: "GET" }), 404, "there is no"],
  ["GET where POST belongs", request("/v1/score", "", { method: "GET" }), 405, "accepts POST, not GET"],
  ["PUT", request("/v1/similarity", "{}", { method: "PUT" }), 405, "accepts POST, not PUT"],
  ["OPTIONS, as other origins ask", request("/v1/score", "", { method: "OPTIONS" }), 405, "accepts POST"],
  ["POST where GET belongs", request("/healthz", "{}"), 405, "accepts GET, not POST"],
  ["a method that HTTP does not know", request("/v1/score", "", { method: "SCORE" }), 400, "expected an HTTP request"],
  // host names
  ["another name of this machine", score({ rows: [row] }, { Host: "rebound.example" }), 403, "localhost only"],
  ["a name that is none", score({ rows: [row] }, { Host: "a b" }), 400, "expected"],
  ["no name", score({ rows: [row] }, { Host: null }), 400, "expected"],
  // not HTTP
  ["noise", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400, "expected an HTTP request"],
  ["HTTP of the future", raw("GET / HTTP/9.9\nHost: localhost"), 400, "expected an HTTP request"],
  [
    "a header without a colon",
    raw(`POST /v1/score HTTP/1.1\nHost: localhost\nnonsense`),
    400,
    "expected an HTTP request",
  ],
  ["a header with a NUL", raw("GET / HTTP/1.1\nHost: localhost\nX: a\0b"), 400, "expected an HTTP request"],
  [
    "two lengths",
    raw(`POST /v1/score HTTP/1.1\nHost: localhost\n${json}\nContent-Length: 2\nContent-Length: 3`, "{} "),
    400,
    "expected an HTTP request",
  ],
  [
    "a length and chunks",
    raw(
      `POST /v1/score HTTP/1.1\nHost: localhost\n${json}\nContent-Length: 2\nTransfer-Encoding: chunked`,
      "0\r\n\r\n",
    ),
    400,
    "expected an HTTP request",
  ],
  ["a negative length", score("{}", { "Content-Length": "-2" }), 400, "expected an HTTP request"],
  ["a length that is no number", score("{}", { "Content-Length": "2x" }), 400, "expected an HTTP request"],
  [
    "chunks that are none",
    raw(`POST /v1/score HTTP/1.1\nHost: localhost\n${json}\nTransfer-Encoding: chunked`, "zz\r\n{}\r\n"),
    400,
    "expected an HTTP request",
  ],
];
