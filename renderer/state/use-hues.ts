import { useMemo } from 'react';
import type { Exhibit } from '../../preload/contract/exhibit';
import { assignHues, knownHues, lineHues } from '../../preload/contract/plans/index';
import { useStudies } from './hooks';
import { readyValue } from './loadable';

/**
 * The hue of each configuration name (`configurationColor`): assigned, or the one it would get. The same array while
 * nothing changes, although studies update four times a second.
 */
export function useHues(names: readonly string[]): readonly number[] {
  const studies = readyValue(useStudies());
  const hues = assignHues(
    useMemo(() => knownHues(studies ?? []), [studies]),
    names,
  ).join(' ');
  return useMemo(() => (hues === '' ? [] : hues.split(' ').map(Number)), [hues]);
}

/** The hue of each line of an exhibit's figures by its id, as exports have it. */
export function useLineHues(exhibit: Exhibit): ReadonlyMap<string, number> {
  const studies = readyValue(useStudies());
  return useMemo(() => lineHues(exhibit, knownHues(studies ?? [])), [exhibit, studies]);
}
