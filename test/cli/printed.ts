/** Keeps what a verb prints from the terminal, and collects it; until `vi.restoreAllMocks`. */
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
