/**
 * The worker thread that runs programs in WebAssembly. guard.mjs keeps its time. There is no fork here. Instead the whole memory of the
 * interpreter is restored to its state before any program ran, so that nothing a program did to Python reaches the next one.
 * Shareable programs (shareable.py) cannot affect each other, so several of them run one after another before the memory is restored.
 * Reports go to shared memory, and by message when that is full.
 */
import { parentPort, workerData } from "node:worker_threads";
import { boot, MODULES, OutOfMemory } from "./boot.mjs";
import { BRIEF_MS, CLAIMED, CPU_US, cpuUs, ENOUGH, LINES, MOST_ANSWERS, OUT_OF_MEMORY, WRITTEN } from "./clock.mjs";

const KEPT_SUITES = 6; // compiled suites, each with the 10 MB of memory in which its interpreter differs from an empty one
const PIECE = 1 << 14; // bytes; divides a page of WebAssembly
const ZEROS = Buffer.alloc(PIECE);
const [NEWLINE, SPACE, REHEARSAL] = Buffer.from("\n r");
const TOGETHER = 32; // shareable programs that run before the memory is restored, as in guard.py

const SCRIPT = `
import gc, io, json, os, sys
candidate.add_site_builtins()
def _exit(status):
    raise SystemExit(status)
os._exit = _exit  # ending the interpreter would only cost a new one
def _emit(line, write=os.write):
    while line:
        line = line[write(2, line):]
_suite = _program = _known = None
_main = sys.modules["__main__"]  # boot.mjs calls its functions, so it must outlive a program that has its name
def _compile(text, loads=json.loads):
    global _suite
    suite = loads(text)
    _suite = suites.compile_suite(suite)
    _suite["shareable"] = shortcuts.can_share(suite) or shortcuts.can_share_on_stdin(suite)
    gc.freeze()  # what is there already need not be looked through after each program
_watch = endless.Watch()
def _analyse(text, loads=json.loads, make=candidate.Program, analyse=shortcuts.analyse):
    global _program, _known
    _program = make(_suite, *loads(text))
    if _known is not None and _known.text == _program.text:  # the next test on stdin
        _program.tree, _program.alone = _known.tree, _known.alone
    else:
        analyse(_program, _watch)
        _known = _program if _suite["mode"] == "stdin" else None
    shares = not _program.alone if _suite["mode"] == "stdin" else _program.tree is not None
    return b"1" if shares else b"0"
def _run(limit, run_all=candidate.run_all, flush=candidate.flush):
    global _program
    class Nowhere(io.TextIOBase):
        def write(self, text):
            return len(text)
    sys.stdin = sys.__stdin__ = io.open(0, encoding="utf-8", errors="surrogateescape", closefd=False)
    if _suite["mode"] == "stdin":
        sys.stdout = sys.__stdout__ = io.open(1, "w", encoding="utf-8", errors="surrogateescape", closefd=False)
    else:
        sys.stdout = sys.__stdout__ = Nowhere()
    sys.stderr = sys.__stderr__ = Nowhere()
    for name in ${JSON.stringify(MODULES.guard)}:
        sys.modules.pop(name, None)
    program, _program = _program, None
    together = program.tree is not None
    run_all([program], int(limit), _emit, lambda program: None, together)
    if _suite["mode"] == "stdin":
        flush()  # what a program left that ran out of memory: the next one has other streams
`;

/** Counts line ends. On a flood of empty lines this loop is ten times as fast as `indexOf`, and five times as fast as `reduce`. */
function linesIn(piece) {
  let count = 0;
  for (let i = 0; i < piece.length; i++) if (piece[i] === NEWLINE) count += 1;
  return count;
}

const { interpreter, board, state, interrupt } = workerData;
const { pyodide, module, version, call, lock, compiled } = await boot(interpreter, "guard", SCRIPT, (mb) =>
  Atomics.add(state, CLAIMED, Math.ceil(mb)),
);

