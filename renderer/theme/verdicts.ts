import type { Verdict } from '../../preload/contract/verdict';

/** How a verdict is shown without its colour (`glyph`, one character), in words, and in which colour token. */
export type VerdictStyle = { readonly glyph: string; readonly label: string; readonly token: string };

const STYLES: Readonly<Record<Verdict, VerdictStyle>> = {
  passed: { glyph: '✓', label: 'Passed', token: '--good' },
  'wrong-answer': { glyph: '✗', label: 'Wrong answer', token: '--bad' },
  'runtime-error': { glyph: '!', label: 'Runtime error', token: '--bad' },
  'time-limit': { glyph: 'T', label: 'Time limit', token: '--fair' },
  'memory-limit': { glyph: 'M', label: 'Memory limit', token: '--fair' },
  'output-limit': { glyph: 'O', label: 'Output limit', token: '--fair' },
  'no-code': { glyph: '∅', label: 'No code', token: '--text-faint' },
  'sandbox-fault': { glyph: '#', label: 'Sandbox fault (not counted)', token: '--fault' },
  'grader-fault': { glyph: '%', label: 'Grader fault (not counted)', token: '--fault' },
  unknown: { glyph: '?', label: 'Made by a newer version (not counted)', token: '--fault' },
};

const NOT_RUN: VerdictStyle = { glyph: '·', label: 'Not run', token: '--text-faint' };

/** The look of a verdict; null is a test that was not run (yet). `token` is a CSS variable's name. */
export function verdictStyle(verdict: Verdict | null): VerdictStyle {
  return verdict === null ? NOT_RUN : STYLES[verdict];
}
