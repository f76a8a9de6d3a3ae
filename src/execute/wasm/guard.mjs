/**
 * The guard of the WebAssembly side, the counterpart of guard.py. It keeps the time of the thread that runs the programs (program.mjs),
 * interrupts it, kills it if that does not help, and turns its reports, which are only data here, into results. Never runs Python.
 * Jobs and answers are those of protocol.ts; host.mjs moves the frames.
 */
import { Worker } from "node:worker_threads";
import { CELLS, CLAIMED, CPU_US, cpuUs, ENOUGH, LINES, MOST_ANSWERS, OUT_OF_MEMORY, WRITTEN } from "./clock.mjs";

const TICK_MS = 4;
const [SIGINT, SIGVTALRM] = [2, 26]; // Emscripten's numbers
const BRIEF_S = 0.5; // as in run.py
const NEAR = 1.5; // a test gets this multiple of its budget, unless `final`; as GRACE in run.py
const GRACE_S = 0.3; // CPU seconds that an interrupted program gets to stop
const CLAIM_S = 0.003; // CPU seconds allowed for claiming a MiB of memory; they are not charged to the program
const MOST_ENDED = 3; // as in guard.py
const WALL_S = 60; // wall seconds that one test may take beyond its CPU budget
const BOARD_BYTES = 1 << 18;
const ERROR_BYTES = 10_000; // maximum for class and message, as ERROR_BYTES in supervise.py
const RECYCLE_BYTES = 512 << 20; // memory never shrinks: a worker that has grown beyond this is replaced

/** The compiled interpreter. Without it V8 compiles the module again for each new thread, which takes half of the start-up time. */
const held = { compiled: null };

class Thread {
  constructor(interpreter) {
    this.board = new Uint8Array(new SharedArrayBuffer(BOARD_BYTES));
    this.state = new Int32Array(new SharedArrayBuffer(4 * CELLS));
    this.interrupt = new Uint8Array(new SharedArrayBuffer(1));
    const { board, state, interrupt } = this;
    this.worker = new Worker(new URL("./program.mjs", import.meta.url), {
      workerData: { interpreter, board, state, interrupt },
      env: {},
      stdout: true,
      stderr: true,
    });
    this.gone = false;
    this.onMessage = () => {};
    let why = "";
    this.worker.on("error", (error) => {
      why = `: ${error.message}`;
    });
    this.worker.on("exit", () => {
      this.gone = true;
      this.onMessage({ exited: true });
    });
    this.ready = new Promise((resolve, reject) => {
      this.worker.on("message", (message) => {
        if (message.ready) {
          held.compiled = message.compiled;
          resolve(message.ready);
        } else this.onMessage(message);
      });
      this.worker.once("exit", () => reject(new Error(`the interpreter did not start${why}`)));
    });
    this.ready.catch(() => {});
  }

