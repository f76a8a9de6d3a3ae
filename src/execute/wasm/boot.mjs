/**
 * Starts Pyodide's interpreter for program.mjs and host.mjs, then locks it up. What Python can reach outside of
 * its own memory are the functions that its WebAssembly module imports; after `lock` only the ones listed here still
 * work (clocks, the descriptors, reading files, growing the memory). All others, every bridge to JavaScript objects among
 * them, refuse, whatever a program does to get at them: import the bridge modules, find their classes through `gc`, call
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

/** Imports of the module that work for programs too; each either computes or acts on the read-only file system. */
const ALLOWED = new Set(
  (
    "Jsv_GetError_import JsvError_Check " + // WebAssembly themselves
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
/** What the C side takes for a failure, where refusing need not end the interpreter; system calls get -EPERM. */
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

/** An import that works until `gate.locked`. */
function gated(name, work, gate) {
  const refuse = () => {
    if (name in FAILURES) return FAILURES[name];
    if (name.startsWith("__syscall_") || /^_(maybe|try)_/.test(name)) return -EPERM;
    throw new Error(`a program called ${name}`); // ends the interpreter
  };
  return Object.assign((...args) => (gate.locked ? refuse() : work(...args)), work);
}

/** WASI's clock with those of CPU time, by which programs are timed; Emscripten's go on while the process waits for a core. */
function withCpuTime(clock, memory) {
  const cpu = cpuClock();
  return (id, precision, at) => {
    if (id !== 2 && id !== 3) return clock(id, precision, at); // of the process, of the thread
    new DataView(memory()).setBigUint64(at >>> 0, BigInt(Math.round(cpu() * 1e6)), true);
    return 0;
  };
}

/** Pyodide with `PRELOADED` imported. */
async function load(folder, more) {
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
  pyodide.runPython(`import ${PRELOADED}`);
  return pyodide;
}

/** From the snapshot where there is one that can be used. */
async function start(folder, snapshot) {
  if (snapshot === "") return load(folder, {});
  try {
    return await load(folder, { _loadSnapshot: readFileSync(snapshot) });
  } catch {
    return load(folder, {});
  }
}

/**
 * The memory of an interpreter that has just started: most of a start is Python compiling its own library. Throws where
 * none starts from it.
 */
export async function makeSnapshot(folder) {
  const image = (await load(folder, { _makeSnapshot: true })).makeMemorySnapshot();
  await load(folder, { _loadSnapshot: image });
  return image;
}

/**
 * The interpreter with our Python modules and `script` in it, started from the file `snapshot` unless that is empty.
 * `call(name, text)` calls a function of the script with bytes, without Pyodide's bridge, and returns the text of the bytes
 * it returns, or null. After it has thrown, the interpreter is good for use when its memory is put back. `compiled`: its WebAssembly
 * module. `onClaim` hears of MiB by which the memory is to grow.
 */
export async function boot({ folder, memoryMb, snapshot }, modules, script, onClaim = () => {}) {
  const gate = { locked: false };
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * PAGE > memoryMb * 2 ** 20) throw new RangeError("over the memory limit");
    onClaim((pages * PAGE) / 2 ** 20);
    return grow.call(this, pages);
  };
  // Stack switching would need imports that are no plain functions.
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
  const pyodide = await start(folder, snapshot);
  const { FS } = pyodide;
  FS.mkdir("/codescore");
  for (const name of modules) FS.writeFile(`/codescore/${name}.py`, readFileSync(join(PYTHON, `${name}.py`)));
  pyodide.setStdin({ read: () => 0 });
  pyodide.runPython(`
import gc, sys
sys.path.insert(0, "/codescore")
import ${modules.join(", ")}
sys.path.remove("/codescore")
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
      wasm.__stack_pointer.value = stack; // the one thing outside of its memory that a trap leaves behind
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

/** There was not even the memory to report that there is none. */
export class OutOfMemory extends Error {}

/** Calls a function of `main` with bytes. Throws OutOfMemory, or any other Error where the interpreter gives up, with its memory in any state. */
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

/** A C string. */
function cString(wasm, module, text) {
  const bytes = Buffer.from(`${text}\0`);
  const at = wasm.malloc(bytes.length);
  module.HEAPU8.set(bytes, at);
  return at;
}

/** Spoils the names of built-in modules that no program has any business with, so that importing them fails politely. */
function forgetBridges(wasm, module) {
  const word = (at) => new DataView(module.HEAPU8.buffer).getUint32(at, true);
  for (let entry = word(wasm.PyImport_Inittab.value); word(entry) !== 0; entry += 8) {
    const at = word(entry);
    const name = module.UTF8ToString(at);
    if (/pyodide|^_test|^_xx|^_remote_debugging$/.test(name)) module.HEAPU8[at] = 0x21;
  }
}

/** Files can no longer be changed. */
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

/** No way out to the network for JavaScript either: no permission of Node 24 or older refuses it. */
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
