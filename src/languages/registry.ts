/** The languages that have a name here. Only Python programs are read. The others are listed so that an error message can name them. */

export interface Language {
  readonly id: string;
  /** The name as people write it. */
  readonly name: string;
  /** Other names in data sets and fences, in lower case. No codes of natural languages (`cs`, `pl`). */
  readonly aliases: readonly string[];
  /** File name extensions, without the dot. */
  readonly endings: readonly string[];
}

const language = (id: string, name: string, aliases: string, endings: string): Language => ({
  id,
  name,
  aliases: aliases.split(" "),
  endings: endings.split(" "),
});

const LANGUAGES: readonly Language[] = [
  language("python", "Python", "py ipython", "py pyi"),
  language("javascript", "JavaScript", "js jsx node nodejs node.js ecmascript", "js mjs cjs jsx"),
  language("typescript", "TypeScript", "ts tsx", "ts mts cts tsx"),
  language("java", "Java", "java", "java"),
  language("cpp", "C++", "c++ cxx cc", "cpp cc cxx hpp hh"),
  language("c", "C", "c", "c h"),
  language("csharp", "C#", "c# c-sharp", "cs"),
  language("go", "Go", "golang", "go"),
  language("rust", "Rust", "rs", "rs"),
  language("kotlin", "Kotlin", "kt", "kt kts"),
  language("swift", "Swift", "swift", "swift"),
  language("scala", "Scala", "scala", "scala"),
  language("ruby", "Ruby", "rb", "rb"),
  language("php", "PHP", "php", "php"),
  language("perl", "Perl", "perl", "pl pm"),
  language("lua", "Lua", "lua", "lua"),
  language("julia", "Julia", "jl", "jl"),
  language("haskell", "Haskell", "hs", "hs"),
  language("dart", "Dart", "dart", "dart"),
  language("r", "R", "r", "r"),
  language("shell", "shell", "sh bash zsh", "sh bash zsh"),
  language("sql", "SQL", "sql", "sql"),
];

const byName = new Map(LANGUAGES.flatMap((one) => [one.id, ...one.aliases].map((name) => [name, one] as const)));
const byEnding = new Map(LANGUAGES.flatMap((one) => one.endings.map((ending) => [ending, one] as const)));

/** The only language whose programs are read. */
export const SUPPORTED = byName.get("python")!;

export const isSupported = ({ id }: Language): boolean => id === SUPPORTED.id;

/** The language with that name, ignoring case and version (`Python 3.11`, `C++17`); null for any other text. */
export function languageNamed(name: string): Language | null {
  if (name.length > 40) return null;
  return (
    byName.get(
      name
        .trim()
        .toLowerCase()
        .replace(/[\s\d.]+$/, ""),
    ) ?? null
  );
}

/** The language with that name if it is one that is not read; null for Python's names and for any other text. */
export function foreignNamed(name: string): Language | null {
  const language = languageNamed(name);
  return language === null || isSupported(language) ? null : language;
}

/** Extensions of files that hold no program in any language. `txt` and `md` files may hold one. */
const OTHER_FILES: ReadonlyMap<string, string> = new Map([
  ["ipynb", "a Jupyter notebook"],
  ...["json", "html", "css", "xml", "yaml", "toml", "pdf"].map(
    (ending) => [ending, `a file of ${ending.toUpperCase()}`] as const,
  ),
  ...[
    ["htm", "HTML"],
    ["yml", "YAML"],
  ].map(([ending, name]) => [ending!, `a file of ${name}`] as const),
]);

/** What a non-Python file is, by its extension: `a file of JavaScript`; null for Python's extensions and for unknown ones. */
export function foreignFile(path: string): string | null {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase();
  if (ending === undefined) return null;
  const language = byEnding.get(ending);
  if (language === undefined) return OTHER_FILES.get(ending) ?? null;
  return isSupported(language) ? null : `a file of ${language.name}`;
}
