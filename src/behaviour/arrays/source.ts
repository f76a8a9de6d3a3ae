/** Python that makes arrays and data frames of the values in inputs. */
import type { Arrays } from "./types.ts";

/** Rows of unequal lengths, and columns of unequal lengths, are an error. */
export const ARRAYS_HELPER = `
def _codescore_array(kind, value):
    if kind == "array":
        import numpy
        if type(value) is not list:
            raise TypeError("expected a list")
        array = numpy.array(value)
        if array.dtype == object:
            raise ValueError("expected rows of equal lengths")
        return array
    import pandas
    if kind == "series" and type(value) is list:
        return pandas.Series(value)
    if kind == "frame" and type(value) is dict and all(type(column) is list for column in value.values()):
        return pandas.DataFrame(value)
    raise TypeError("expected columns")
def _codescore_on_arrays(function, args, kwargs):
    made = [
        _codescore_array(_codescore_kinds[slot], value) if slot in _codescore_kinds else value
        for slot, value in enumerate(args)
    ]
    value = function(*made, **kwargs)
    if _codescore_after:
        return made[0] if len(made) == 1 else tuple(made)
    return value
`;

/** Defined before each program as well: which arguments are arrays. */
export function arraysSource(arrays: Arrays | undefined): string {
  if (arrays === undefined) return "";
  const kinds = arrays.parameters.map(({ slot, kind }) => `${slot}: "${kind}", `);
  return `\n_codescore_kinds = {${kinds.join("")}}\n_codescore_after = ${arrays.after ? "True" : "False"}\n`;
}
