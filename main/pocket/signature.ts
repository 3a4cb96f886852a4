import { deriveSeed, randomStream } from '../base';
import { interpret, isValue } from './interpret';
import type { Outcome } from './operation-kinds';
import { OPERATIONS, type Program } from './operations';

/** `validation` is for choosing settings; reported results never come from it. */
export type Split = 'train' | 'validation' | 'test';

const PROBE_COUNT = 24;

/** Fixed inputs on which programs are compared; they do not depend on any seed of a user. */
export const PROBES: readonly (readonly number[])[] = Array.from({ length: PROBE_COUNT }, (_, i) => {
  if (i === 0) return [];
  const random = randomStream('pocket-probe', i);
  const length = i < 3 ? 1 : 2 + random.integer(7);
  return Array.from({ length }, () => random.integer(19) - 9);
});

function outcomeText(outcome: Outcome): string {
  return typeof outcome === 'object' ? `[${outcome.join()}]` : String(outcome);
}

/**
 * The behaviour of a program, as text. Equal functions always have the same signature; programs with different
 * signatures differ. (Two programs that differ only on inputs outside the probes share a signature and count as the
 * same problem.)
 */
export function signatureOf(program: Program): string {
  return PROBES.map((probe) => outcomeText(interpret(program, probe))).join(';');
}

/**
 * The split is a function of the signature alone, so that no semantics is in two splits, whatever the seeds:
 * 55 % train (pre-training included), 15 % validation, 30 % test.
 */
export function splitOf(signature: string): Split {
  const share = deriveSeed('pocket-split', signature) % 100;
  if (share < 55) return 'train';
  return share < 70 ? 'validation' : 'test';
}

/** Signatures of every program with at most this many steps (0 to 2). */
function signaturesUpTo(length: 0 | 1 | 2): ReadonlySet<string> {
  const signatures = new Set<string>([signatureOf([])]);
  if (length === 0) return signatures;
  OPERATIONS.forEach((first, i) => {
    signatures.add(signatureOf([i]));
    if (length === 1 || first.final) return;
    OPERATIONS.forEach((_, j) => {
      signatures.add(signatureOf([i, j]));
    });
  });
  return signatures;
}

const shorter = new Map<number, ReadonlySet<string>>();

/** Does a program with fewer steps compute the same function? All programs of up to two steps are compared. */
export function equalsShorter(program: Program, signature: string): boolean {
  const length = Math.min(program.length - 1, 2);
  if (length < 0) return false;
  let known = shorter.get(length);
  if (known === undefined) {
    known = signaturesUpTo(length === 0 ? 0 : length === 1 ? 1 : 2);
    shorter.set(length, known);
  }
  return known.has(signature);
}

/** Has it enough different, non-empty results to be a problem? */
export function isInteresting(program: Program): boolean {
  const outcomes = PROBES.map((probe) => interpret(program, probe));
  const empty = outcomes.filter(
    (outcome) => !isValue(outcome) || (typeof outcome === 'object' && outcome.length === 0),
  );
  return new Set(outcomes.map(outcomeText)).size >= 8 && empty.length <= 7 && !outcomes.includes('too-big');
}
