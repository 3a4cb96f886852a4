import type { DoctorCheck } from '../../preload/contract/machine';

const URGENCY: Readonly<Record<DoctorCheck['state'], number>> = { bad: 0, warning: 1, unknown: 2, good: 3 };

/** Problems first; otherwise in the doctor's order. */
export function byUrgency(checks: readonly DoctorCheck[]): readonly DoctorCheck[] {
  return [...checks].sort((a, b) => URGENCY[a.state] - URGENCY[b.state]);
}

export type TodoPart = { readonly text: string; readonly isCommand: boolean };

/** Splits a sentence with commands in backquotes. */
export function todoParts(todo: string): readonly TodoPart[] {
  return todo
    .split('`')
    .map((text, at) => ({ text, isCommand: at % 2 === 1 }))
    .filter(({ text }) => text !== '');
}

/** Only the commands, one per line; empty if there are none. */
export function todoCommands(todo: string): string {
  return todoParts(todo)
    .filter(({ isCommand }) => isCommand)
    .map(({ text }) => text)
    .join('\n');
}
