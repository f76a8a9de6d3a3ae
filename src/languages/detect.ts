/**
 * Detects in which other language a text is written that does not parse as Python. Broken Python from a model must never be
 * taken for another language. So two signs are required: words that only the other language has, and its form. The form is
 * either a parse without an error under its grammar, or that most lines end as lines of its family do.
 */
import { type Grammar, loadGrammar } from "./grammar/tree.ts";
import { type Language, languageNamed } from "./registry.ts";

interface Clues {
  readonly language: Language;
  readonly grammar: Grammar;
  /** Matches text that no Python program has at these places. */
  readonly words: RegExp;
  /** Node types of the statements that a program in this language is made of. */
  readonly statements: ReadonlySet<string>;
}

const clues = (name: string, grammar: Grammar, words: RegExp, statements: string): Clues => ({
  language: languageNamed(name)!,
  grammar,
  words,
  statements: new Set(statements.split(" ")),
});

const CPP =
  "function_definition preproc_include class_specifier struct_specifier using_declaration declaration for_statement";

/**
 * Ordered: the first that fits wins. TypeScript comes after JavaScript, and C++ after Java, because each accepts more than the
 * other has.
 */
const CLUES: readonly Clues[] = [
  clues("cpp", "cpp", /^[ \t]*#[ \t]*include[ \t]*[<"]|^using namespace\b/m, CPP),
  clues(
    "go",
    "go",
    /^(?:package \w+[ \t]*$|func[ \t]+(?:\([^()\n]{1,80}\)[ \t]*)?\w+\()|^[ \t]*(?:var \w+ [\w[\]]+|[\w, \t]{1,60}:=)/m,
    "function_declaration method_declaration package_clause type_declaration short_var_declaration",
  ),
  clues(
    "rust",
    "rust",
    /^[ \t]*(?:pub |unsafe )?fn \w+[(<]|^[ \t]*let (?:mut )?\w[^\n]*;[ \t]*$|^use \w+(?:::|;)|^[ \t]*impl\b/m,
    "function_item let_declaration impl_item use_declaration struct_item",
  ),
  clues(
    "java",
    "java",
    /^[ \t]*(?:(?:public|private|protected|static|final|abstract)[ \t]+){1,4}[\w<>[\], \t]{1,80}[({=;]|^import (?:static )?[\w.]{1,80}(?:\.\*)?;|^[ \t]*(?:int|long|double|boolean|String|char|List<\w+>|Map<[\w, ]+>)(?:\[\])* \w+ ?[=;]/m,
    "class_declaration method_declaration interface_declaration local_variable_declaration field_declaration",
  ),
  clues(
    "javascript",
    "javascript",
    /^[ \t]*(?:export )?(?:default )?(?:const|let|var)[ \t]+[\w$[{]|\bfunction\b[ \t*]*(?:[\w$]+[ \t]*)?\(|=>|^[ \t]*(?:console\.|module\.exports)/m,
    "function_declaration lexical_declaration variable_declaration arrow_function function_expression class_declaration",
  ),
  clues(
    "typescript",
    "typescript",
    /^[ \t]*(?:export )?(?:default )?(?:const|let|var|interface|type|enum)[ \t]+[\w$[{]|\bfunction\b[ \t*]*(?:[\w$]+[ \t]*)?[(<]|=>/m,
    "function_declaration lexical_declaration variable_declaration arrow_function interface_declaration type_alias_declaration class_declaration",
  ),
  clues(
    "cpp",
    "cpp",
    /\bstd::|^[ \t]*(?:const |static |unsigned )*(?:int|long|double|float|bool|char|void|auto|string|vector<[^\n;]{1,60}>|map<[^\n;]{1,60}>|size_t)[ \t&*]+\w+[ \t]*[(=;[]/m,
    CPP,
  ),
];

/** A line that starts a Python block or defines a Python function. */
const PYTHON =
  /^[ \t]*(?:(?:async[ \t]+)?def[ \t]+\w+[ \t]*\(|(?:if|elif|for|while|with|except|class|else|try|finally)\b[^\n{]*:[ \t]*(?:#[^\n]*)?$)/m;

/** How lines of languages with braces end, or that they are comments. */
const BRACED = /(?:[{};]|\},|\)[;,]?|\*\/)$|\/\/|^[ \t]*\/?\*/;
const MOST = 0.6;

/** Number of characters that are examined. The words also occur at the beginning of a text. */
const LOOKED_AT = 20_000;

/** Detects the language of a text that does not parse as Python. Null if nothing shows that it is another language. */
export async function detectLanguage(text: string): Promise<Language | null> {
  const code = text.slice(0, LOOKED_AT).replace(/\r\n?/g, "\n").toWellFormed();
  const possible = CLUES.filter(({ words }) => words.test(code));
  for (const { language, grammar, statements } of possible) {
    const { broken, nodes } = (await loadGrammar(grammar))(code);
    if (!broken && nodes.some(({ type }) => statements.has(type))) return language;
  }
  // The program may be cut off, or have a syntax error.
  if (possible.length === 0 || PYTHON.test(code) || !isBraced(code)) return null;
  const times = ({ words }: Clues): number => code.match(new RegExp(words, "gm"))!.length;
  return possible.reduce((best, one) => (times(one) > times(best) ? one : best)).language;
}

function isBraced(code: string): boolean {
  const lines = code.split("\n").filter((line) => line.trim() !== "");
  const braces = lines.filter((line) => BRACED.test(line.trimEnd())).length;
  return /[{}]/.test(code) && braces >= MOST * lines.length;
}
