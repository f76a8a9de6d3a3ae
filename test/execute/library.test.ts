/** Library values as data: how they are shown, and that a forged one equals only itself. */
import { describe, expect, it } from "vitest";
import { showValue } from "../../src/behaviour/show.ts";
import { decodeValue, equalValues } from "../../src/execute/index.ts";

const object = (type: string, parts: unknown) => decodeValue(JSON.stringify(["o", type, JSON.stringify(parts)]));
const list = (...items: unknown[]) => ["l", items];
const array = (dtype: string, shape: number[], items: unknown) =>
  object("numpy.ndarray", list(dtype, list(...shape), items));

describe("library values", () => {
  it.each([
    [array("float64", [2], "0.5 nan"), "array([0.5, float('nan')])"],
    [array("int64", [2, 2], "1 2 3 4"), "array([[1, 2], [3, 4]])"],
    [array("int64", [], "5"), "array(5)"],
    [array("float64", [0], ""), "array([])"],
    [array("str", [1], list("a")), "array(['a'])"],
    [array("complex128", [2], "1.0,2.0 0.0,-1e-05"), "array([(1+2j), complex(0.0, -1e-05)])"],
    [
      object("pandas.Series", list("int64", "a", ["o", "pandas.Index", list("int64", list(null), "0")], "1")),
      "Series([1], name='a')",
    ],
    [
      object(
        "pandas.DataFrame",
        list(
          ["o", "pandas.Index", list("int64", list(null), "0 1")],
          ["o", "pandas.Index", list("object", list(null), list("a"))],
          list(list("float64", "1.5 2.0")),
        ),
      ),
      "DataFrame({'a': [1.5, 2.0]})",
    ],
  ])("are shown %#", (value, text) => {
    expect(showValue(value)).toBe(text);
  });

  it.each([
    ["no parts", 1],
    ["too few parts", list("int64")],
    ["too many parts", list("int64", list(1), "1", "2")],
    ["parts of other kinds", list(1, 2, 3)],
    ["text that is no numbers", list("int64", list(1), "1 x")],
    ["nothing", list()],
  ])("that are made up of %s are equal to themselves alone", (_what, parts) => {
    const [made, other] = [object("numpy.ndarray", parts), array("int64", [1], "1")];
    expect(equalValues(made, made)).toBe(true);
    expect(equalValues(made, other)).toBe(false);
    expect(equalValues(other, made)).toBe(false);
    expect(typeof showValue(made)).toBe("string");
  });

  it("are compared in linear time, whatever their text", () => {
    const long = Array.from({ length: 100_000 }, (_, i) => `${i}.5`).join(" ");
    const began = process.cpuUsage();
    expect(equalValues(array("float64", [1e5], long), array("float64", [1e5], `${long}1`))).toBe(false);
    for (const text of ["1".repeat(200_000), `${"1.".repeat(100_000)}j`, `${"-".repeat(100_000)}`, "1e".repeat(50_000)])
      expect(equalValues(array("float64", [1], text), array("float64", [1], "1.0"))).toBe(false);
    expect(process.cpuUsage(began).user / 1e6).toBeLessThan(5);
  });
});
