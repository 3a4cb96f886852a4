import type { Random } from '../base';
import type { Example } from './examples';
import { VAGUE_PHRASES, type Value } from './operation-kinds';
import { operationAt, type Program } from './operations';
import { pick } from './random-program';

/** `stdin`: the program reads a line and prints a line. `call`: the function `solve(xs)` is called. */
export type Style = 'stdin' | 'call';

export const ENTRY_POINT = 'solve';
export const STARTER_CODE = 'def solve(xs):\n    pass\n';
/** Printed for an empty list, so that a program that prints nothing is not right by accident. */
export const EMPTY_WORD = 'empty';

/** The content of a statement, before it becomes sentences. */
export type Wording = {
  /** One clause per mentioned step, in the statement's order. */
  readonly clauses: readonly string[];
  /** How many clauses name only the skill. */
  readonly vague: number;
  /** Two neighbouring clauses are swapped. */
  readonly reordered: boolean;
  /** One step is missing from the statement. */
  readonly omitted: boolean;
};

/** Vague statements make first attempts fail sometimes, and make the examples matter. */
const OMIT_CHANCE = 0.03;
const VAGUE_CHANCE = 0.2;
const REORDER_CHANCE = 0.2;

export function wordingOf(program: Program, random: Random): Wording {
  const clauses: string[] = [];
  let vague = 0;
  let omitted = false;
  for (const index of program) {
    const operation = operationAt(index);
    if (program.length > 1 && !omitted && random.uniform() < OMIT_CHANCE) {
      omitted = true;
      continue;
    }
    if (random.uniform() < VAGUE_CHANCE) {
      vague += 1;
      clauses.push(VAGUE_PHRASES[operation.skill]);
    } else clauses.push(pick(operation.phrases, random));
  }
  const reordered = clauses.length > 1 && random.uniform() < REORDER_CHANCE;
  if (reordered) {
    const at = random.integer(clauses.length - 1);
    clauses.splice(at, 2, ...clauses.slice(at, at + 2).reverse());
  }
  return { clauses, vague, reordered, omitted };
}

const REORDERED_NOTE = '(not necessarily in this order)';
const OMITTED_NOTE = '(one more step is not told and must be found from the examples)';

function inputText(style: Style, input: readonly number[]): string {
  return style === 'stdin' ? input.join(' ') : `[${input.join(', ')}]`;
}

export function outputText(style: Style, output: Value): string {
  if (typeof output === 'number') return String(output);
  if (style === 'call') return `[${output.join(', ')}]`;
  return output.length === 0 ? EMPTY_WORD : output.join(' ');
}

function introduction(style: Style, task: string): string {
  return style === 'stdin'
    ? `Write a program that reads a list of integers from one line of standard input. It must: ${task}.`
    : `Write a function \`${ENTRY_POINT}(xs)\` that takes a list of integers. It must: ${task}.`;
}

function resultNote(style: Style, number: boolean): string {
  if (style === 'call')
    return number ? 'Return one integer.' : 'Return the resulting list. The list may be empty.';
  const input = 'The integers are separated by spaces; an empty line is the empty list.';
  return number
    ? `${input} Print one integer.`
    : `${input} Print the resulting list on one line, separated by spaces, or the word "${EMPTY_WORD}" if nothing is left.`;
}

export function statementOf(style: Style, wording: Wording, examples: readonly Example[]): string {
  const notes = [wording.reordered ? REORDERED_NOTE : '', wording.omitted ? OMITTED_NOTE : ''];
  const task = [wording.clauses.join(', then '), ...notes].filter((part) => part !== '').join(' ');
  const shown = examples.map(
    ({ input, output }, i) =>
      `Example ${i + 1}\nInput: ${inputText(style, input)}\nOutput: ${outputText(style, output)}`,
  );
  const number = typeof examples[0]?.output === 'number';
  return [introduction(style, task), resultNote(style, number), ...shown].join('\n\n');
}

/** The content that a reader finds in a statement. */
export type ReadStatement = Omit<Wording, 'vague'> & {
  readonly style: Style;
  readonly examples: readonly Example[];
};

/** The longest list and largest magnitude that the reader accepts; our own statements stay far below. */
const MAX_NUMBERS = 64;
const INTEGER = /^-?\d{1,15}$/;

function readNumbers(text: string): readonly number[] | null {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  if (words.length > MAX_NUMBERS || !words.every((word) => INTEGER.test(word))) return null;
  return words.map((word) => Number(word) + 0);
}

function readValue(style: Style, text: string): Value | null {
  if (style === 'call') {
    const list = /^\[([^\]]*)\]$/.exec(text);
    if (list) return readNumbers(list[1] ?? '');
    return INTEGER.test(text) ? Number(text) : null;
  }
  if (text === EMPTY_WORD) return [];
  return readNumbers(text);
}

function readExamples(style: Style, number: boolean, text: string): readonly Example[] {
  const examples: Example[] = [];
  for (const match of text.matchAll(/(?<![^\n])Input:([^\n]*)\nOutput: ([^\n]*)/g)) {
    const inputLine = (match[1] ?? '').trim();
    const input = style === 'call' ? readValue(style, inputLine) : readNumbers(inputLine);
    const output = readValue(style, (match[2] ?? '').trim());
    if (input === null || typeof input === 'number' || output === null) continue;
    const only = typeof output === 'object' && output.length === 1 ? output[0] : undefined;
    examples.push({ input, output: number && only !== undefined ? only : output });
  }
  return examples.slice(0, 8);
}

const TASK = 'It must: ';

/** The task, from the first line that states it and ends with a full stop. */
function taskIn(text: string): string | undefined {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  const line = lines.find((line) => line.includes(TASK) && line.endsWith('.'));
  return line?.slice(line.indexOf(TASK) + TASK.length, -1);
}

/** The task in a text that contains one of our statements, else null. Other parts of the text are ignored. */
export function readStatement(text: string): ReadStatement | null {
  const task = taskIn(text);
  if (task === undefined) return null;
  const style: Style = text.includes(`\`${ENTRY_POINT}(xs)\``) ? 'call' : 'stdin';
  const description = task.replace(REORDERED_NOTE, '').replace(OMITTED_NOTE, '').trim();
  const clauses = description === '' ? [] : description.split(', then ').map((clause) => clause.trim());
  return {
    style,
    clauses: clauses.slice(0, 8),
    reordered: task.includes(REORDERED_NOTE),
    omitted: task.includes(OMITTED_NOTE),
    examples: readExamples(style, /(Print|Return) one integer\./.test(text), text),
  };
}
