import type { Refusal } from '../../preload/contract/index';
import { assertNever } from '../base/index';

/** A file with what a step of a plan measured, which tables are made from. */
export type OutcomeFile = {
  readonly stepId: string;
  /** Of the step, for people. */
  readonly title: string;
  readonly path: string;
  /** Why it cannot be used, as the end of a sentence; null: it is whole. */
  readonly damage: string | null;
};

/** `reading`: of such a file, which should be there. */
export function damageOf(
  reading:
    | { readonly kind: 'read' | 'missing' }
    | { readonly kind: 'damaged' | 'unreadable'; readonly why: string },
): string | null {
  switch (reading.kind) {
    case 'read':
      return null;
    case 'missing':
      return 'it is missing';
    case 'damaged':
    case 'unreadable':
      return reading.why;
    default:
      return assertNever(reading);
  }
}

const RESTORE =
  'Restore the file from a backup or from a bundle of this plan; what was measured cannot be told from what is left of it.';

/** Among the first sentences of a result from which damaged files are missing; none: all are whole. */
export function damageSentences(files: readonly OutcomeFile[]): string[] {
  const damaged = files.flatMap(({ title, path, damage }) =>
    damage === null ? [] : [`${title} (${path}: ${damage})`],
  );
  if (damaged.length === 0) return [];
  return [
    `Damaged results are left out, so these numbers are over less than was measured and are not exported: ${damaged.join('; ')}. ${RESTORE}`,
  ];
}

/** Why nothing may leave the workbench that is computed from these files; null: all are whole. */
export function damageRefusal(files: readonly OutcomeFile[]): Refusal | null {
  const first = files.find(({ damage }) => damage !== null);
  if (first === undefined) return null;
  const { title, path, damage } = first;
  const message = `Nothing is exported: the results of "${title}" cannot be used (${path}: ${damage}).`;
  return { code: 'conflict', message, hint: RESTORE };
}
