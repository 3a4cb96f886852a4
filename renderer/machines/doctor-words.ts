import type { DoctorCheck } from '../../preload/contract/machine';

const URGENCY: Readonly<Record<DoctorCheck['state'], number>> = { bad: 0, warning: 1, unknown: 2, good: 3 };

/** What needs a hand first; within it the doctor's own order. */
export function inOrder(checks: readonly DoctorCheck[]): readonly DoctorCheck[] {
  return [...checks].sort((a, b) => URGENCY[a.state] - URGENCY[b.state]);
}

export type TodoPart = { readonly text: string; readonly isTyped: boolean };

/** A sentence in which what is to be typed stands between backquotes. */
export function typedParts(todo: string): readonly TodoPart[] {
  return todo
    .split('`')
    .map((text, at) => ({ text, isTyped: at % 2 === 1 }))
    .filter(({ text }) => text !== '');
}

/** Only what is to be typed, a line each; empty where the sentence names nothing. */
export function whatToType(todo: string): string {
  return typedParts(todo)
    .filter(({ isTyped }) => isTyped)
    .map(({ text }) => text)
    .join('\n');
}
