/**
 * The names that Python looks up when it runs a program and that no scope around the place binds. `namesOf` (names.ts) counts more names as used,
 * because pruning must not remove too much; a fault must be certain, so this file follows Python's scope rules more closely.
 */
import { isVariable } from "../syntax/names.ts";
import { field, type Node, type Program, textOf } from "../syntax/walk.ts";

interface Scope {
  readonly kind: "module" | "function" | "class" | "comprehension";
  readonly around: Scope | null;
  readonly binds: Set<string>;
  readonly reads: Set<string>;
}

const COMPREHENSION = /^(?:list|set|dictionary)_comprehension$|^generator_expression$/;
const BINDING = /^(?:assignment|augmented_assignment|for_statement|for_in_clause|type_alias_statement)$/;
const LAZY_ANNOTATIONS = /^from\s+__future__\s+import\b[^;#]*\bannotations\b/;
const CATCHES_NAME_ERRORS = /\b(?:NameError|Exception|BaseException)\b/;
const MAIN_GUARD = /^if[ \t]{0,9}\(?[ \t]{0,9}__name__[ \t]{0,9}==[ \t]{0,9}(["'])__main__\1/;

/** @param isCalled tests call the program's functions; then what stands under `if __name__ == "__main__"` is not run */
export function unboundLookups(program: Program, isCalled: boolean): ReadonlySet<string> {
  const text = (node: Node): string => textOf(program, node);
  const scopes: Scope[] = [];
  const open = (kind: Scope["kind"], around: Scope | null): Scope => {
    const scope: Scope = { kind, around, binds: new Set(), reads: new Set() };
    scopes.push(scope);
    return scope;
  };

  const bind = (target: Node | undefined, scope: Scope): void => {
    if (target === undefined || target.type === "attribute" || target.type === "subscript") return;
    if (target.type === "identifier") scope.binds.add(text(target));
    for (const child of target.children) bind(child, scope);
  };

  const isLazy = program.root.children.some(
    (node) => node.type === "future_import_statement" && LAZY_ANNOTATIONS.test(text(node)),
  );
  /** How many `try` bodies around the place catch a NameError. */
  let guards = 0;

  // One call per level of the tree: programs are up to 3,000 levels deep (`isTooDeep`).
  const visit = (node: Node, around: Scope): void => {
    const { type, children, parent } = node;
    if (type === "relative_import" || (type === "type" && isLazy)) return;
    if (type === "function_definition" || type === "lambda") {
      visitFunction(node, around);
      return;
    }
    if (type === "class_definition") {
      visitClass(node, around);
      return;
    }
    const scope = COMPREHENSION.test(type) ? open("comprehension", around) : around;
    if (!isVariable(node)) bindTargets(node, scope);
    else if (guards === 0) scope.reads.add(text(node));
    const isGuarding = type === "try_statement" && children.some(catchesNameErrors);
    for (const child of children) {
      // The annotation of a function's variable is not evaluated.
      if (child.type === "type" && type === "assignment" && scope.kind === "function") continue;
      const isGuarded = isCalled && child.field === "consequence" && parent?.type === "module";
      if (isGuarded && MAIN_GUARD.test(text(node))) continue;
      const guarding = isGuarding && child.field === "body" ? 1 : 0;
      guards += guarding;
      visit(child, scope);
      guards -= guarding;
    }
  };

  /** `except:` and `except NameError:`, for instance. */
  const catchesNameErrors = ({ type, children }: Node): boolean => {
    if (type !== "except_clause" && type !== "except_group_clause") return false;
    const caught = children.filter((child) => child.type !== "block");
    return caught.length <= 2 || caught.some((child) => CATCHES_NAME_ERRORS.test(text(child)));
  };

  /** Binds what a statement, expression or pattern itself binds. */
  const bindTargets = (node: Node, scope: Scope): void => {
    const { type, children } = node;
    if (BINDING.test(type)) bind(field(node, "left"), scope);
    else if (type === "named_expression") bind(field(node, "name"), outsideComprehensions(scope));
    else if (type === "as_pattern_target" || type === "splat_pattern") for (const child of children) bind(child, scope);
    else if (type === "case_pattern") bindCapture(node, scope);
    else if (type === "keyword_pattern") bindName(children.at(-1), scope);
    else if (type === "import_statement" || type === "import_from_statement") bindImport(node, scope);
  };

  /** `case x`, and `case ... as x`. */
  const bindCapture = ({ children }: Node, scope: Scope): void => {
    for (const child of children) {
      bindName(child, scope);
      if (child.type === "as_pattern") bind(child.children.at(-1), scope);
    }
  };

  /** A name in a pattern. A dotted name is a value. */
  const bindName = (node: Node | undefined, scope: Scope): void => {
    if (node?.type === "dotted_name" && node.children.length === 1) bind(node, scope);
  };

  /** `import a.b` binds `a`. */
  const bindImport = (node: Node, scope: Scope): void => {
    for (const child of node.children) {
      if (child.field === "name")
        bind(child.type === "aliased_import" ? field(child, "alias") : child.children[0], scope);
    }
  };

  /** The scope of `[T]` in `def f[T]`, if there is one. */
  const withTypes = (node: Node, scope: Scope): Scope => {
    const types = node.children.filter(({ type }) => type === "type_parameter");
    if (types.length === 0) return scope;
    const inner = open("function", scope);
    for (const one of types) bind(one, inner);
    return inner;
  };

  const visitFunction = (node: Node, scope: Scope): void => {
    bind(field(node, "name"), scope);
    const outer = withTypes(node, scope);
    const inner = open("function", outer);
    for (const child of node.children) {
      if (child.field === "parameters") visitParameters(child, inner, outer);
      else if (child.field === "body") visit(child, inner);
      else if (child.field !== "name") visit(child, outer);
    }
  };

  /** Parameters belong to the function. Their defaults and annotations are evaluated outside it. */
  const visitParameters = (node: Node, inner: Scope, outer: Scope): void => {
    for (const child of node.children) {
      if (child.field === "value" || child.field === "type") visit(child, outer);
      else if (child.type === "identifier") inner.binds.add(text(child));
      else visitParameters(child, inner, outer);
    }
  };

  const visitClass = (node: Node, scope: Scope): void => {
    bind(field(node, "name"), scope);
    const outer = withTypes(node, scope);
    for (const child of node.children) {
      if (child.field === "body") visit(child, withOwnClass(outer));
      else if (child.field !== "name") visit(child, outer);
    }
  };

  /** The scope of a class body. Methods see `__class__` around it. */
  const withOwnClass = (scope: Scope): Scope => {
    const around = open("function", scope);
    around.binds.add("__class__");
    return open("class", around);
  };

  visit(program.root, open("module", null));
  return new Set(scopes.flatMap((scope) => [...scope.reads].filter((name) => !isBoundAround(scope, name))));
}

function outsideComprehensions(scope: Scope): Scope {
  let at = scope;
  while (at.kind === "comprehension" && at.around !== null) at = at.around;
  return at;
}

/** Whether the scope, or one around it, binds the name. A class's names are seen in its own body alone, and in comprehensions there. */
function isBoundAround(scope: Scope, name: string): boolean {
  const own = outsideComprehensions(scope);
  for (let at: Scope | null = scope; at !== null; at = at.around) {
    if ((at.kind !== "class" || at === own) && at.binds.has(name)) return true;
  }
  return false;
}
