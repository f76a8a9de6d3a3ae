/**
 * CPython in WebAssembly (the `pyodide` package) behind the frames of guard.py and judge.py, for machines without
 * bubblewrap. Plain JavaScript, because the process that runs it starts from the sources as well as from a build.
 *
 * usage: node host.mjs guard|judge PYODIDE_FOLDER SNAPSHOT MEMORY_MB
 *        node host.mjs snapshot PYODIDE_FOLDER guard|judge
 *
 * boot.mjs starts an interpreter and locks it. Node's permission model (see sandbox/wasm.ts) is a second wall: no
 * files except Pyodide's and ours, no processes, no add-ons, no code from strings. This file only moves frames.
 */
import { writeSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { boot, makeSnapshot } from "./boot.mjs";
import { Guard } from "./guard.mjs";
import { watch } from "./watch.mjs";

// How much a function of WebAssembly runs before V8 optimizes it (V8's default: 1,800,000). Most interpreters end before it pays off.
setFlagsFromString("--wasm-tiering-budget=60000000");

const { begin, end } = watch();

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

/** Answers frames one after the other until the other side closes the pipe. */
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

const [server, folder, argument, memoryMb] = process.argv.slice(2);
const interpreter = { folder, snapshot: argument, memoryMb: Number(memoryMb) };
if (server === "snapshot") {
  process.stdout.write(await makeSnapshot(folder, argument));
} else if (server === "judge") {
  const script = "_problems = {}\ndef _answer(text): return judge.answer(text, _problems).encode()";
  const { call, lock } = await boot(interpreter, "judge", script);
  lock();
  writeFrame(JSON.stringify({ python: "" }));
  await serve((text) => {
    const { op, units } = JSON.parse(text);
    if (op === "check") begin(units.length); // runs test code on a candidate's answers, so its time is limited
    const answer = call("_answer", text);
    end();
    return answer;
  });
} else {
  const guard = new Guard(interpreter);
  writeFrame(JSON.stringify({ python: await guard.thread.ready }));
  await serve((text) => guard.answer(JSON.parse(text)));
}
