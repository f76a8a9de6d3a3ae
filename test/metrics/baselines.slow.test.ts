/** A megabyte on both sides. Quadratic time would exceed the limit. */
import { it } from "vitest";
import { expectValues, hostileTexts } from "./hostile.ts";

it.each(hostileTexts(1_000_000))(
  "a megabyte of %s gives every metric a value in seconds",
  async (_, text) => {
    await expectValues(text, 20_000);
  },
  120_000,
);
