import type { Benchmark } from '../problem';
import { counted } from './number-text';

/** The note of a benchmark of whose problems `n` have no public tests; `problemsWithoutPublicTests` reads it. */
export function noPublicTestsNote(n: number): string {
  return `${counted(n, 'problem has', 'problems have')} no public tests: every candidate for ${n === 1 ? 'it' : 'them'} has the public score 0.`;
}

/** How many problems have no public tests. The note says so in data folders of every version; no other field does. */
export function problemsWithoutPublicTests({ notes }: Pick<Benchmark, 'notes'>): number {
  return Math.max(0, ...notes.map(countOf));
}

function countOf(note: string): number {
  const n = Number.parseInt(note, 10);
  // Earlier versions wrote "for them" of one problem as well.
  return [note, note.replace('for them', 'for it')].includes(noPublicTestsNote(n)) ? n : 0;
}
