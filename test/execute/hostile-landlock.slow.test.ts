/**
 * Programs that attack the harness, under Landlock of the first kernels that have it. The seccomp filter must do the rest. Only those that ask
 * the kernel for something: for all others every level is the same (hostile-landlock.test.ts).
 */
import { hostileSuite } from "./hostile.ts";
import { ofLevel } from "./landlock.ts";
import { landlockWorks } from "./open.ts";

const ASKS =
  /\b(?:ctypes|fcntl|mmap|multiprocessing|open|os|pty|resource|shutil|signal|socket|subprocess|threading|urllib)\b/;

if (landlockWorks) {
  hostileSuite(
    "landlock",
    undefined,
    (limits) => ofLevel(1, limits),
    ({ code }) => ASKS.test(code),
  );
}
