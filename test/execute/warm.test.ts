import { describe, expect, it } from "vitest";
import { python } from "./python.ts";

describe("the program that runs before any candidate", () => {
  it("is shareable, and each of its inputs runs", () => {
    const script = `
import candidate, warm
from shareable import shareable
lines = []
candidate.run_all = lambda programs, limit, emit, analyse, together, run=candidate.run_all: run(programs, limit, lines.append, analyse, together)
warm.warm_up()
print(json.dumps([shareable(warm.PROGRAM) is not None, [line.split()[1].decode() for line in lines[:len(warm.INPUTS) + 1]], len(lines)]))`;
    expect(python(script)).toEqual([true, ["v", "v", "v", "v", "e", "v"], 36]);
  });

  it("leaves nothing behind", () => {
    const script = `
import gc, signal, warm
def state():
    return [gc.get_threshold(), str(signal.getsignal(signal.SIGVTALRM)), signal.getitimer(signal.ITIMER_VIRTUAL), sys.gettrace() is None]
before = state()
warm.warm_up()
print(json.dumps([before == state(), "candidate" in sys.modules]))`;
    expect(python(script)).toEqual([true, false]);
  });
});
