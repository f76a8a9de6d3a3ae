/**
 * Starts Pyodide's interpreter for program.mjs and host.mjs, then locks it. Python can reach beyond its own memory only
 * through the functions that its WebAssembly module imports. After `lock` only the imports listed here still work (clocks,
 * the descriptors, reading files, growing the memory). All others refuse, including every bridge to JavaScript objects,
 * no matter how a program tries to reach them: import the bridge modules, find their classes through `gc`, call
 * by address through ctypes, or corrupt the interpreter. The rest of this file only makes refusals friendlier or is a
 * second wall. Runs no program.
 */
import dgram from "node:dgram";
import dns from "node:dns";
import { constants, readFileSync } from "node:fs";
import net from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { cpuClock } from "./clock.mjs";

const PYTHON = join(dirname(dirname(fileURLToPath(import.meta.url))), "python");
const PAGE = 65_536;
const [EPERM, EROFS, EAI_FAIL] = [63, 69, -4]; // Emscripten's numbers

const PRELOADED =
  "abc, array, bisect, calendar, cmath, collections, contextlib, copy, ctypes, dataclasses, datetime, decimal, enum, " +
  "fractions, functools, hashlib, heapq, io, itertools, json, math, numbers, operator, queue, random, re, statistics, string, " +
  "textwrap, types, typing";

/** Our own Python modules in each server's interpreter. */
export const MODULES = {
  judge: [
    ...["attributes", "libraries", "canon", "imports", "packages", "rebuild", "plain"],
    ...["testcode", "steps", "judging", "split", "frames", "judge"],
  ],
  guard: [
    ...["attributes", "libraries", "canon", "suites", "imports", "candidate", "endless"],
    ...["loops", "memoize", "shareable", "shortcuts", "timer"],
  ],
};

/** Imports of the module that also work for programs. Each only computes, or acts on the descriptors and the read-only file system. */
const ALLOWED = new Set(
  (
    "Jsv_GetError_import JsvError_Check " + // these are WebAssembly themselves
    "clock_res_get clock_time_get emscripten_date_now emscripten_get_now _tzset_js _timegm_js _mktime_js _localtime_js " +
    "_gmtime_js environ_get environ_sizes_get random_get _emscripten_get_progname emscripten_get_heap_max " +
    "emscripten_resize_heap fd_close fd_fdstat_get fd_pread fd_read fd_seek fd_sync fd_write __syscall_chdir " +
    "__syscall_dup __syscall_dup3 __syscall_faccessat __syscall_fchdir __syscall_fcntl64 _try_fcntl64 __syscall_fstat64 " +
    "__syscall_fstatfs64 __syscall_getcwd __syscall_getdents64 __syscall_getuid32_js __syscall_ioctl " +
    "__syscall_lstat64 __syscall_newfstatat __syscall_openat __syscall_readlinkat __syscall_stat64 __syscall_statfs64 " +
    "__syscall_umask_js _Py_CheckEmscriptenSignals_Helper _Py_emscripten_runtime _PyEM_TrampolineCall_JS " +
    "__call_sighandler emscripten_runtime_keepalive_push emscripten_runtime_keepalive_pop"
  ).split(" "),
);
/** Return values that C code takes for a failure, for imports whose refusal need not end the interpreter. System calls return -EPERM. */
const FAILURES = {
  _emscripten_system: -EPERM,
  _setitimer_js: 0,
  fd_pwrite: EPERM,
  _dlopen_js: 0,
  _dlsym_js: 0,
  ffi_closure_alloc_js: 0,
};
for (const name of ["getaddrinfo", "getnameinfo"]) FAILURES[name] = EAI_FAIL;
for (const name of ["_mmap_js", "_munmap_js", "_msync_js"]) FAILURES[name] = -EPERM;

/** Wraps an import so that it works only until `gate.locked`. */
function gated(name, work, gate) {
  const refuse = () => {
    if (name in FAILURES) return FAILURES[name];
    if (name.startsWith("__syscall_") || /^_(maybe|try)_/.test(name)) return -EPERM;
    throw new Error(`a program called ${name}`); // ends the interpreter
  };
  return Object.assign((...args) => (gate.locked ? refuse() : work(...args)), work);
}

