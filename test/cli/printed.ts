/** Captures what a verb prints, instead of showing it on the terminal, until `vi.restoreAllMocks`. */
import { vi } from "vitest";

export function printed(): { stdout: string; stderr: string } {
  const out = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      out[name] += String(text);
      return true;
    });
  }
  return out;
}
