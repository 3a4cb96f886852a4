import type { Exhibit } from '../../preload/contract/exhibit';
import { allParts, type ChosenParts, cellKey, oursOf, partsWith } from '../../preload/contract/plans/index';
import type { ExhibitScale } from '../state/index';
import { plural } from '../widgets/index';

type Parts = Pick<Exhibit, 'rows' | 'columns' | 'cells' | 'series'>;

/**
 * The parts that a plan measures by default: at paper scale without our own rows, which cost GPU-days; learning curves
 * as a whole.
 */
export function defaultParts(exhibit: Parts, scale: ExhibitScale): ChosenParts {
  const all = allParts(exhibit);
  if (scale === 'pocket') return all;
  const learning = exhibit.series.flatMap(({ id, curve }) => (curve.kind === 'learning' ? [id] : []));
  const ours = oursOf(exhibit);
  const lines = ours.lines.filter((id) => !learning.includes(id));
  return partsWith(exhibit, all, { ...ours, lines }, false);
}

/** The rows, columns and lines that these cells and lines are in. */
export function partsOf({ cells, series }: Parts, keys: readonly string[]): ChosenParts {
  const own = cells.filter((cell) => keys.includes(cellKey(cell)));
  return {
    rows: [...new Set(own.map(({ row }) => row))],
    columns: [...new Set(own.map(({ column }) => column))],
    lines: series.flatMap(({ id }) => (keys.includes(id) ? [id] : [])),
  };
}

/** How many of what is ours are chosen. */
export function chosenOurs(
  exhibit: Parts,
  chosen: ChosenParts,
): { readonly parts: ChosenParts; readonly number: number; readonly chosen: number } {
  const parts = oursOf(exhibit);
  const of = (['rows', 'columns', 'lines'] as const).map((kind) =>
    parts[kind].map((id) => chosen[kind].includes(id)),
  );
  return { parts, number: of.flat().length, chosen: of.flat().filter(Boolean).length };
}

/** The choice to keep; null: it is the usual one, which the plan knows by itself. */
export function choiceOf(exhibit: Parts, scale: ExhibitScale, parts: ChosenParts): ChosenParts | null {
  return JSON.stringify(parts) === JSON.stringify(defaultParts(exhibit, scale)) ? null : parts;
}

/** "3 of 12 rows, 1 of 4 lines": what is not chosen as a whole. */
export function chosenText({ rows, columns, series }: Parts, chosen: ChosenParts): string {
  const parts = [
    [rows, chosen.rows, 'row'],
    [columns, chosen.columns, 'column'],
    [series, chosen.lines, 'line'],
  ] as const;
  return parts
    .filter(([all, own]) => own.length < all.length)
    .map(([all, own, noun]) => `${own.length} of ${plural(all.length, noun)}`)
    .join(', ');
}
