/** The same small program in languages that are not supported, and Python that a model broke. */
export const OTHERS = {
  JavaScript:
    "const add = (a, b) => {\n  let sum = 0;\n  for (const x of [a, b]) {\n    sum += x;\n  }\n  return sum;\n};\n",
  TypeScript: "export function add(a: number, b: number): number {\n  const sum: number = a + b;\n  return sum;\n}\n",
  Java: "import java.util.*;\n\nclass Solution {\n    public int add(int a, int b) {\n        int sum = a + b;\n        return sum;\n    }\n}\n",
  "C++": "#include <vector>\nusing namespace std;\nint add(int a, int b) {\n    return a + b;\n}\n",
  Go: 'package main\n\nimport "fmt"\n\nfunc add(a int, b int) int {\n\tsum := a + b\n\tfmt.Println(sum)\n\treturn sum\n}\n',
  Rust: "fn add(a: i32, b: i32) -> i32 {\n    let sum = a + b;\n    return sum;\n}\n",
} as const;

export const BROKEN_PYTHON = {
  "cut off": "def add(a, b):\n    total = {\n        'a': a,\n        'b': b",
  "without a colon": "def add(a, b)\n    return a + b\n",
  "without indentation": "def add(a, b):\nif a:\nreturn b\nelse:\nreturn a\n",
  "with semicolons": "def add(a, b):\n    a += b;\n    return a;\n}\n",
  "with words of JavaScript": "def add(a, b):\n    const = (x) => x\n    let y = a\n    return y +\n",
  "with braces": "def add(a, b) {\n    return a + b;\n}\n",
  "that talks of another language":
    'def f(s):\n    """const x = 1; and function(x) { return x; }"""\n    return s..x\n',
  "in a text that lacks its end": 'def f(s):\n    """Does\n    ```\n    f(1)\n    ```\n    return s\n',
} as const;
