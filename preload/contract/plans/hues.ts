import type { Scale } from '../scale';
import type { Study } from '../study';

/** Number of distinguishable series colours (Okabe and Ito's palette). */
export const HUE_COUNT = 8;

/** The configurations of a study in the order of its runs. */
export function configurationsOf(study: Study): readonly string[] {
  return [...new Set(study.runs.map(({ configuration }) => configuration))];
}

/** The scales of its configurations, in the order of its runs: one may have been added at another scale. */
export function scalesOf({ runs, scale }: Pick<Study, 'runs' | 'scale'>): readonly Scale[] {
  const scales = [...new Set(runs.map((run) => run.scale))];
  return scales.length > 1 ? scales : [scale];
}

/** The colours that studies have given to names; main keeps them consistent. */
export function knownHues(
  studies: readonly { readonly study: Study; readonly hues: readonly number[] }[],
): ReadonlyMap<string, number> {
  return new Map(
    studies.flatMap(({ study, hues }) =>
      configurationsOf(study).map((name, at) => [name, hues[at] ?? 0] as const),
    ),
  );
}

/**
 * The colour of each configuration, from 0 to HUE_COUNT - 1. Known names keep theirs. A new name gets a colour that no other
 * of `names` has, as long as there is one, and of these the one that the fewest known names have: so configurations that
 * are shown together differ, and those of several studies mostly do.
 */
export function assignHues(knownHues: ReadonlyMap<string, number>, names: readonly string[]): number[] {
  const everywhere = counts([...knownHues.values()]);
  const here = counts(names.flatMap((name) => knownHues.get(name) ?? []));
  const given = new Map<string, number>();
  for (const name of names) {
    if (given.has(name)) continue;
    const hue = knownHues.get(name) ?? leastUsed(here, everywhere);
    given.set(name, hue);
    if (knownHues.has(name)) continue;
    here[hue] = (here[hue] ?? 0) + 1;
    everywhere[hue] = (everywhere[hue] ?? 0) + 1;
  }
  return names.map((name) => given.get(name) ?? 0);
}

/**
 * Colours of configurations of several studies that are shown together: of two with one colour the later gets one that none
 * has, as long as there is one. Best and worst of a table must not look alike.
 */
export function distinctHues(hues: readonly number[]): number[] {
  const used = new Set<number>();
  const taken = new Set(hues);
  return hues.map((hue) => {
    const free = Array.from({ length: HUE_COUNT }, (_, at) => at).find((one) => !taken.has(one));
    const own = used.has(hue) && free !== undefined ? free : hue;
    used.add(own);
    taken.add(own);
    return own;
  });
}

function counts(hues: readonly number[]): number[] {
  return Array.from({ length: HUE_COUNT }, (_, hue) => hues.filter((used) => used === hue).length);
}

function leastUsed(here: readonly number[], everywhere: readonly number[]): number {
  let best = 0;
  for (let hue = 1; hue < HUE_COUNT; hue++) {
    const isRarer = (here[hue] ?? 0) - (here[best] ?? 0) || (everywhere[hue] ?? 0) - (everywhere[best] ?? 0);
    if (isRarer < 0) best = hue;
  }
  return best;
}
