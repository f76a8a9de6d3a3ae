/**
 * The data flow of a Python program as CodeBLEU compares it (Ren et al. 2020, section 3.3; the graph of GraphCodeBERT, Guo et
 * al. 2021), as codebleu 0.7.0 extracts it (`DFG_python`, `dataflow_match.py`). Its quirks are included: attributes count as
 * variables, a `for` with an `else` has no body, `a.b = c + d` is read as three assignments side by side. The differences and
 * their reasons:
 *
 * - The reference merges names through a set, whose order changes with Python's hash seed from run to run (CodeXGLUE#152,
 *   codebleu#35). Here names keep the order in which they came.
 * - Names are read at their position. The reference cuts them out of the line by byte offset, which is shifted after characters
 *   that are not ASCII.
 * - A string is one value. If a name of three parts is set to one (`self.x = "y"`), the reference looks for parts of the string,
 *   fails, and treats the whole program as having no flow.
 * - The body of a loop is followed once for each state of its variables. The reference follows it twice for each loop around it,
 *   2^20 times for 20 nested loops.
 */
import type { Node, Program } from "../../languages/grammar/tree.ts";
import { type Bag, bagOf } from "../static/structure.ts";
import { field, isLeaf, leavesOf, part, sides, Unreadable } from "./flow-parts.ts";

/** What one token gets, and from which other tokens. */
interface Edge {
  readonly name: string;
  readonly token: number;
  readonly relation: "comesFrom" | "computedFrom";
  readonly parents: readonly string[];
  readonly sources: readonly number[];
}

/** For each variable, the tokens that may have set it last. */
type State = Map<string, readonly number[]>;

interface Token {
  readonly number: number;
  readonly name: string;
}

/** A loop with the names in it. For each state of these names before the loop: the loop's edges and the state after it. */
interface Loop {
  readonly names: readonly string[];
  readonly runs: Map<string, { readonly edges: readonly Edge[]; readonly after: State }>;
}

/**
 * Limits above which no flow is read: depth of the syntax (`x + x + x` is two levels), and number of tokens and names in edges
 * and states.
 */
const MAX_DEPTH = 1_000;
const MAX_SIZE = 5_000_000;

/** The program's edges. Variables are numbered by their appearance in the edges. Empty if nothing flows. */
export function dataFlowOf(program: Program): Bag {
  let edges: Edge[];
  try {
    edges = new FlowReader(program).edges;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return new Map();
  }
  edges.sort((a, b) => a.token - b.token);
  const linked = new Set<number>();
  for (const { token, sources } of edges) {
    if (sources.length > 0) linked.add(token);
    for (const source of sources) linked.add(source);
  }
  const merged = mergeBy(
    edges.filter(({ token }) => linked.has(token)),
    ({ token }) => token,
  );
  return bagOf(normalised(merged));
}

class FlowReader {
  readonly edges: Edge[] = [];
  readonly #tokens = new Map<Node, Token>();
  readonly #loops = new Map<Node, Loop>();
  readonly #state: State = new Map();
  /** For each name set since the last branch began: its tokens before the branch. */
  #before: State | null = null;
  #edges = this.edges;
  #size = 0;
  #depth = 0;

  constructor({ code, root }: Program) {
    for (const leaf of leavesOf(root)) {
      const name = code.slice(leaf.start, leaf.end).replaceAll("\n", "");
      this.#tokens.set(leaf, { number: this.#tokens.size, name });
    }
    this.#visit(root);
  }

  #visit(node: Node): void {
    if (++this.#depth > MAX_DEPTH) throw new Unreadable();
    if (isLeaf(node)) this.#use(node);
    else if (node.type === "default_parameter") this.#default(node);
    else if (node.type === "assignment" || node.type === "augmented_assignment") this.#assign(node);
    else if (node.type === "for_in_clause") this.#bind([part(node, "left")], [node.children.at(-1)!]);
    else if (node.type === "if_statement") this.#branch(node);
    else if (node.type === "for_statement") this.#loop(node, () => this.#forOnce(node));
    else if (node.type === "while_statement") this.#loop(node, () => this.#visitAll(node.children));
    else {
      this.#visitAll(node.children.filter(({ type }) => type === "for_in_clause"));
      this.#visitAll(node.children.filter(({ type }) => type !== "for_in_clause"));
    }
    this.#depth -= 1;
  }

