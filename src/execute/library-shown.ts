/** Shows answers of numpy and pandas to people (their canonical forms: python/libraries.py). */
import type { PyValue } from "../types.ts";
import { itemsOf } from "./library.ts";
import { decodeValue } from "./value.ts";

const MOST_DIMENSIONS = 32; // numpy's maximum; a program may send more

type Show = (value: PyValue) => string;

/** `array([[1, 2]])`, `Series([0.5], name='a')`, `DataFrame({'a': [1]})`; null for any other object. */
export function showLibrary(type: string, form: string, show: Show): string | null {
  try {
    const parts = decodeValue(form);
    return parts.t === "list" ? shown(type, parts.v, show) : null;
  } catch {
    return null; // not a valid form: the program made it up
  }
}

function shown(type: string, parts: readonly PyValue[], show: Show): string | null {
  const list = (items: PyValue | undefined): string => `[${(itemsOf(items!) ?? []).map(show).join(", ")}]`;
  const [first, second, third, fourth] = parts;
  if (type === "numpy.ndarray") return `array(${nested(itemsOf(third!) ?? [], sizes(second!), show)})`;
  if (type === "pandas.Index") return `Index(${list(third)})`;
  if (type === "pandas.Series")
    return `Series(${list(fourth)}${second!.t === "none" ? "" : `, name=${show(second!)}`})`;
  if (type !== "pandas.DataFrame" || third?.t !== "list") return null;
  const labels = labelsOf(second!);
  const columns = third.v.map((column, i) =>
    column.t === "list" ? `${labels[i] ? show(labels[i]) : i}: ${list(column.v[1])}` : "",
  );
  return first === undefined ? null : `DataFrame({${columns.join(", ")}})`;
}

function labelsOf(index: PyValue): readonly PyValue[] {
  const parts = index.t === "object" ? decodeValue(index.form) : index;
  return parts.t === "list" ? (itemsOf(parts.v[2]!) ?? []) : [];
}

const sizes = (shape: PyValue): number[] =>
  shape.t === "list" ? shape.v.slice(0, MOST_DIMENSIONS).map((size) => (size.t === "int" ? Number(size.v) : 0)) : [];

/** Items in brackets, a pair for each dimension. */
function nested(items: readonly PyValue[], [size, ...inner]: readonly number[], show: Show): string {
  if (size === undefined) return items[0] ? show(items[0]) : "";
  if (inner.length === 0) return `[${items.map(show).join(", ")}]`;
  const each = inner.reduce((product, one) => product * one, 1);
  const rows = Array.from({ length: Math.min(size, items.length) }, (_, i) =>
    nested(items.slice(i * each, (i + 1) * each), inner, show),
  );
  return `[${rows.join(", ")}]`;
}
