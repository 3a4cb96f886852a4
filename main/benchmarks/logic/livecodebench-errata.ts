import type { ProblemMark } from '../../../preload/contract';

const SOURCE = "LiveCodeBench's ERRATA.md";

/** Problems that its authors list (github.com/LiveCodeBench/LiveCodeBench, ERRATA.md), by id or slug of the title. */
const errata: ReadonlyArray<readonly [string, readonly string[]]> = [
  [
    'several right answers, of which one is accepted',
    [
      'abc311_c',
      'abc326_d',
      'abc327_b',
      'abc333_e',
      'abc343_a',
      'abc343_e',
      'abc362_c',
      'arc185_c',
      'find-words-containing-character',
      'find-the-peaks',
      'generate-binary-strings-without-adjacent-zeros',
    ],
  ],
  ['interactive, which its tests cannot judge', ['abc337_e', 'abc355_e']],
  ['wrong tests', ['abc350_c', 'arc189_a', 'apply-operations-to-make-string-empty', 'most-frequent-ids']],
];
const reasonOf = new Map(errata.flatMap(([reason, names]) => names.map((name) => [name, reason] as const)));

/** The mark of a problem with a known fault, which stays in the benchmark; null for all others. */
export function knownErrata(id: string, title: string): Omit<ProblemMark, 'problemId'> | null {
  const slug = title
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  const reason = reasonOf.get(id) ?? reasonOf.get(slug);
  return reason === undefined ? null : { reason: `${reason} (${SOURCE})`, exclude: false };
}
