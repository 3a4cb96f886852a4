import type { Exhibit, FilledCell } from '../../../preload/contract';
import { cellKey } from '../../../preload/contract/plans';
import { isHighest } from '../../base';
import { configsOf, type MeasuredSeeds } from './exhibit-input';
import { areColumnsMethods, benchmarkOf } from './line-differences';
import { haveSameTests } from './tests-caution';

/** The highest values among those of one measure that a reader compares, and whether these are a row or a column. */
export function highestCells(
  { cells, rows }: Exhibit,
  filled: readonly FilledCell[],
  seedsOf: (configurationId: string) => MeasuredSeeds,
): ReadonlyMap<FilledCell, NonNullable<FilledCell['highestOf']>> {
  const byKey = new Map(filled.map((cell) => [cellKey(cell), cell]));
  const groupOf = new Map(rows.map(({ id, group }) => [id, group]));
  const highest = new Map<FilledCell, 'row' | 'column'>();
  for (const same of grouped(cells, ({ measure }) => [measure])) {
    const of = areColumnsMethods(same, seedsOf) ? 'row' : 'column';
    const compared = grouped(same, ({ row, column, configuration }) => [
      ...(of === 'row' ? [row] : [column, groupOf.get(row)]),
      benchmarkOf(seedsOf(configuration)),
    ]);
    for (const set of compared) {
      const configs = set.flatMap(({ configuration }) => configsOf(seedsOf(configuration)));
      if (!haveSameTests(configs)) continue;
      const measured = set.flatMap((cell) => {
        const own = byKey.get(cellKey(cell));
        return own === undefined || own.ours === null ? [] : [{ own, value: own.ours.value }];
      });
      const values = measured.map(({ value }) => value);
      for (const { own, value } of measured) if (isHighest(value, values)) highest.set(own, of);
    }
  }
  return highest;
}

/** Those with the same key together, in the order of the first of each. */
function grouped<T>(items: readonly T[], keyOf: (item: T) => unknown): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = JSON.stringify(keyOf(item));
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups.values()];
}