let stdin = new Uint8Array();
let printed = [];
let printedBytes = 0;
let outputBytes = 0;
let overflow = false;
let reported = 0;
let restarted = 0; // when the clock of the tests was last set
let due = 0; // lines that may come: per input and for loading one, one more for a rehearsal (memoize.py), one more after an interruption
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
// Standard error carries the reports. Python's own sys.stderr discards its text.
pyodide.setStderr({
  write: (piece) => {
    if (Atomics.load(state, ENOUGH) === 1) throw new Error("no more answers are taken");
    reported += piece.length;
    if (reported > MOST_ANSWERS * outputBytes) return piece.length; // candidate.py stops a little before
    const at = Atomics.load(state, WRITTEN);
    if (!overflow && at + piece.length <= board.length) {
      board.set(piece, at);
      Atomics.store(state, WRITTEN, at + piece.length);
    } else {
      overflow = true; // from now on by message only, so that the order is kept
      parentPort.postMessage({ bytes: piece.slice() });
    }
    const lines = due > 0 ? linesIn(piece) : 0;
    if (lines > 0) {
      due -= lines;
      const now = performance.now();
      if (now - restarted > BRIEF_MS) {
        restarted = now;
        Atomics.store(state, CPU_US, cpuUs() | 0); // only whole lines that are due restart the clock: others gain no time
      }
      // A rehearsal is no answer; its time is not the test's.
      if (piece[piece.indexOf(SPACE) + 1] !== REHEARSAL) Atomics.add(state, LINES, lines);
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
const images = new Map(); // the changes that compiling a suite makes to the memory, by its key

/** Copies the memory in pieces. Half of it is zeros, which are cheaper to write than to copy. */
function imageOf(memory) {
  const runs = [];
  for (let start = 0; start < memory.length; start += PIECE) {
    const zero = ZEROS.equals(memory.subarray(start, start + PIECE));
    const last = runs.at(-1);
    if (last?.zero === zero) last.end += PIECE;
    else runs.push({ start, end: start + PIECE, zero });
  }
  for (const run of runs) if (!run.zero) run.bytes = Buffer.from(memory.slice(run.start, run.end).buffer);
  return { runs, length: memory.length };
}

/** Copies the pieces in which the memory differs from `empty`: less than two thirds of a whole image. */
function changesOf(memory) {
  const pieces = [];
  const compare = (start, wanted) => {
    const piece = memory.subarray(start, start + PIECE);
    if (!wanted.equals(piece)) pieces.push({ start, bytes: piece.slice() });
  };
  for (const { start, end, bytes } of empty.runs) {
    for (let at = start; at < end; at += PIECE) {
      compare(at, bytes ? bytes.subarray(at - start, at - start + PIECE) : ZEROS);
    }
  }
  for (let at = empty.length; at < memory.length; at += PIECE) compare(at, ZEROS);
  return pieces;
}

/** Restores the memory to the state in which no program has run, then to that of `changes`. */
function restore(changes = []) {
  const memory = module.HEAPU8;
  for (const { start, end, bytes } of empty.runs) {
    if (bytes) memory.set(bytes, start);
    else memory.fill(0, start, end);
  }
  if (memory.length > empty.length) memory.fill(0, empty.length);
  for (const { start, bytes } of changes) memory.set(bytes, start);
  // Also restore what a program can change outside of that memory: descriptors and the current directory.
  FS.streams = streams.map((kept) => {
    if (!kept) return kept;
    const [stream, fields, shared] = kept;
    Object.assign(stream, fields);
    Object.assign(stream.shared, shared);
    return stream;
  });
  FS.currentPath = "/";
}

/** Restores the memory to the state in which the suite is compiled and no program has run. */
function load(suite) {
  const image = images.get(suite.key);
  restore(image);
  if (image) return;
  call("_compile", JSON.stringify(suite));
  if (images.size >= KEPT_SUITES) images.delete(images.keys().next().value);
  images.set(suite.key, changesOf(module.HEAPU8));
}

/** The key of the suite in the memory (null: the memory must be restored first), and the number of programs that have run in it since. */
let held = null;
let ran = 0;

function renew(suite) {
  load(suite);
  held = suite.key;
  ran = 0;
}

/** Whether the program may run in this memory together with others. If it may not, the memory is new now. */
function analyse(suite, program) {
  const text = JSON.stringify(program);
  if (call("_analyse", text) === "1") return true;
  if (ran === 0) return false;
  renew(suite);
  return call("_analyse", text) === "1";
}

/** The time of the program begins now. */
function begin() {
  Atomics.store(interrupt, 0, 0);
  Atomics.store(state, CLAIMED, 0);
  Atomics.store(state, CPU_US, cpuUs() | 0);
  parentPort.postMessage({ begun: true });
}

/** `fresh`: run it in memory in which no other program has run. */
parentPort.on("message", ({ suite, program, limits, fresh }) => {
  overflow = false;
  reported = 0;
  const [start, stop] = program;
  due = 3 * (stop - start + 1);
  printed = [];
  printedBytes = 0;
  outputBytes = limits.outputBytes;
  stdin = suite.mode === "stdin" ? new TextEncoder().encode(suite.inputs[start]) : new Uint8Array();
  if (fresh || held !== suite.key || ran === TOGETHER) renew(suite);
  // The budget of a test on stdin is for the whole program, so it is not charged for our analysis. In other modes loading has its own.
  const isApart = suite.mode === "stdin";
  let fault = null;
  let shared = false;
  try {
    if (!isApart) begin();
    const isShareable = analyse(suite, program);
    if (isApart) begin();
    shared = ran > 0;
    held = null; // the program may do anything, or never end
    call("_run", String(limits.outputBytes));
    if (isShareable) held = suite.key;
    ran += 1;
  } catch (error) {
    // The interpreter itself failed. Its memory is restored before the next program.
    held = null;
    fault = error instanceof OutOfMemory ? OUT_OF_MEMORY : String(error).slice(-300);
  }
  Atomics.store(interrupt, 0, 0);
  const output = Buffer.concat(printed).toString("utf8");
  const flood = reported > MOST_ANSWERS * outputBytes;
  parentPort.postMessage({ done: true, fault, flood, output, printedBytes, shared, heap: module.HEAPU8.length });
});
parentPort.postMessage({ ready: version, compiled });
