import { OPERATIONS, operationAt, operationIndex, type Program } from './operations';
import { EMPTY_WORD, ENTRY_POINT, type Style } from './statement';

/** Which of the two Python forms of an operation is written: 0 or 1. One agent always writes the same form. */
export type Phrasing = (operation: number) => 0 | 1;

const plainPhrasing: Phrasing = () => 0;

const ADD_ORIGINAL = operationIndex('add-original');
const READ_INPUT = 'xs = [int(word) for word in sys.stdin.read().split()]';
const KEEP_ORIGINAL = 'original = xs';
const PRINT_LIST = `print(*(xs or ["${EMPTY_WORD}"]))`;

/** The pieces of a program's text: the part before the steps, each step, the part after them. */
export type RenderedProgram = {
  readonly head: string;
  readonly steps: readonly string[];
  readonly tail: string;
};

/** The program as Python source, in pieces. It ends with a line feed. */
export function renderPieces(program: Program, style: Style, phrasing: Phrasing): RenderedProgram {
  const indent = style === 'call' ? '    ' : '';
  const text = (lines: readonly string[]): string =>
    lines.map((line) => `${line === '' ? '' : indent}${line}\n`).join('');
  const last = program[program.length - 1];
  const isNumber = last !== undefined && operationAt(last).final;
  const original = program.includes(ADD_ORIGINAL) ? [KEEP_ORIGINAL] : [];
  const head = style === 'call' ? `def ${ENTRY_POINT}(xs):\n` : `import sys\n\n${READ_INPUT}\n`;
  const end =
    style === 'call' ? `return ${isNumber ? 'answer' : 'xs'}` : isNumber ? 'print(answer)' : PRINT_LIST;
  return {
    head: head + text(original),
    steps: program.map((index) => text(operationAt(index).python[phrasing(index)])),
    tail: text([end]),
  };
}

/** The program as Python source that solves a problem of this style. */
export function renderProgram(program: Program, style: Style, phrasing: Phrasing = plainPhrasing): string {
  const { head, steps, tail } = renderPieces(program, style, phrasing);
  return head + steps.join('') + tail;
}

/** Longer texts are not pocket programs. The limit bounds the time for reading. */
const LONGEST_TEXT = 4_000;
const MAX_STEPS = 12;

type Form = { readonly operation: number; readonly lines: readonly string[] };

/** Longest first, so that a form is never mistaken for the beginning of another. */
const FORMS: readonly Form[] = OPERATIONS.flatMap(({ python }, operation) =>
  python.map((lines): Form => ({ operation, lines })),
).sort((a, b) => b.lines.length - a.lines.length);

function bodyOf(
  lines: readonly string[],
): { readonly style: Style; readonly body: readonly string[] } | null {
  if (lines[0] === `def ${ENTRY_POINT}(xs):`) {
    const body = lines.slice(1);
    if (!body.every((line) => line.startsWith('    '))) return null;
    return { style: 'call', body: body.map((line) => line.slice(4)) };
  }
  return lines[0] === 'import sys' && lines[1] === READ_INPUT
    ? { style: 'stdin', body: lines.slice(2) }
    : null;
}

/** Parses a pocket program from its Python text; null for any other text. */
export function parseProgram(text: string): { readonly program: Program; readonly style: Style } | null {
  if (text.length > LONGEST_TEXT) return null;
  const lines = text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
  const parsed = bodyOf(lines);
  if (parsed === null) return null;
  const { style, body } = parsed;
  const steps = body.slice(body[0] === KEEP_ORIGINAL ? 1 : 0, -1);
  const program: number[] = [];
  for (let at = 0; at < steps.length; ) {
    const form = FORMS.find(({ lines: wanted }) => wanted.every((line, i) => steps[at + i] === line));
    if (form === undefined || program.length === MAX_STEPS) return null;
    program.push(form.operation);
    at += form.lines.length;
  }
  // The first and last lines must be the ones that belong to these steps.
  const again = renderProgram(program, style)
    .split('\n')
    .filter((line) => line !== '');
  const tailFits = body[body.length - 1] === again[again.length - 1]?.trim();
  const originalFits = (body[0] === KEEP_ORIGINAL) === program.includes(ADD_ORIGINAL);
  const finalFits = program.every((index, i) => i === program.length - 1 || !operationAt(index).final);
  return tailFits && originalFits && finalFits ? { program, style } : null;
}
