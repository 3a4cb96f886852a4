import type { ChatMessage } from '../../preload/contract';
import type { Program } from './operations';
import { parseProgram } from './python';
import { type ReadStatement, readStatement } from './statement';

/** The earlier program's results on the public tests. */
export const FEEDBACK = ['all-passed', 'some-passed', 'none-passed', 'failed-to-run'] as const;
export type Feedback = (typeof FEEDBACK)[number];

/** 0: solver, the usual role. 1: refiner, named in the system message; it stays closer to an earlier program. */
export type Role = 0 | 1;

/** A prompt as a pocket policy understands it: facts from its text only. */
export type ReadPrompt = ReadStatement & {
  readonly role: Role;
  /** Null for a first attempt, and for an earlier program that is not one of ours. */
  readonly earlier: { readonly program: Program; readonly feedback: Feedback } | null;
};

/** Characters of a message that the reader looks at; our own prompts have some 1 500. */
const LONGEST_MESSAGE = 20_000;

const EARLIER_HEADING = '### Earlier program';
const RESULT_LINE = /^Test \d{1,4}: ([a-z ]{1,40})$/gm;

function feedbackOf(text: string): Feedback {
  const verdicts = [...text.matchAll(RESULT_LINE)].map((match) => match[1]);
  const passed = verdicts.filter((verdict) => verdict === 'passed').length;
  if (verdicts.length > 0 && passed === verdicts.length) return 'all-passed';
  if (passed > 0) return 'some-passed';
  return verdicts.length > 0 && verdicts.every((verdict) => verdict !== 'wrong answer')
    ? 'failed-to-run'
    : 'none-passed';
}

function earlierOf(text: string): ReadPrompt['earlier'] {
  const heading = text.indexOf(EARLIER_HEADING);
  if (heading < 0) return null;
  const after = text.slice(heading + EARLIER_HEADING.length);
  const opening = after.indexOf('```python\n');
  if (opening < 0) return null;
  const start = opening + '```python\n'.length;
  const closing = after.indexOf('```', start);
  if (closing < 0) return null;
  const parsed = parseProgram(after.slice(start, closing));
  return parsed === null ? null : { program: parsed.program, feedback: feedbackOf(after.slice(closing)) };
}

/**
 * Reads chat messages in the form of our prompts; null when the last user message holds no pocket problem. Other parts
 * that cannot be read count as absent. Never throws, and reads a bounded part of the text.
 */
export function readPrompt(messages: readonly ChatMessage[]): ReadPrompt | null {
  const user = messages.findLast((message) => message.role === 'user');
  if (user === undefined) return null;
  const text = user.content.slice(0, LONGEST_MESSAGE).replaceAll('\r\n', '\n');
  const statement = readStatement(text);
  if (statement === null) return null;
  const refines = messages.some(
    ({ role, content }) => role === 'system' && /\brefiner\b/i.test(content.slice(0, LONGEST_MESSAGE)),
  );
  return { ...statement, role: refines ? 1 : 0, earlier: earlierOf(text) };
}
