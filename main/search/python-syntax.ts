import { parser } from '@lezer/python';

/** A syntax tree; names of nodes are those of @lezer/python. */
export type SyntaxTree = {
  readonly name: string;
  /** Only for short nodes, otherwise empty. */
  readonly text: string;
  readonly children: readonly SyntaxTree[];
};

/** Stops at the first error instead of recovering. */
const strict = parser.configure({ strict: true });

/** Characters; far above any solution. A longer text counts as no Python: 1,000 take the parser up to 3 ms. */
const LONGEST_PROGRAM = 64_000;

/** Does CPython accept it, as far as a grammar can tell? A first line that is indented is accepted too. */
export function isPython(program: string): boolean {
  const tree = parsed(program);
  let isWhole = tree !== null;
  tree?.iterate({
    enter: ({ type }) => {
      if (type.isError) isWhole = false;
      return isWhole;
    },
  });
  return isWhole;
}

type MutableTree = { readonly name: string; readonly text: string; readonly children: MutableTree[] };

/** The syntax tree of a program; null for text that is not Python, or that is nested thousands deep. */
export function parsePython(program: string): SyntaxTree | null {
  const tree = parsed(program);
  if (tree === null) return null;
  const root: MutableTree = { name: 'Script', text: '', children: [] };
  const open = [root];
  let broken = false;
  tree.iterate({
    enter: ({ name, from, to, type }) => {
      if (type.isError) broken = true;
      // Only operators are compared by their text, and these are short.
      const node: MutableTree = { name, text: to - from <= 4 ? program.slice(from, to) : '', children: [] };
      open.at(-1)?.children.push(node);
      open.push(node);
    },
    leave: () => {
      open.pop();
    },
  });
  return broken ? null : (root.children[0] ?? root);
}

/** The parser's tree, in which errors may be left where a text is nested thousands deep; null for other errors. */
function parsed(program: string): ReturnType<typeof strict.parse> | null {
  if (program.length > LONGEST_PROGRAM) return null;
  try {
    return strict.parse(program);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
