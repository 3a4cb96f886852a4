import { useMemo } from 'react';
import { assignHues, configurationsOf } from '../../preload/contract/plans/index';
import type { StudyView } from '../../preload/contract/study';
import { useStudies } from './hooks';
import { readyValue } from './loadable';

/** The hues that studies assigned to names; main keeps them consistent. */
function huesOf(studies: readonly StudyView[]): ReadonlyMap<string, number> {
  const hues = new Map<string, number>();
  for (const { study, hues: own } of studies) {
    configurationsOf(study).forEach((name, at) => {
      hues.set(name, own[at] ?? 0);
    });
  }
  return hues;
}

/**
 * The hue of each configuration name (`configurationColor`): assigned, or the one it would get. The same array while
 * nothing changes, although studies update four times a second.
 */
export function useHues(names: readonly string[]): readonly number[] {
  const studies = readyValue(useStudies());
  const hues = assignHues(
    useMemo(() => huesOf(studies ?? []), [studies]),
    names,
  ).join(' ');
  return useMemo(() => (hues === '' ? [] : hues.split(' ').map(Number)), [hues]);
}
