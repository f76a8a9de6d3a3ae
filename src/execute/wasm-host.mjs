/**
 * CPython in WebAssembly (the `pyodide` package) behind the frames of guard.py and judge.py, for machines without
 * bubblewrap. Plain JavaScript because the process that runs it starts from the sources as well as from a build.
 *
 * usage: node wasm-host.mjs guard|judge PYODIDE_FOLDER MEMORY_MB
 *
 * A guard's programs run in a worker thread; this thread keeps its time, interrupts it, and ends it when that does not
 * help. There is no fork: before each program the interpreter's whole memory is put back to what it was before any
 * ran, so nothing a program did to Python reaches the next one. The file system is read-only and there is no way out
 * to JavaScript: the bridge modules are removed, strings cannot become code, and Node's permission model
 * (see sandbox.ts) refuses files, processes and add-ons.
 */
import dgram from "node:dgram";
import dns from "node:dns";
import { constants, readFileSync, writeSync } from "node:fs";
import net from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

const HERE = dirname(fileURLToPath(import.meta.url));
const TICK_MS = 10;
const GRACE_S = 0.3; // CPU seconds an interrupted program gets to stop
const WALL_S = 60; // of one test, whatever its CPU
const BOARD_BYTES = 1 << 18;
const RECYCLE_BYTES = 512 << 20; // memory never shrinks: a worker that has grown so far is replaced
const KEPT_SUITES = 3; // memory images of interpreters that hold a suite, 32 MB each

// Shared cells of `state`.
const [WRITTEN, LINES, CPU_US] = [0, 1, 2]; // bytes on the board, lines so far, process CPU at the last line
const cpuUs = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

// The interpreter --------------------------------------------------------------------------------------------------

const PRELOADED =
  "abc, array, bisect, calendar, cmath, collections, contextlib, copy, dataclasses, datetime, decimal, enum, fractions, " +
  "functools, hashlib, heapq, io, itertools, json, math, numbers, operator, queue, random, re, statistics, string, " +
  "textwrap, types, typing";

/** Pyodide with our modules in it, its bridges to JavaScript cut and its files read-only. */
async function boot(folder, memoryMb, modules) {
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * 65536 > memoryMb * 2 ** 20) throw new RangeError("over the memory limit");
    return grow.call(this, pages);
  };
  // Pyodide asks for the constants of the file system in a way that the permission model refuses.
  process.binding = () => ({ fs: constants });
  const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")).href);
  const pyodide = await loadPyodide({
    indexURL: `${folder}/`,
    jsglobals: Object.create(null),
    env: { PYTHONHASHSEED: "0", HOME: "/" },
    args: ["-B", "-S"],
  });
  const FS = pyodide.FS;
  FS.mkdir("/codescore");
  for (const name of modules) FS.writeFile(`/codescore/${name}.py`, readFileSync(join(HERE, `${name}.py`)));
  pyodide.setStdin({ read: () => 0 });
  pyodide.runPython(`
import sys
sys.path.insert(0, "/codescore")
import ${PRELOADED}
import ${modules.join(", ")}
`);
  return pyodide;
}

