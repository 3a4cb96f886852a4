import type { ProblemChoice, ProblemsKept } from '../learning';
import { counted } from './number-text';

/** A choice as problemChoiceSchema fills it in (a test compares them). */
export const PLAIN_PROBLEM_CHOICE: ProblemChoice = { measured: 200, samples: 8, from: 0.1, to: 0.8 };

/** 0.1 and 0.8: "10 to 80 %". */
export function passRangeText(from: number, to: number): string {
  return `${percentText(from)} to ${percentText(to)} %`;
}

/** Up to one decimal place, without trailing zeros. */
function percentText(share: number): string {
  return String(Math.round(share * 1_000) / 10);
}

/** E.g. "Kept 37 of 200 problems with Pass@1 from 10 to 80 %: 120 never solved, 43 above." */
export function problemsKeptText({
  from,
  to,
  measured,
  kept,
  neverSolved,
  below,
  above,
}: ProblemsKept): string {
  const reasons = [
    [neverSolved, 'never solved'],
    [below, 'below'],
    [above, 'above'],
  ] as const;
  const left = reasons.filter(([count]) => count > 0).map(([count, reason]) => `${count} ${reason}`);
  const tail = left.length === 0 ? '' : `: ${left.join(', ')}`;
  return `Kept ${kept} of ${counted(measured, 'problem')} with Pass@1 from ${passRangeText(from, to)}${tail}.`;
}

/** Whether `attempts` first attempts, some of which pass, can give a Pass@1 in the range at all. */
export function canReachRange(
  attempts: number,
  { from, to }: { readonly from: number; readonly to: number },
): boolean {
  return Math.ceil(from * attempts - 1e-9) <= Math.floor(to * attempts + 1e-9);
}