/** WASI's clock with true clocks of CPU time, by which programs are timed. Emscripten's also run while the process waits for a core. */
function withCpuTime(clock, memory) {
  const cpu = cpuClock();
  return (id, precision, at) => {
    if (id !== 2 && id !== 3) return clock(id, precision, at); // CPU time: 2 of the process, 3 of the thread
    new DataView(memory()).setBigUint64(at >>> 0, BigInt(Math.round(cpu() * 1e6)), true);
    return 0;
  };
}

/** Loads Pyodide and imports `PRELOADED` and a server's `MODULES`. From a snapshot, which has them all, this takes no time. */
async function load(folder, server, more) {
  // Pyodide asks for the constants of the file system in a way that the permission model refuses.
  process.binding = () => ({ fs: constants });
  const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")).href);
  const pyodide = await loadPyodide({
    indexURL: `${folder}/`,
    jsglobals: Object.create(null),
    env: { PYTHONHASHSEED: "0", HOME: "/" },
    args: ["-B", "-S"],
    ...more,
  });
  const { FS } = pyodide;
  FS.mkdir("/codescore");
  for (const name of MODULES[server]) FS.writeFile(`/codescore/${name}.py`, readFileSync(join(PYTHON, `${name}.py`)));
  pyodide.setStdin({ read: () => 0 });
  pyodide.runPython(`
import ${PRELOADED}
import gc, sys
sys.path.insert(0, "/codescore")
import ${MODULES[server].join(", ")}
sys.path.remove("/codescore")
`);
  return pyodide;
}

/** Starts from the snapshot if there is a usable one, otherwise from scratch. */
async function start(folder, server, snapshot) {
  if (snapshot === "") return load(folder, server, {});
  try {
    return await load(folder, server, { _loadSnapshot: readFileSync(snapshot) });
  } catch {
    return load(folder, server, {});
  }
}

/**
 * The memory of a server's interpreter that has just started. It saves most of a start, in which Python compiles its own library and
 * our modules. Throws if no interpreter starts from it.
 */
export async function makeSnapshot(folder, server) {
  const image = (await load(folder, server, { _makeSnapshot: true })).makeMemorySnapshot();
  await load(folder, server, { _loadSnapshot: image });
  return image;
}

/**
 * Starts an interpreter with a server's `MODULES` and `script` in it, from the file `snapshot` unless that is empty.
 * `call(name, text)` calls a function of the script with bytes, without Pyodide's bridge, and returns the text of the bytes
 * that it returns, or null. If it throws, the interpreter is usable again after its memory is restored. `compiled`: its WebAssembly
 * module. `onClaim` is called with the number of MiB by which the memory is about to grow.
 */
export async function boot({ folder, memoryMb, snapshot }, server, script, onClaim = () => {}) {
  const gate = { locked: false };
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * PAGE > memoryMb * 2 ** 20) throw new RangeError("over the memory limit");
    onClaim((pages * PAGE) / 2 ** 20);
    return grow.call(this, pages);
  };
  // Without stack switching all imports are plain functions, which `gated` wraps.
  for (const name of ["Suspending", "Suspender", "promising"]) delete WebAssembly[name];
  let wasm;
  let compiled;
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (source, imports) => {
    for (const [name, work] of Object.entries(imports?.env ?? {})) {
      if (typeof work === "function" && !ALLOWED.has(name)) imports.env[name] = gated(name, work, gate);
    }
    const wasi = imports?.wasi_snapshot_preview1;
    if (wasi) wasi.clock_time_get = withCpuTime(wasi.clock_time_get, () => (wasm.memory ?? imports.env.memory).buffer);
    const made = await instantiate(source, imports);
    if (imports?.env) {
      wasm = made.instance.exports;
      compiled = made.module;
    }
    return made;
  };
  const pyodide = await start(folder, server, snapshot);
  const { FS } = pyodide;
  pyodide.runPython(`
import gc, sys
import ${MODULES[server].join(", ")}
${script}
`);
  const version = pyodide.runPython("'%d.%d.%d' % sys.version_info[:3]");
  pyodide.runPython(`
sys.meta_path[:] = [f for f in sys.meta_path if "pyodide" not in (f if isinstance(f, type) else type(f)).__module__]
for name in [n for n in sys.modules if n == "js" or "pyodide" in n]:
    del sys.modules[name]
del name
gc.collect()
`);
  const module = pyodide._module;
  const main = wasm.PyImport_AddModule(cString(wasm, module, "__main__"));

  const call = (name, text) => {
    const stack = wasm.__stack_pointer.value;
    try {
      return unsafeCall(wasm, module, main, name, text);
    } catch (error) {
      wasm.__stack_pointer.value = stack; // the only thing outside of the memory that a trap leaves changed
      throw error;
    }
  };
  const lock = () => {
    forgetBridges(wasm, module);
    freeze(FS);
    cutOffNetwork();
    gate.locked = true;
  };
  return { pyodide, module, version, call, lock, compiled };
}