  #visitAll(nodes: readonly Node[]): void {
    for (const node of nodes) this.#visit(node);
  }

  #use(node: Node): void {
    const { name, number } = this.#tokens.get(node)!;
    if (name === node.type) return; // a keyword or an operator
    const sources = this.#state.get(name);
    this.#add(name, number, "comesFrom", sources === undefined ? [] : [name], sources ?? []);
    if (sources === undefined && node.type === "identifier") this.#set(name, [number]);
  }

  #default(node: Node): void {
    const value = field(node, "value");
    const names = this.#variables(part(node, "name"));
    if (value === null) {
      for (const { name, number } of names) {
        this.#add(name, number, "comesFrom", [], []);
        this.#set(name, [number]);
      }
      return;
    }
    const values = this.#variables(value);
    this.#visit(value);
    for (const { name, number } of names) {
      for (const from of values) this.#add(name, number, "comesFrom", [from.name], [from.number]);
      this.#set(name, [number]);
    }
  }

  #assign(node: Node): void {
    if (field(node, "right") === null) return;
    this.#bind(...sides(node));
  }

  /** Computes each part on the left from the part on the right at the same position. */
  #bind(left: readonly Node[], right: readonly Node[]): void {
    for (const node of right) this.#visit(node);
    left.forEach((node, i) => {
      const values = this.#variables(right[i]!);
      const parents = values.map(({ name }) => name);
      const sources = values.map((value) => value.number);
      for (const { name, number } of this.#variables(node)) {
        this.#add(name, number, "computedFrom", parents, sources);
        this.#set(name, [number]);
      }
    });
  }

  /** The condition and the first block run one after the other. Each other clause starts from the state before the statement. */
  #branch(node: Node): void {
    const isOther = ({ type }: Node): boolean => type === "elif_clause" || type === "else_clause";
    const branches = [
      ...node.children.filter(isOther).map((child) => this.#apart(() => this.#visit(child))),
      this.#apart(() => {
        this.#visitAll(node.children.filter((child) => !isOther(child)));
      }),
    ];
    // Without an `else`, possibly no block runs.
    if (!node.children.some(({ type }) => type.includes("else"))) branches.push(new Map());
    for (const name of new Set(branches.flatMap((branch) => [...branch.keys()]))) {
      const tokens = branches.flatMap((branch) => branch.get(name) ?? this.#state.get(name) ?? []);
      this.#grow(tokens.length);
      this.#set(
        name,
        [...new Set(tokens)].sort((a, b) => a - b),
      );
    }
  }

  /** Runs `run`, returns the names that it sets, and undoes them. */
  #apart(run: () => void): State {
    const outer = this.#before;
    const before: State = new Map();
    this.#before = before;
    run();
    this.#before = outer;
    const set: State = new Map();
    for (const [name, tokens] of before) {
      set.set(name, this.#state.get(name)!);
      if (tokens.length === 0) this.#state.delete(name);
      else this.#state.set(name, tokens);
    }
    return set;
  }

  /** Follows the body twice, so that values set at the end of a loop reach its start. */
  #loop(node: Node, once: () => void): void {
    let loop = this.#loops.get(node);
    if (loop === undefined) {
      loop = { names: [...new Set(this.#variables(node).map(({ name }) => name))], runs: new Map() };
      this.#loops.set(node, loop);
    }
    const { names, runs } = loop;
    const before = names.map((name) => this.#state.get(name)?.join() ?? "").join(";");
    let run = runs.get(before);
    if (run === undefined) {
      const outer = this.#edges;
      this.#edges = [];
      once();
      once();
      const after = new Map(names.flatMap((name) => (this.#state.has(name) ? [[name, this.#state.get(name)!]] : [])));
      run = { edges: mergeBy(this.#edges, ({ name, token, relation }) => `${token} ${relation} ${name}`), after };
      runs.set(before, run);
      this.#edges = outer;
    } else for (const [name, tokens] of run.after) this.#set(name, tokens);
    for (const edge of run.edges) this.#push(edge);
  }

  #forOnce(node: Node): void {
    this.#bind(...sides(node));
    const body = node.children.at(-1)!;
    if (body.type === "block") this.#visit(body);
  }

  #add(
    name: string,
    token: number,
    relation: Edge["relation"],
    parents: readonly string[],
    sources: readonly number[],
  ): void {
    this.#push({ name, token, relation, parents, sources });
  }

  #push(edge: Edge): void {
    this.#grow(1 + edge.parents.length + edge.sources.length);
    this.#edges.push(edge);
  }

  #grow(by: number): void {
    this.#size += by;
    if (this.#size > MAX_SIZE) throw new Unreadable();
  }

  #set(name: string, tokens: readonly number[]): void {
    if (this.#before !== null && !this.#before.has(name)) this.#before.set(name, this.#state.get(name) ?? []);
    this.#state.set(name, tokens);
  }

  #variables(node: Node): Token[] {
    return leavesOf(node).flatMap((leaf) => {
      const token = this.#tokens.get(leaf)!;
      return token.name === leaf.type ? [] : [token];
    });
  }
}

/** Merges the edges of each key, keeping the order of the keys: one edge with all their parents and sources. */
function mergeBy(edges: readonly Edge[], keyOf: (edge: Edge) => number | string): Edge[] {
  const merged = new Map<number | string, Edge>();
  for (const edge of edges) {
    const key = keyOf(edge);
    const before = merged.get(key);
    const parents = before && [...new Set([...before.parents, ...edge.parents])];
    const sources = before && [...new Set([...before.sources, ...edge.sources])].sort((a, b) => a - b);
    merged.set(key, before ? { ...edge, parents: parents!, sources: sources! } : edge);
  }
  return [...merged.values()];
}

function normalised(edges: readonly Edge[]): string[] {
  const numbers = new Map<string, number>();
  const numberOf = (name: string): number => {
    if (!numbers.has(name)) numbers.set(name, numbers.size);
    return numbers.get(name)!;
  };
  return edges.map(({ name, relation, parents }) => {
    const from = parents.map(numberOf).join(); // numbered before the name itself
    return `${numberOf(name)} ${relation} ${from}`;
  });
}
