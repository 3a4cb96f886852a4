import { parser } from '@lezer/python';

/** A syntax tree; names of nodes are those of @lezer/python. */
export type SyntaxTree = {
  readonly name: string;
  /** Of short nodes alone, else empty. */
  readonly text: string;
  readonly children: readonly SyntaxTree[];
};

/** Ends at the first piece that is no Python instead of guessing on. */
const strict = parser.configure({ strict: true });

/** Far above any solution; a longer text could keep the parser busy for seconds. */
const LONGEST_PROGRAM = 100_000;

type Growing = { readonly name: string; readonly text: string; readonly children: Growing[] };

/** The syntax tree of a program; null for what is no Python, or nested thousands deep. Never throws. */
export function parsePython(program: string): SyntaxTree | null {
  if (program.length > LONGEST_PROGRAM) return null;
  const root: Growing = { name: 'Script', text: '', children: [] };
  const open = [root];
  let broken = false;
  try {
    strict.parse(program).iterate({
      enter: ({ name, from, to, type }) => {
        if (type.isError) broken = true;
        // Only short leaves are told apart by their text: operators.
        const node: Growing = { name, text: to - from <= 4 ? program.slice(from, to) : '', children: [] };
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
