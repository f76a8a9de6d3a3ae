/** Static analysis of Python programs (without running them), and their normal forms. */

export { isKnownModule, missingModules, type StaticFaults, staticFaults } from "./check/faults.ts";
export { MARK_VALUES, MARKS, type Mark, staticMarks } from "./check/marks.ts";
export { type Change, type Difference, differenceOf, EDITS, type Edit } from "./difference/edits.ts";
export { missingAttributes } from "./infer/returns/attributes.ts";
export { type Returns, type ReturnsOf, returnsOf } from "./infer/returns/index.ts";
export { typeErrorsOf } from "./infer/type-errors/index.ts";
export type { Level, StaticTypeError } from "./infer/type-errors/state.ts";
export { type Wanted, wantedBy } from "./infer/type-errors/wanted.ts";
export {
  type Form,
  type Forms,
  loadCanonical,
  loadForms,
  type ReadForms,
  type Term,
} from "./normalize/canonical/index.ts";
export { forEach, sizeOf, unlessTooDeep } from "./normalize/canonical/terms.ts";
export { lex } from "./normalize/lexemes.ts";
export { stripPython } from "./normalize/strip.ts";
export { isRenamed, variableNames } from "./normalize/variables.ts";
