/**
 * The worker thread that runs programs in WebAssembly, for guard.mjs, which keeps its time. There is no fork: before
 * each program the interpreter's whole memory is put back to what it was before any ran, so nothing a program did to
 * Python reaches the next one. Reports go to shared memory, and by message when that is full.
 */
import { parentPort, workerData } from "node:worker_threads";
import { boot, OutOfMemory } from "./boot.mjs";
import { CLAIMED, CPU_US, cpuUs, LINES, MOST_ANSWERS, OUT_OF_MEMORY, WRITTEN } from "./clock.mjs";

const KEPT_SUITES = 6; // memory images of interpreters that hold a suite, 16 MB each
const PIECE = 1 << 14; // bytes; divides a page of WebAssembly
const ZEROS = Buffer.alloc(PIECE);
const NEWLINE = 10;

const SCRIPT = `
import io, json, os, sys
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
def _run(text, loads=json.loads):
    class Nowhere(io.TextIOBase):
        def write(self, text):
            return len(text)
    sys.stdin = sys.__stdin__ = io.open(0, encoding="utf-8", errors="surrogateescape", closefd=False)
    if _suite["mode"] == "stdin":
        sys.stdout = sys.__stdout__ = io.open(1, "w", encoding="utf-8", errors="surrogateescape", closefd=False)
    else:
        sys.stdout = sys.__stdout__ = Nowhere()
    sys.stderr = sys.__stderr__ = Nowhere()
    code, start, stop, limit = loads(text)
    program = candidate.Program(_suite, start, stop, code)
    load, answer, report = candidate.load, candidate.answer, candidate.reporter(_emit)
    for name in ("attributes", "libraries", "canon", "candidate"):
        del sys.modules[name]
    loaded = load(program, report)
    if loaded:
        answer(program, *loaded, limit, report)
`;

const { interpreter, board, state, interrupt } = workerData;
const { pyodide, module, version, call, lock } = await boot(
  interpreter,
  ["attributes", "libraries", "canon", "candidate"],
  SCRIPT,
  (mb) => Atomics.add(state, CLAIMED, Math.ceil(mb)),
);

let stdin = new Uint8Array();
let printed = [];
let printedBytes = 0;
let outputBytes = 0;
let overflow = false;
let reported = 0;
let due = 0; // lines: one an input and one on loading, or two where an interruption comes between
pyodide.setStdin({
  read: (buffer) => {
    const piece = stdin.subarray(0, buffer.length);
    buffer.set(piece);
    stdin = stdin.subarray(piece.length);
    return piece.length;
  },
  isatty: false,
});
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
    reported += piece.length;
    if (reported > MOST_ANSWERS * outputBytes) return piece.length; // candidate.py stops a little before
    const at = Atomics.load(state, WRITTEN);
    if (!overflow && at + piece.length <= board.length) {
      board.set(piece, at);
      Atomics.store(state, WRITTEN, at + piece.length);
    } else {
      overflow = true; // from now on by message, so that the order is kept
      parentPort.postMessage({ bytes: piece.slice() });
    }
    const lines = piece.reduce((count, byte) => count + (byte === NEWLINE ? 1 : 0), 0);
    if (lines > 0 && due > 0) {
      due -= lines;
      Atomics.store(state, CPU_US, cpuUs() | 0); // pieces of a line gain no time, nor do lines that nobody waits for
      Atomics.add(state, LINES, lines);
    }
    return piece.length;
  },
  isatty: false,
});
pyodide.setInterruptBuffer(interrupt);
lock();

const empty = imageOf(module.HEAPU8);
const { FS } = module;
const streams = FS.streams.map((stream) => stream && [stream, { ...stream }, { ...stream.shared }]);
const images = new Map();

/** A copy of the memory in pieces; half of it is zeros, which are cheaper to write than to copy. */
function imageOf(memory) {
  const runs = [];
  for (let start = 0; start < memory.length; start += PIECE) {
    const zero = ZEROS.equals(memory.subarray(start, start + PIECE));
    const last = runs.at(-1);
    if (last?.zero === zero) last.end += PIECE;
    else runs.push({ start, end: start + PIECE, zero });
  }
  for (const run of runs) if (!run.zero) run.bytes = memory.slice(run.start, run.end);
  return { runs, length: memory.length };
}

function restore({ runs, length }) {
  const memory = module.HEAPU8;
  for (const { start, end, bytes } of runs) {
    if (bytes) memory.set(bytes, start);
    else memory.fill(0, start, end);
  }
  if (memory.length > length) memory.fill(0, length);
  // What a program can change outside of that memory: descriptors and the current directory.
  FS.streams = streams.map((kept) => {
    if (!kept) return kept;
    const [stream, fields, shared] = kept;
    Object.assign(stream, fields);
    Object.assign(stream.shared, shared);
    return stream;
  });
  FS.currentPath = "/";
}

/** Puts the memory to where the suite is compiled and nothing has run. */
function load(suite) {
  const found = images.get(suite.key);
  if (found) {
    restore(found);
    return;
  }
  restore(empty);
  call("_compile", JSON.stringify(suite));
  if (images.size >= KEPT_SUITES) images.delete(images.keys().next().value);
  images.set(suite.key, imageOf(module.HEAPU8));
}

parentPort.on("message", ({ suite, code, start, stop, limits }) => {
  overflow = false;
  reported = 0;
  due = 2 * (stop - start + 1);
  printed = [];
  printedBytes = 0;
  outputBytes = limits.outputBytes;
  stdin = suite.mode === "stdin" ? new TextEncoder().encode(suite.inputs[start]) : new Uint8Array();
  load(suite);
  Atomics.store(interrupt, 0, 0);
  Atomics.store(state, CLAIMED, 0);
  Atomics.store(state, CPU_US, cpuUs() | 0);
  parentPort.postMessage({ begun: true });
  let fault = null;
  try {
    call("_run", JSON.stringify([code, start, stop, limits.outputBytes]));
  } catch (error) {
    // The interpreter itself gave up; its memory is put back as always.
    fault = error instanceof OutOfMemory ? OUT_OF_MEMORY : String(error).slice(-300);
  }
  Atomics.store(interrupt, 0, 0);
  const output = Buffer.concat(printed).toString("utf8");
  const flood = reported > MOST_ANSWERS * outputBytes;
  parentPort.postMessage({ done: true, fault, flood, output, printedBytes, heap: module.HEAPU8.length });
});
parentPort.postMessage({ ready: version });
