import { assignHues, configurationsOf, type Study } from '../../preload/contract/index';
import type { Registry } from '../storage/index';

/** The colour numbers of configurations in this data folder (`assignHues`). */
export type HueAssignments = {
  /** One per name: its own, or the one that it would get now. */
  readonly of: (names: readonly string[]) => number[];
  readonly ofStudy: (study: Study) => number[];
};

/**
 * Each name has the colour that the first study with it got. Removed studies count too, so that the others keep their
 * colours.
 */
export function hueAssignments(registry: Pick<Registry, 'read'>): HueAssignments {
  const assigned = new Map<string, number>();
  let countedRecords = 0;
  let extensions = 0;
  const upToNow = (): ReadonlyMap<string, number> => {
    const { studies } = registry.read();
    // Studies are only ever added, at the end, and extended, which may give an earlier one more names.
    const extended = studies.reduce((sum, { study }) => sum + (study.extensions?.length ?? 0), 0);
    if (extended !== extensions) {
      assigned.clear();
      [countedRecords, extensions] = [0, extended];
    }
    for (const { study, hues } of studies.slice(countedRecords)) {
      const names = configurationsOf(study);
      const own = hues ?? assignHues(assigned, names);
      names.forEach((name, at) => {
        if (!assigned.has(name)) assigned.set(name, own[at] ?? 0);
      });
    }
    countedRecords = studies.length;
    return assigned;
  };
  const of = (names: readonly string[]): number[] => assignHues(upToNow(), names);
  return { of, ofStudy: (study) => of(configurationsOf(study)) };
}