/** There was too little memory even to report that memory has run out. */
export class OutOfMemory extends Error {}

/** Calls a function of `main` with bytes. Throws OutOfMemory, or another Error if the interpreter gives up; its memory is then in any state. */
function unsafeCall(wasm, module, main, name, text) {
  const bytes = Buffer.from(text);
  const [key, argument] = [cString(wasm, module, name), wasm.PyBytes_FromStringAndSize(0, bytes.length)];
  if (argument === 0) throw new OutOfMemory("no memory for what a program gets");
  module.HEAPU8.set(bytes, wasm.PyBytes_AsString(argument));
  const work = wasm.PyObject_GetAttrString(main, key);
  const result = work === 0 ? 0 : wasm.PyObject_CallOneArg(work, argument);
  if (result === 0) {
    const memoryError = new DataView(module.HEAPU8.buffer).getUint32(wasm.PyExc_MemoryError.value, true);
    if (wasm.PyErr_ExceptionMatches(memoryError) !== 0) throw new OutOfMemory(`${name} has no memory left`);
    throw new Error(`${name} failed`);
  }
  const size = wasm.PyBytes_Size(result);
  const at = size < 0 ? 0 : wasm.PyBytes_AsString(result);
  if (at === 0) wasm.PyErr_Clear();
  const answer = at === 0 ? null : Buffer.from(module.HEAPU8.subarray(at, at + size)).toString();
  for (const object of [work, argument, result]) wasm.Py_DecRef(object);
  wasm.free(key);
  return answer;
}

/** Allocates a C string. */
function cString(wasm, module, text) {
  const bytes = Buffer.from(`${text}\0`);
  const at = wasm.malloc(bytes.length);
  module.HEAPU8.set(bytes, at);
  return at;
}

/** Overwrites the names of built-in modules that no program needs, so that importing them fails with a normal error. */
function forgetBridges(wasm, module) {
  const word = (at) => new DataView(module.HEAPU8.buffer).getUint32(at, true);
  for (let entry = word(wasm.PyImport_Inittab.value); word(entry) !== 0; entry += 8) {
    const at = word(entry);
    const name = module.UTF8ToString(at);
    if (/pyodide|^_test|^_xx|^_remote_debugging$/.test(name)) module.HEAPU8[at] = 0x21;
  }
}

/** Makes all files read-only. */
function freeze(FS) {
  const refuse = () => {
    throw new FS.ErrnoError(EROFS);
  };
  const changing =
    "mknod mkdir mkdirTree mkdev symlink rename rmdir unlink chmod lchmod fchmod chown lchown fchown truncate ftruncate " +
    "utime mount unmount createDevice registerDevice";
  for (const name of changing.split(" ")) if (name in FS) FS[name] = refuse;
  const open = FS.open.bind(FS);
  const WRITING = 0o1 | 0o2 | 0o100 | 0o1000 | 0o2000; // O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND of Emscripten
  FS.open = (path, flags, ...rest) => {
    const writes = typeof flags === "number" ? flags & WRITING : !/^rs?b?$/.test(flags ?? "r");
    if (writes && path !== "/dev/null") refuse();
    return open(path, flags, ...rest);
  };
}

/** Removes JavaScript's access to the network too: the permission model of Node 24 and older does not refuse it. */
function cutOffNetwork() {
  for (const name of ["fetch", "WebSocket", "EventSource", "XMLHttpRequest", "Worker", "navigator"])
    delete globalThis[name];
  const refuse = () => {
    throw new Error("no network");
  };
  net.Socket.prototype.connect = refuse;
  net.Server.prototype.listen = refuse;
  for (const name of ["bind", "connect", "send"]) dgram.Socket.prototype[name] = refuse;
  for (const resolver of [dns, dns.promises]) {
    for (const [name, value] of Object.entries(resolver)) {
      if (typeof value === "function" && /^(lookup|resolve|reverse)/.test(name)) resolver[name] = refuse;
    }
  }
}
