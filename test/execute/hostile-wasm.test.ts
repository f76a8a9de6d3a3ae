/**
 * A quarter of the programs that attack the harness, in WebAssembly (hostile-wasm.slow.test.ts has the others); all of them where there is no
 * other sandbox. And the ways from Python to JavaScript, all closed.
 */
import { beforeAll, describe, expect, it } from "vitest";
import type { Executor } from "../../src/execute/index.ts";
import { hostileSuite, isOneOfSome } from "./hostile.ts";
import { openShared, sandboxes } from "./open.ts";

hostileSuite("wasm", undefined, undefined, (_, i) => sandboxes.length === 1 || isOneOfSome(i));

describe("the way from Python to JavaScript", () => {
  let executor: Executor;
  beforeAll(async () => {
    executor = await openShared("wasm");
  });

  const BRIDGE = "import _imp, types\nbridge = _imp.create_builtin(types.SimpleNamespace(name='_pyodide_core'))\n";
  const roads: readonly (readonly [string, string, RegExp])[] = [
    ["js", "import js\nreturn str(js.process)", /^ModuleNotFoundError/],
    ["pyodide_js", "import pyodide_js\nreturn str(pyodide_js.FS)", /^ModuleNotFoundError/],
    ["_pyodide_core", "import _pyodide_core\nreturn str(_pyodide_core.to_js([1]))", /^ModuleNotFoundError/],
    ["pyodide.ffi", "import pyodide.ffi\nreturn str(pyodide.ffi.to_js([1]).constructor)", /^AttributeError/],
    ["pyodide.code.run_js", "import pyodide.code\nreturn str(pyodide.code.run_js('1 + 1'))", /Error/],
    [
      "the import machinery",
      "import importlib\nreturn str(importlib.import_module('_pyodide_core'))",
      /^ModuleNotFoundError/,
    ],
    ["the bridge module made anew", `${BRIDGE}return str(bridge.to_js([1, 2]).constructor)`, /^Exit.*Jsv/],
    [
      "the bridge's functions found in memory",
      "import gc\nfor o in gc.get_objects():\n  if getattr(o, '__name__', '') == 'to_js' and type(o).__name__ == 'builtin_function_or_method': return str(o([1]).constructor)\nraise LookupError",
      /^(Exit.*Jsv|LookupError)/,
    ],
    [
      "the bridge's classes found in memory",
      "for c in object.__subclasses__():\n  if c.__name__ in ('JsProxy', 'Js2PyConverter', 'Py2JsConverter', 'JsMethodCallSingleton'):\n    try: return str(c())\n    except TypeError: pass\nraise LookupError",
      /^(Exit|LookupError)/,
    ],
    [
      "functions by address",
      "import ctypes\nreturn ctypes.CFUNCTYPE(ctypes.c_int)(0)()",
      /Exit.*ffi_call|MemoryError|memory/,
    ],
    ["functions by name", "import ctypes\nreturn ctypes.CDLL(None).emscripten_run_script(b'1')", /^AttributeError/],
    ["a shell", "import os\nif os.system('true') != 0: raise PermissionError", /^PermissionError/],
  ];
  it.each(roads)("does not lead through %s", async (_, body, expected) => {
    const code = `def f(x):\n${body.replace(/^/gm, "  ")}`;
    const [answer] = await executor.answers({ code, entryPoint: "f", setup: "" }, [{ args: "1" }]);
    const said = answer?.outcome === "error" ? `${answer.errorType}: ${answer.message}` : answer?.outcome;
    expect(said, JSON.stringify(answer)).toMatch(expected);
    const next = await executor.answers({ code: "def f(x): return x", entryPoint: "f", setup: "" }, [{ args: "1" }]);
    expect(next[0]).toMatchObject({ outcome: "ok", value: { t: "int", v: 1n } });
  });
});
