import { expect, it } from "vitest";
import { loadForms, missingAttributes } from "../../../../src/languages/python/index.ts";

const forms = await loadForms();
const missing = (source: string): string[] => [...missingAttributes(forms(source).plain.terms)];

const method = (body: string, more = ""): string => `class A:\n    def f(self, x):\n        ${body}\n${more}`;

it.each([
  ["a method", "return self.g(x)"],
  ["a value", "return x + self.g"],
  ["one of what is made in it", "return [self.g(y) for y in x]"],
  ["one in a function of its own", "h = lambda y: self.g(y)\n        return h(x)"],
  ["one that is only annotated", "return self.g\n    g: int"],
  ["one whose namesake is another object's", "return self.g(x) + x.g()"],
])("sees %s that nothing gives", (_, body) => {
  expect(missing(method(body))).toEqual(["g"]);
});

it.each([
  ["a method", method("return self.g(x)", "    def g(self, x):\n        return x\n")],
  ["a property", method("return self.g", "    @property\n    def g(self):\n        return 1\n")],
  ["a class within", method("return self.g(x)", "    class g:\n        pass\n")],
  [
    "a method that is there at times",
    method("return self.g(x)", "    if x:\n        def g(self, x):\n            return x\n"),
  ],
  ["an import", method("return self.g.f(x)", "    from os import path as g\n")],
  ["a value of the class", method("return self.g", "    g = 1\n")],
  ["an annotated value", method("return self.g", "    g: int = 1\n")],
  ["a method, later", method("return self.g", "    def h(self):\n        self.g = 1\n")],
  ["a method among others", method("return self.g", "    def h(self):\n        self.a, (self.g, b) = 1, (2, 3)\n")],
  ["a loop", method("for self.g in x: pass\n        return self.g")],
  ["a `with`", method("with x as self.g:\n            return self.g")],
  ["an item of it", method("self.g[0] = x\n        return self.g")],
  ["somebody outside", method("return self.g", "\nA.g = 1\n")],
  ["a class that is made of it", method("return self.g()", "\nclass B(A):\n    def g(self):\n        return 1\n")],
  ["a base", "class A(Base):\n    def f(self):\n        return self.g()\n"],
  ["a decorator", "@make\nclass A:\n    def f(self):\n        return self.g()\n"],
  ["`setattr`", method("setattr(self, 'g', x)\n        return self.g")],
  ["`__dict__`", method("self.__dict__.update(x)\n        return self.g")],
  ["`__getattr__`", method("return self.g", "    def __getattr__(self, name):\n        return 1\n")],
])("takes one that %s gives for given", (_, source) => {
  expect(missing(source)).toEqual([]);
});

it.each([
  [
    "whose error is caught",
    method("try:\n            return self.g\n        except AttributeError:\n            return x"),
  ],
  ["where it is asked for first", method("return self.g if hasattr(self, 'g') else x")],
  ["of what is no more the object", method("self = x\n        return self.g")],
  ["of another `self`", method("h = lambda self: self.g\n        return h(x)")],
  ["of a class method's class", "class A:\n    @classmethod\n    def f(cls):\n        return cls.g\n"],
  ["that Python gives every object", method("return self.__class__")],
  ["of an argument that is not the first", method("return x.g")],
  ["in a program that does not parse", "class A:\n    def f(self:\n        return self.g\n"],
])("says nothing of one %s", (_, source) => {
  expect(missing(source)).toEqual([]);
});
