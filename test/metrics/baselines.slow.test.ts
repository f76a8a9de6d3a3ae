/** A quarter of a megabyte on both sides. Quadratic time would exceed the limit. */
import { it } from "vitest";
import { expectValues, hostileTexts } from "./hostile.ts";

it.each(hostileTexts(250_000))(
  "250 kB of %s give every metric a value in seconds",
  async (_, text) => {
    await expectValues(text, 5000);
  },
  120_000,
);
