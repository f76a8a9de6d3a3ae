/** Terms printed as text together with its tree. Parsing the text gives the same tree, node by node. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { loadForms } from "../../../../src/languages/python/index.ts";
import { printModule, printTree } from "../../../../src/languages/python/normalize/canonical/print.ts";
import { rewriteProgram } from "../../../../src/languages/python/normalize/canonical/rewrite.ts";
import { loadParser, type Program } from "../../../../src/languages/python/syntax/parse.ts";

const [parse, forms] = await Promise.all([loadParser(), loadForms()]);

const nodesOf = ({ nodes }: Program): string[] =>
  nodes.map(
    ({ type, field, start, end, named, missing, parent, children }) =>
      `${type} ${field} ${start}-${end} ${named} ${missing} in ${parent?.type} ${parent?.start}, ${children.length}`,
  );

const CONSTRUCTS = `import a.b as c, d
from x.y import z as w, q
from m import *


@dec(1)
class A(B, metaclass=C):
    @staticmethod
    def f(self, a, b=1, *c, d, **e):
        global g, h
        del a, b[0]
        assert a, "text"
        a = yield
        return 1

    async def g(x, /, *, y):
        async for i in x:
            await i
        async with open(x) as f, g:
            pass


def f(va, vb):
    x, (y, *z) = [i, j] = va
    x[1:2, ::3] = {**a, 1: 2}
    for i, (j, k) in va, vb:
        if i < j not in k is not None and i or -j ** ~k:
            continue
        elif not i == (yield):
            break
        elif i:
            x += 1, 2
        else:
            x.y[0](1, *a, b=c, **d).z = (1).real + 1.5e3 - 0xff
    else:
        print('a\\n\\'\\x00', "it's", b'x\\xff', '', ...)
    while (n := f(x for x in y if x for z in x)):
        raise X(1) from e
    try:
        return lambda x, y=2: x if y else lambda: (1,)
    except (A, B) as e:
        raise
    except C:
        yield a, b
    except:
        yield from a
    else:
        return a, *b
    finally:
        return {a for c, d in e}, {a: b for c in d}, (a | b ^ c) & d << 1
    a, b
    ()
`;

/** References of the quickstart problems. */
const programs = readFileSync("datasets/starter/mbpp-style.jsonl", "utf8")
  .trim()
  .split("\n")
  .map((line) => (JSON.parse(line) as { code: string }).code);

describe("a printed tree", () => {
  it("is the parser's, for each construct", () => {
    const { terms } = forms(CONSTRUCTS).plain;
    const { code, program } = printTree(terms!);
    expect(code).toBe(printModule(terms!));
    expect(nodesOf(program!)).toEqual(nodesOf(parse(code)));
  });

  it("is the parser's, for programs as they are and rewritten", () => {
    let printed = 0;
    for (const source of programs) {
      const { terms } = forms(source).plain;
      if (terms === null) continue;
      for (const one of [terms, rewriteProgram(terms)]) {
        const { code, program } = printTree(one);
        expect(code).toBe(printModule(one));
        if (program === null) continue;
        printed += 1;
        expect(nodesOf(program)).toEqual(nodesOf(parse(code)));
      }
    }
    expect(printed).toBeGreaterThan(programs.length);
  });

  it.each([
    ["an f-string", "f(f'{x}')\n"],
    ["bits that the grammar groups otherwise", "a & b ^ c\n"],
    ["a context that is given to a place", "with a as b[0]:\n    pass\n"],
    ["a soft keyword", "print\n"],
    ["a relative import", "from . import a\n"],
  ])("is left to the parser for %s", (_, source) => {
    const { code, program } = printTree(forms(source).plain.terms!);
    expect(program).toBeNull();
    expect(code).toBe(source);
  });
});