/** The modules that lead from Python to JavaScript go, and files can no longer be changed. */
function lockUp(pyodide) {
  pyodide.runPython(`
import gc, sys
sys.meta_path[:] = [f for f in sys.meta_path if "pyodide" not in (type(f).__module__ or "")]
for name in [n for n in sys.modules if n == "js" or "pyodide" in n]:
    del sys.modules[name]
sys.path.remove("/codescore")
gc.collect()
`);
  const { FS } = pyodide;
  const refuse = () => {
    throw new FS.ErrnoError(69); // EROFS
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

/** No way out to the network: Pyodide gives Python's sockets Node's, which no permission of Node 24 or older refuses. */
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

// One program's thread -----------------------------------------------------------------------------------------------

async function serveThread() {
  const { folder, memoryMb, board, state, interrupt } = workerData;
  const pyodide = await boot(folder, memoryMb, ["canon", "candidate"]);
  const module = pyodide._module;
  let stdin = new Uint8Array();
  let printed = [];
  let printedBytes = 0;
  let overflow = false;
  pyodide.setStdin({
    read: (buffer) => {
      const piece = stdin.subarray(0, buffer.length);
      buffer.set(piece);
      stdin = stdin.subarray(piece.length);
      return piece.length;
    },
    isatty: false,
  });
  let outputBytes = 0;
  pyodide.setStdout({
    write: (piece) => {
      printedBytes += piece.length;
      if (printedBytes <= outputBytes) printed.push(piece.slice());
      return piece.length;
    },
    isatty: false,
  });
  // Standard error carries the reports; Python's own sys.stderr leads nowhere.
  pyodide.setStderr({
    write: (piece) => {
      const at = Atomics.load(state, WRITTEN);
      if (!overflow && at + piece.length <= board.length) {
        board.set(piece, at);
        Atomics.store(state, WRITTEN, at + piece.length);
      } else {
        overflow = true; // from now on by message, so that the order is kept
        parentPort.postMessage({ bytes: piece.slice() });
      }
      Atomics.store(state, CPU_US, cpuUs() | 0);
      Atomics.add(state, LINES, 1);
      return piece.length;
    },
    isatty: false,
  });
  pyodide.runPython(`
import io, os, sys
candidate.add_site_builtins()
def _exit(status):
    raise SystemExit(status)
os._exit = _exit  # ending the interpreter would only cost a new one
def _emit(line, write=os.write):
    while line:
        line = line[write(2, line):]
_suite = None
def _compile(text, loads=json.loads):
    global _suite
    _suite = candidate.compile_suite(loads(text))
def _run(code, start, stop, limit):
    class Nowhere(io.TextIOBase):
        def write(self, text):
            return len(text)
    sys.stdin = sys.__stdin__ = io.open(0, encoding="utf-8", errors="surrogateescape", closefd=False)
    if _suite["mode"] == "stdin":
        sys.stdout = sys.__stdout__ = io.open(1, "w", encoding="utf-8", errors="surrogateescape", closefd=False)
    else:
        sys.stdout = sys.__stdout__ = Nowhere()
    sys.stderr = sys.__stderr__ = Nowhere()
    run = candidate.run
    for name in ("canon", "candidate"):
        del sys.modules[name]
    run(_suite, code, start, stop, limit, _emit)
`);
  const [compile, run] = ["_compile", "_run"].map((name) => pyodide.globals.get(name));
  lockUp(pyodide);
  pyodide.setInterruptBuffer(interrupt);
  cutOffNetwork();
  const empty = module.HEAPU8.slice();
  const streams = [...module.FS.streams];
  const images = new Map();

  const restore = (image) => {
    module.HEAPU8.set(image);
    if (module.HEAPU8.length > image.length) module.HEAPU8.fill(0, image.length);
    module.FS.streams.splice(0, module.FS.streams.length, ...streams);
    module.FS.currentPath = "/";
  };
  const load = (suite) => {
    const found = images.get(suite.key);
    if (found) {
      restore(found);
      return;
    }
    restore(empty);
    compile(JSON.stringify(suite));
    let image;
    if (images.size >= KEPT_SUITES) {
      const [oldest] = images;
      images.delete(oldest[0]);
      image = oldest[1];
    }
    if (image && image.length === module.HEAPU8.length) image.set(module.HEAPU8);
    else image = module.HEAPU8.slice();
    images.set(suite.key, image);
  };

  parentPort.on("message", ({ suite, code, start, stop, limits }) => {
    overflow = false;
    printed = [];
    printedBytes = 0;
    outputBytes = limits.outputBytes;
    stdin = suite.mode === "stdin" ? new TextEncoder().encode(suite.inputs[start]) : new Uint8Array();
    load(suite);
    Atomics.store(interrupt, 0, 0);
    Atomics.store(state, CPU_US, cpuUs() | 0);
    parentPort.postMessage({ begun: true });
    let fault = null;
    try {
      run(code, start, stop, limits.outputBytes);
    } catch (error) {
      fault = String(error).slice(-300); // the interpreter itself gave up: it is not used again
    }
    Atomics.store(interrupt, 0, 0);
    const output = Buffer.concat(printed).toString("utf8");
    parentPort.postMessage({ done: true, fault, output, printedBytes, heap: module.HEAPU8.length });
  });
  parentPort.postMessage({ ready: pyodide.runPython("'%d.%d.%d' % sys.version_info[:3]") });
}

// The thread that keeps time -----------------------------------------------------------------------------------------

class Thread {
  constructor(folder, memoryMb) {
    this.board = new Uint8Array(new SharedArrayBuffer(BOARD_BYTES));
    this.state = new Int32Array(new SharedArrayBuffer(16));
    this.interrupt = new Uint8Array(new SharedArrayBuffer(1));
    const { board, state, interrupt } = this;
    this.worker = new Worker(new URL(import.meta.url), {
      workerData: { folder, memoryMb, board, state, interrupt },
      env: {},
      stdout: true,
      stderr: true,
    });
    this.gone = false;
    this.onMessage = () => {};
    this.worker.on("error", () => {});
    this.worker.on("exit", () => {
      this.gone = true;
      this.onMessage({ exited: true });
    });
    this.ready = new Promise((resolve, reject) => {
      this.worker.on("message", (message) => {
        if (message.ready) resolve(message.ready);
        else this.onMessage(message);
      });
      this.worker.once("exit", () => reject(new Error("the interpreter did not start")));
    });
    this.ready.catch(() => {});
  }

  /**
   * Runs inputs start..stop-1. Resolves with the report lines and how it ended: `done`, `timeout` (the program had to be
   * killed on the input after the last line), or `ended`. `late` holds the inputs that were interrupted.
   */
  async run(suite, code, start, stop, limits, budgets, candidateLeft) {
    await this.ready;
    Atomics.store(this.state, WRITTEN, 0);
    Atomics.store(this.state, LINES, 0);
    const pieces = [];
    const late = new Set();
    const began = { cpu: 0, wall: 0 };
    let outcome = null;
    const finished = new Promise((resolve) => {
      let timer = null;
      let last = -1;
      let interruptedAt = -1;
      let lineWall = 0;
      const end = (how, message = {}) => {
        clearInterval(timer);
        this.onMessage = () => {};
        outcome = { how, ...message };
        resolve();
      };
      const look = () => {
        const lines = Atomics.load(this.state, LINES);
        if (lines !== last) {
          last = lines;
          lineWall = Date.now();
        }
        // The first line says that the program has loaded; streams have one line in all.
        const input = suite.mode === "stdin" ? start : start + lines - 1;
        const budget = input < start ? limits.loadCpuS : (budgets[Math.min(input, budgets.length - 1)] ?? 0);
        const now = cpuUs();
        const used = ((now - Atomics.load(this.state, CPU_US)) | 0) / 1e6;
        const total = (now - began.cpu) / 1e6;
        const over = used > budget || total > candidateLeft || Date.now() - lineWall > 1000 * (WALL_S + budget);
        if (!over) return;
        if (interruptedAt !== lines) {
          interruptedAt = lines;
          late.add(input);
          Atomics.store(this.interrupt, 0, 2); // SIGINT: KeyboardInterrupt in the program
        } else if (used > budget + GRACE_S || total > candidateLeft + GRACE_S) {
          this.gone = true;
          void this.worker.terminate();
          end("timeout");
        }
      };
      this.onMessage = (message) => {
        if (message.begun) {
          began.cpu = cpuUs();
          lineWall = Date.now();
          timer = setInterval(look, TICK_MS);
        } else if (message.bytes) pieces.push(Buffer.from(message.bytes));
        else if (message.done) end(message.fault ? "ended" : "done", message);
        else if (message.exited) end("ended");
      };
    });
    this.worker.postMessage({ suite, code, start, stop, limits });
    await finished;
    const onBoard = Buffer.from(this.board.subarray(0, Atomics.load(this.state, WRITTEN)));
    const text = Buffer.concat([onBoard, ...pieces]).toString("latin1");
    const cpu = began.cpu === 0 ? 0 : (cpuUs() - began.cpu) / 1e6;
    return { ...outcome, cpu, late, lines: text.split("\n").slice(0, -1) };
  }
}

class Guard {
  constructor(folder, memoryMb) {
    this.folder = folder;
    this.memoryMb = memoryMb;
    this.suites = new Map();
    this.renew();
  }

  renew() {
    this.thread = new Thread(this.folder, this.memoryMb);
  }

  async answer(job) {
    for (const key of job.drop ?? []) this.suites.delete(key);
    if (job.suite) this.suites.set(job.key, job.suite);
    const { results, spent } = await this.runJob(this.suites.get(job.key), job);
    return `${JSON.stringify({ id: job.id, cpu: spent })}\n${results.join("\n")}`;
  }

  /** As run_job of guard.py. */
  async runJob(suite, { code, limits, budgets }) {
    const count = suite.inputs.length;
    const results = new Array(count).fill(null);
    const apart = suite.mode !== "call";
    let [spent, timeouts, ended, index] = [0, 0, 0, 0];
    while (index < count) {
      if (timeouts >= limits.maxTimeouts || spent > limits.candidateCpuS) {
        results[index++] = "t 0 null";
        continue;
      }
      const begun = index;
      const stop = apart ? index + 1 : count;
      const run = await this.thread.run(suite, code, index, stop, limits, budgets, limits.candidateCpuS - spent);
      spent += run.cpu;
      const read = readLines(run, suite, index, stop, limits);
      timeouts += read.timeouts;
      read.results.forEach((line, i) => {
        // Past the limit of timeouts what this process still answered counts no more, as it would not with fork.
        results[begun + i] = line;
      });
      index = begun + read.results.length;
      if (this.thread.gone || run.fault || (run.heap ?? 0) > RECYCLE_BYTES) {
        if (!this.thread.gone) void this.thread.worker.terminate();
        this.renew();
      }
      if (read.load) {
        // The program does not load, or forges: so on every input.
        for (let i = begun; i < count; i++) results[i] = read.load;
        index = count;
      } else if (index < stop) {
        if (run.how === "timeout") {
          timeouts += 1;
          results[index++] = `t ${run.cpu.toFixed(6)} null`;
        } else if (!read.again) {
          ended += 1;
          results[index++] = 'e 0 ["Exit","the interpreter ended without an answer"]';
          if (ended >= limits.maxTimeouts) while (index < count) results[index] = results[index++ - 1];
        }
      }
    }
    return { results: capTimeouts(results, limits.maxTimeouts), spent };
  }
}

/** After so many timeouts everything is a timeout. */
function capTimeouts(results, most) {
  let seen = 0;
  return results.map((line) => {
    if (seen >= most) return "t 0 null";
    if (line.startsWith("t")) seen += 1;
    return line;
  });
}

/** Report lines to result lines, as far as they are the ones expected. */
function readLines(run, suite, start, stop, limits) {
  const read = { results: [], timeouts: 0, load: null, again: false };
  const stream = suite.mode === "stdin";
  let expected = stream ? start : -1;
  for (const line of run.lines) {
    const found = /^(-?\d+) ([vem]) (\d+\.\d+) (.*)$/.exec(line);
    const due = found && Number(found[1]) === expected && expected < stop;
    if (!due || found[4].length > limits.outputBytes + 5000) {
      read.results = [];
      read.load = 'e 0 ["MalformedAnswer","the program wrote among its own reports"]'; // who forges has no answers
      return read;
    }
    const [, , status, seconds, payload] = found;
    if (expected === -1) {
      if (status !== "v") {
        const late = run.late.size > 0 && payload.startsWith('["KeyboardInterrupt"');
        read.load = late ? "t 0 null" : `${status === "e" ? "l" : status} 0 ${payload}`;
        return read;
      }
      expected = start;
      continue;
    }
    if (payload.startsWith('["KeyboardInterrupt"') && run.late.size > 0 && !run.late.has(expected)) {
      read.again = true; // hit by the interruption of the input before
      return read;
    }
    if (run.late.has(expected)) {
      read.timeouts += 1;
      read.results.push(`t ${seconds} null`);
    } else if (stream && status === "v") {
      read.results.push(
        run.printedBytes > limits.outputBytes
          ? `e ${seconds} ["OutputLimit","more was printed than the limit of output allows"]`
          : `v ${seconds} ${ascii(JSON.stringify(run.output))}`,
      );
    } else {
      read.results.push(`${status} ${seconds} ${payload}`);
    }
    expected += 1;
  }
  if (run.how === "timeout" && expected === -1) read.load = "t 0 null";
  return read;
}

const ascii = (text) =>
  text.replace(/[\u007f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);

// Frames ---------------------------------------------------------------------------------------------------------------

function writeFrame(text) {
  const frame = Buffer.alloc(4 + text.length);
  frame.writeUInt32BE(text.length);
  frame.write(text, 4, "latin1");
  for (let at = 0; at < frame.length; ) {
    try {
      at += writeSync(1, frame, at);
    } catch (error) {
      if (error.code === "EPIPE") process.exit(0);
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

/** Answers frames one after the other until the other side is gone. */
async function serve(answer) {
  let pending = Buffer.alloc(0);
  for await (const piece of process.stdin) {
    pending = Buffer.concat([pending, piece]);
    while (pending.length >= 4 && pending.length >= 4 + pending.readUInt32BE(0)) {
      const size = pending.readUInt32BE(0);
      const text = pending.toString("utf8", 4, 4 + size);
      pending = pending.subarray(4 + size);
      writeFrame(await answer(text));
    }
  }
  process.exit(0);
}

if (!isMainThread) {
  await serveThread();
} else {
  const [server, folder, memoryMb] = process.argv.slice(2);
  if (server === "judge") {
    const pyodide = await boot(folder, Number(memoryMb), ["canon", "split", "judge"]);
    pyodide.runPython("_problems = {}\ndef _answer(text): return judge.answer(text, _problems)");
    const answer = pyodide.globals.get("_answer");
    lockUp(pyodide);
    writeFrame(JSON.stringify({ python: "" }));
    await serve((text) => answer(text));
  } else {
    const guard = new Guard(folder, Number(memoryMb));
    writeFrame(JSON.stringify({ python: await guard.thread.ready }));
    await serve((text) => guard.answer(JSON.parse(text)));
  }
}
