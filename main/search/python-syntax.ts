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

/** Far above any solution; a longer text could take the parser seconds. */
const LONGEST_PROGRAM = 100_000;

type MutableTree = { readonly name: string; readonly text: string; readonly children: MutableTree[] };

/** The syntax tree of a program; null for text that is not Python, or that is nested thousands deep. */
export function parsePython(program: string): SyntaxTree | null {
  if (program.length > LONGEST_PROGRAM) return null;
  const root: MutableTree = { name: 'Script', text: '', children: [] };
  const open = [root];
  let broken = false;
  try {
    strict.parse(program).iterate({
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
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  return broken ? null : (root.children[0] ?? root);
}
