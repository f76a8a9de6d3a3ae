/** Python that makes nodes of the lists in inputs, and lists of the nodes in answers. */
import type { NodeClass, Nodes } from "./types.ts";

/** Maximum number of nodes in an answer, with missing children. */
const MOST_NODES = 5000;

/**
 * Makes nodes of lists, and lists of nodes, by what `nodesSource` defines. The program's own class counts if it defines one of that name. An
 * answer of more nodes than `MOST_NODES` is an error: it may be a circle.
 */
export const NODES_HELPER = `
def _codescore_node(name, value):
    value_field, *links = _codescore_fields[name]
    kind = globals()[name]
    try:
        node = kind(value)
    except TypeError:
        node = kind(value, *[None] * len(links))
    setattr(node, value_field, value)
    for link in links:
        setattr(node, link, None)
    return node
def _codescore_linked(name, values):
    if type(values) is not list:
        raise TypeError("expected a list of the values of nodes")
    nodes = [None if value is None else _codescore_node(name, value) for value in values]
    if not nodes or nodes[0] is None:
        return None
    links = _codescore_fields[name][1:]
    parents, rest = [nodes[0]], iter(nodes[1:])
    for parent in parents:
        for link in links:
            child = next(rest, None)
            if child is not None:
                setattr(parent, link, child)
                parents.append(child)
    return nodes[0]
def _codescore_listed_nodes(value, depth=0):
    if type(value) in (list, tuple) and depth < 3:
        return type(value)([_codescore_listed_nodes(item, depth + 1) for item in value])
    for field, *links in _codescore_fields.values():
        if all(hasattr(value, name) for name in (field, *links)):
            break
    else:
        return value
    values, nodes = [], [value]
    for node in nodes:
        if len(nodes) > ${MOST_NODES}:
            raise ValueError("the nodes do not end")
        values.append(None if node is None else getattr(node, field))
        if node is not None:
            nodes += [getattr(node, link) for link in links]
    while values and values[-1] is None:
        values.pop()
    return values
def _codescore_found(tree, name, value):
    field, *links = _codescore_fields[name]
    nodes = [tree]
    for node in nodes:
        if node is not None:
            if getattr(node, field) == value:
                return node
            nodes += [getattr(node, link) for link in links]
    return None
def _codescore_on_nodes(function, args, kwargs):
    made, trees = [], {}
    for slot, value in enumerate(args):
        name, is_list = _codescore_slots.get(slot, (None, False))
        if name is None:
            made.append(value)
        elif is_list:
            made.append([_codescore_linked(name, item) for item in value])
        elif type(value) is int and name in trees:
            made.append(_codescore_found(trees[name], name, value))
        else:
            made.append(_codescore_linked(name, value))
            trees.setdefault(name, made[-1])
    value = function(*made, **kwargs)
    if _codescore_after:
        value = [[] if one is None else one for one in made]
        value = value[0] if len(made) == 1 else tuple(value)
    return [] if value is None and _codescore_returns else _codescore_listed_nodes(value)
`;

/** Defined before each program as well: the classes, which programs mostly define themselves, and where nodes are expected. */
export function nodesSource(nodes: Nodes | undefined): string {
  if (nodes === undefined) return "";
  const fields = nodes.classes.map(
    ({ name, value, links }) => `"${name}": (${[value, ...links].map(quoted).join(", ")}), `,
  );
  const slots = nodes.parameters.map(
    ({ slot, of, isList }) => `${slot}: ("${of.name}", ${isList ? "True" : "False"}), `,
  );
  return `${nodes.classes.map(classSource).join("")}
_codescore_fields = {${fields.join("")}}
_codescore_slots = {${slots.join("")}}
_codescore_after, _codescore_returns = ${nodes.after ? "True" : "False"}, ${nodes.returns ? "True" : "False"}
`;
}

const quoted = (name: string): string => `"${name}"`;

const classSource = ({ name, value, links }: NodeClass): string => `
class ${name}:
    def __init__(self, ${value}=0, ${links.map((link) => `${link}=None`).join(", ")}):
${[value, ...links].map((field) => `        self.${field} = ${field}\n`).join("")}`;
