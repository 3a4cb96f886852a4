import { useMemo } from 'react';
import { assignHues, configurationsOf } from '../../preload/contract/plans/index';
import type { StudyView } from '../../preload/contract/study';
import { useStudies } from './hooks';
import { readyValue } from './loadable';

/** The colours that studies have given to names; they agree, as main sees to that. */
export function huesOf(studies: readonly StudyView[]): ReadonlyMap<string, number> {
  const hues = new Map<string, number>();
  for (const { study, hues: own } of studies) {
    configurationsOf(study).forEach((name, at) => {
      hues.set(name, own[at] ?? 0);
    });
  }
  return hues;
}

/**
 * The colour of each configuration by name (`configurationColor`): its own, or the one that it would get. The same list
 * as long as nothing of it changes, though studies tell of themselves four times a second.
 */
export function useHues(names: readonly string[]): readonly number[] {
  const studies = readyValue(useStudies());
  const hues = assignHues(
    useMemo(() => huesOf(studies ?? []), [studies]),
    names,
  ).join(' ');
  return useMemo(() => (hues === '' ? [] : hues.split(' ').map(Number)), [hues]);
}
