/**
 * The syntax tree of a Python program, with comments and brackets; names of nodes are those of @lezer/python. The
 * caller passes the parser in, since metrics do not depend on it.
 */
export type PythonTree = {
  readonly name: string;
  /** The text of a node without children; ignored for inner nodes. */
  readonly text: string;
  readonly children: readonly PythonTree[];
};

/** null: not Python. */
export type ParsePython = (program: string) => PythonTree | null;

/** Fragments of a syntax tree with their counts. */
export type Fragments = ReadonlyMap<string, number>;

/** Dropped: formatting, comments, type annotations, imports. */
const LEFT_OUT = new Set([
  ...['(', ')', '[', ']', '{', '}', ',', ':', ';', '.'],
  ...['Comment', 'TypeDef', 'ImportStatement', 'ScopeStatement', 'PassStatement'],
]);
/** Nodes that are replaced by their children. */
const SEE_THROUGH = new Set(['ParenthesizedExpression', 'StatementGroup']);
const CONSTANTS = new Set(['Number', 'String', 'ContinuedString', 'Boolean', 'None', 'Ellipsis', 'Escape']);
const NAMES = new Set(['VariableName', 'PropertyName']);
/** Nodes that differ by their text, such as "+" and "-". */
const OPERATORS = new Set(['ArithOp', 'CompareOp', 'BitOp', 'UpdateOp', 'LogicOp']);
const TEXTS = new Set(['String', 'ContinuedString', 'FormatString']);

/**
 * The fragments of the normalised tree: every inner node with the labels of its children in order. Names, constants,
 * formatting, comments, docstrings, imports and type annotations are gone; operators and key words stay.
 */
export function fragmentsOf(tree: PythonTree): Fragments {
  const fragments = new Map<string, number>();
  const open: PythonTree[] = [tree];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const children = visibleChildren(node);
    if (children.length === 0 || OPERATORS.has(node.name)) continue;
    const fragment = `${node.name}(${children.map(labelOf).join(' ')})`;
    fragments.set(fragment, (fragments.get(fragment) ?? 0) + 1);
    for (const child of children) open.push(child);
  }
  return fragments;
}

function visibleChildren(node: PythonTree): PythonTree[] {
  if (CONSTANTS.has(node.name) || NAMES.has(node.name)) return [];
  const visible: PythonTree[] = [];
  const open = [...node.children].reverse();
  for (let child = open.pop(); child !== undefined; child = open.pop()) {
    if (SEE_THROUGH.has(child.name)) open.push(...[...child.children].reverse());
    else if (!LEFT_OUT.has(child.name) && !isBareText(child)) visible.push(child);
  }
  return visible;
}

/** A statement that is only a string: a docstring, or a comment in quotes. */
function isBareText({ name, children }: PythonTree): boolean {
  return name === 'ExpressionStatement' && children.length === 1 && TEXTS.has(children[0]?.name ?? '');
}

function labelOf({ name, text }: PythonTree): string {
  if (OPERATORS.has(name)) return text;
  if (CONSTANTS.has(name)) return 'Constant';
  return NAMES.has(name) ? 'Name' : name;
}

/**
 * Jaccard similarity of multisets, in [0, 1]: size of the intersection over that of the union; 1 for two empty ones.
 */
export function jaccard(a: Fragments, b: Fragments): number {
  let [shared, all] = [0, 0];
  for (const [fragment, count] of a) {
    const other = b.get(fragment) ?? 0;
    shared += Math.min(count, other);
    all += Math.max(count, other);
  }
  for (const [fragment, count] of b) if (!a.has(fragment)) all += count;
  return all === 0 ? 1 : shared / all;
}