  /**
   * Runs a program, [start, stop, code, budgets, provisional], on inputs start..stop-1. Resolves with the report lines and how it
   * ended: `done`; `ended`; `timeout` (it had to be killed on the input after the last line); or `enough` (it was stopped there, after
   * `mayBeLate` late inputs). `late` holds the inputs that were interrupted. `shared`: other programs had run in the same memory.
   */
  async run(suite, program, limits, budgets, { candidateLeft, near, mayBeLate, fresh }) {
    await this.ready;
    const [start] = program;
    for (const cell of [WRITTEN, LINES, ENOUGH]) Atomics.store(this.state, cell, 0);
    const pieces = [];
    const late = new Set();
    const began = { cpu: 0, wall: 0 };
    let outcome = null;
    const finished = new Promise((resolve) => {
      let timer = null;
      let last = -1;
      let interruptedAt = -1;
      let lineWall = 0;
      let ticked = 0;
      const end = (how, message = {}) => {
        clearInterval(timer);
        this.onMessage = () => {};
        outcome = { ...message, how: Atomics.load(this.state, ENOUGH) === 1 && how === "ended" ? "enough" : how };
        resolve();
      };
      const look = () => {
        const lines = Atomics.load(this.state, LINES);
        if (lines !== last) {
          last = lines;
          lineWall = Date.now();
        }
        // The first line says that the program has loaded. A stdin program has only one line.
        const input = suite.mode === "stdin" ? start : start + lines - 1;
        const budget = input < start ? limits.loadCpuS : near * (budgets[Math.min(input, budgets.length - 1)] ?? 0);
        const now = cpuUs();
        if (now - ticked >= 1000 * TICK_MS) {
          ticked = now;
          Atomics.compareExchange(this.interrupt, 0, 0, SIGVTALRM); // for the handlers of endless.py and memoize.py
        }
        const used = ((now - Atomics.load(this.state, CPU_US)) | 0) / 1e6;
        const total = (now - began.cpu) / 1e6;
        const claimed = CLAIM_S * Atomics.load(this.state, CLAIMED);
        const over =
          used > budget + claimed || total > candidateLeft || Date.now() - lineWall > 1000 * (WALL_S + budget);
        if (!over) return;
        if (interruptedAt !== lines) {
          interruptedAt = lines;
          late.add(input);
          if (late.size >= mayBeLate) Atomics.store(this.state, ENOUGH, 1);
          Atomics.store(this.interrupt, 0, SIGINT); // KeyboardInterrupt in the program
        } else if (used > budget + claimed + GRACE_S || total > candidateLeft + GRACE_S) {
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
    this.worker.postMessage({ suite, program, limits, fresh });
    await finished;
    const onBoard = Buffer.from(this.board.subarray(0, Atomics.load(this.state, WRITTEN)));
    const text = Buffer.concat([onBoard, ...pieces]).toString("latin1");
    const cpu = began.cpu === 0 ? 0 : (cpuUs() - began.cpu) / 1e6;
    const lines = text.split("\n");
    return { ...outcome, cpu, late, rest: lines.pop(), lines };
  }
}

export class Guard {
  /** `interpreter`: how to start one, as an argument of `boot`. */
  constructor(interpreter) {
    this.interpreter = interpreter;
    this.suites = new Map();
    this.fresh = false; // whether the next program needs memory in which no program has run
    this.renew();
  }

  renew() {
    this.thread = new Thread(this.interpreter);
  }

  async answer(job) {
    for (const key of job.drop ?? []) this.suites.delete(key);
    if (job.suite) this.suites.set(job.key, job.suite);
    const { results, spent } = await this.runJob(this.suites.get(job.key), job);
    return `${JSON.stringify({ id: job.id, cpu: spent })}\n${results.join("\n")}`;
  }

  /** The counterpart of run_alone in guard.py. */
  async runJob(suite, { code, limits, budgets, provisional, final, alone, from }) {
    const near = final ? 1 : NEAR;
    const count = suite.inputs.length;
    const results = new Array(count).fill("t 0 null");
    const apart = suite.mode === "stdin" || suite.mode === "exec";
    const plain = alone && Math.max(0, ...budgets) < BRIEF_S;
    let [spent, timeouts, ended, index, bytes, fresh] = [0, from.timeouts, 0, from.input, 0, false];
    while (index < count && timeouts < limits.maxTimeouts && spent <= limits.candidateCpuS) {
      const begun = index;
      const stop = apart ? index + 1 : count;
      const program = [index, stop, code, plain ? [] : budgets, provisional];
      const bounds = { candidateLeft: limits.candidateCpuS - spent, near, mayBeLate: limits.maxTimeouts - timeouts };
      const run = await this.thread.run(suite, program, limits, budgets, { ...bounds, fresh: fresh || this.fresh });
      spent += run.cpu;
      const read = readLines(run, suite, index, stop, limits, budgets, near);
      this.fresh = run.late.size > 0 || run.how !== "done";
      if (this.thread.gone || (run.heap ?? 0) > RECYCLE_BYTES) {
        if (!this.thread.gone) void this.thread.worker.terminate();
        this.renew();
      }
      // An earlier program in the same memory may have caused this. Run it again in fresh memory.
      fresh = run.shared && (run.how === "ended" || read.load !== null || read.results.some((line) => line[0] === "m"));
      if (fresh) continue;
      timeouts += read.timeouts;
      read.results.forEach((line, i) => {
        // Answers after the limit of timeouts do not count (`capTimeouts`): a forked process would not have given them.
        bytes += line.length;
        results[begun + i] = bytes > MOST_ANSWERS * limits.outputBytes ? TOO_LARGE : line;
      });
      index = begun + read.results.length;
      if (read.load) {
        // The program does not load, or it forges reports. The same holds for every input.
        for (let i = begun; i < count; i++) results[i] = read.load;
        index = count;
      } else if (index < stop) {
        if (run.how === "timeout" || run.how === "enough") {
          timeouts += 1;
          results[index++] = `t ${run.cpu.toFixed(6)} null`;
        } else if (!read.again) {
          ended += 1;
          const line = run.fault === OUT_OF_MEMORY ? "m 0 null" : endedLine(run.fault);
          results[index++] = line;
          // The program does not load, or it ends again and again: it would do so on every input (as in guard.py).
          const isHopeless = suite.mode !== "stdin" && (run.lines.length === 0 || ended >= MOST_ENDED);
          if (isHopeless) while (index < count) results[index++] = line;
        }
      }
    }
    return { results: capTimeouts(results, from, limits.maxTimeouts), spent };
  }
}

const TOO_LARGE = 'e 0 ["AnswerTooLarge","the answers of the program together exceed the limit"]';

function endedLine(fault) {
  const why = fault ? `: ${fault}` : "";
  return `e 0 ${ascii(JSON.stringify(["Exit", `the interpreter ended without an answer${why}`]))}`;
}

/** Turns everything after the maximum number of timeouts into a timeout. */
function capTimeouts(results, from, most) {
  let seen = from.timeouts;
  return results.map((line, i) => {
    if (i < from.input) return line;
    if (seen >= most) return "t 0 null";
    if (/^[tn]/.test(line)) seen += 1;
    return line;
  });
}

/**
 * Turns report lines into result lines, as long as they are the expected ones. An interruption may come while an answer is being
 * reported: that input then has a second line, or, if the first was an exception, the run ends.
 */
export function readLines(run, suite, start, stop, limits, budgets, near) {
  const read = { results: [], timeouts: 0, load: null, again: false };
  const isStopped = run.how === "timeout" || run.how === "enough";
  if (run.flood || (run.rest && !isStopped)) return forged(read);
  const stream = suite.mode === "stdin";
  let expected = stream ? start : -1;
  let rehearsed = null;
  for (const line of run.lines) {
    const found = /^(-?\d+) ([vemtr]) (\d+\.\d+) (.*)$/.exec(line);
    if (found?.[2] === "r" && Number(found[1]) === expected && expected !== rehearsed) {
      rehearsed = expected; // one such line per test is allowed (memoize.py)
      continue;
    }
    const interrupted = found?.[4].startsWith('["KeyboardInterrupt"') && run.late.size > 0;
    if (interrupted && expected > start && Number(found[1]) === expected - 1 && run.late.has(expected - 1)) continue;
    const due = found && Number(found[1]) === expected && expected < stop;
    if (!due || found[4].length > (found[2] === "v" ? limits.outputBytes + 5000 : ERROR_BYTES)) {
      return forged(read);
    }
    const [, , status, seconds, payload] = found;
    if (expected === -1) {
      if (status !== "v") {
        read.load = interrupted ? "t 0 null" : `${status === "e" ? "l" : status} 0 ${payload}`;
        return read;
      }
      expected = start;
      continue;
    }
    if (interrupted && !run.late.has(expected)) {
      read.again = true; // the interruption of the previous input hit this one
      return read;
    }
    if (status === "r") return forged(read);
    if (run.late.has(expected) || status === "t" || (status !== "m" && Number(seconds) > budgets[expected])) {
      read.timeouts += 1;
      const over = run.late.has(expected) || status === "t" || Number(seconds) >= near * budgets[expected];
      read.results.push(`${over ? "t" : "n"} ${seconds} null`);
    } else if (stream && status === "v") {
      read.results.push(
        run.printedBytes > limits.outputBytes
          ? `e ${seconds} ["OutputLimit","the program printed more than the limit allows"]`
          : `v ${seconds} ${ascii(JSON.stringify(run.output))}`,
      );
    } else {
      read.results.push(`${status} ${seconds} ${payload}`);
    }
    expected += 1;
  }
  if (isStopped && expected === -1) read.load = "t 0 null";
  if (run.how === "ended" && run.late.has(expected - 1) && run.fault?.includes("KeyboardInterrupt")) read.again = true;
  return read;
}

/** A program that forges report lines gets no answers. */
const forged = (read) => ({
  ...read,
  results: [],
  load: 'e 0 ["MalformedAnswer","the program wrote into the channel for its reports"]',
});

const ascii = (text) =>
  text.replace(/[\u007f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
