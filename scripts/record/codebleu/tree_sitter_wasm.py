"""Replaces the package tree_sitter for codebleu, using web-tree-sitter and the grammars of this repository.
So codebleu reads the same trees as the code under test, and needs no compiler. Columns count bytes, as in tree_sitter.
"""

import json
import os
import subprocess

_node = subprocess.Popen(
    ["node", os.path.join(os.path.dirname(__file__), "trees.mjs")],
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    text=True,
    encoding="utf-8",
)


class Language:
    def __init__(self, name):
        self.name = name


class Node:
    def __init__(self, plain, lines):
        self.type = plain["type"]
        self.start_point = _in_bytes(plain["start"], lines)
        self.end_point = _in_bytes(plain["end"], lines)
        self.children = [Node(child, lines) for child in plain["children"]]
        self._fields = [child["field"] for child in plain["children"]]
        self._sexp = plain["sexp"]

    def child_by_field_name(self, name):
        return self.children[self._fields.index(name)] if name in self._fields else None

    def __str__(self):
        return self._sexp


class Tree:
    def __init__(self, root_node):
        self.root_node = root_node


class Parser:
    language = None

    def parse(self, source):
        code = source.decode("utf-8")
        _node.stdin.write(json.dumps({"grammar": self.language.name, "code": code}) + "\n")
        _node.stdin.flush()
        return Tree(Node(json.loads(_node.stdout.readline()), code.split("\n")))


def _in_bytes(point, lines):
    row, column = point
    before = lines[row].encode("utf-16-le")[: 2 * column] if row < len(lines) else b""
    return (row, len(before.decode("utf-16-le").encode("utf-8")))
