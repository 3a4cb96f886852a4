import type { Exhibit, ExhibitCaution, ExhibitResult, Study } from '../../preload/contract/index';
import { looksSentence, searchesSentence } from '../../preload/contract/plans/index';
import { counted } from '../base/index';

/** Rows and lines named behind one reason; the others are counted. */
const MAX_NAMED = 6;

/**
 * What must be said beside every table and figure that runs and trainings at hand fill, with what `filled` says itself.
 * `studies`: those that fill it.
 */
export function fillingCautions(
  exhibit: Exhibit,
  filled: Pick<ExhibitResult, 'cells' | 'series' | 'cautions'>,
  studies: readonly Study[],
): ExhibitCaution[] {
  const missing = missingSentence(exhibit, filled);
  const searches = searchesSentence(exhibit.rows, filled.cells);
  return [
    ...(missing === null ? [] : [{ kind: 'missing' as const, text: missing }]),
    ...(filled.cautions ?? []),
    ...(searches === null ? [] : [{ kind: 'searches' as const, text: searches }]),
    ...studies.flatMap(({ id, name, extensions }) => {
      const looks = looksSentence({ extensions });
      return looks === null
        ? []
        : [
            {
              ...{ kind: 'looks' as const, studyId: id, text: `"${name}": ${looks.long}` },
              short: `"${name}": ${looks.short}, which they do not account for.`,
            },
          ];
    }),
  ];
}

/** Which rows and lines are not filled, by reason; null: all are. */
function missingSentence(
  { rows, columns, series }: Exhibit,
  filled: Pick<ExhibitResult, 'cells' | 'series'>,
): string | null {
  const named = new Map<string, Set<string>>();
  let number = 0;
  const add = (name: string, { state }: ExhibitResult['cells' | 'series'][number]): void => {
    if (state.kind !== 'missing') return;
    number += 1;
    named.set(state.message, (named.get(state.message) ?? new Set()).add(name));
  };
  for (const { id, label, group } of rows) {
    const own = filled.cells.filter(({ row }) => row === id);
    const isWhole = own.every(({ state }) => state.kind === 'missing');
    const name = group === '' ? label : `${group}, ${label}`;
    for (const cell of own) {
      const column = columns.find((one) => one.id === cell.column);
      add(isWhole ? name : `${name} in ${column?.label}`, cell);
    }
  }
  for (const line of filled.series) add(series.find(({ id }) => id === line.id)?.label ?? line.id, line);
  if (number === 0) return null;
  const reasons = [...named].map(([reason, all]) => {
    const more = all.size > MAX_NAMED ? ` and ${all.size - MAX_NAMED} more` : '';
    return `${[...all].slice(0, MAX_NAMED).join(', ')}${more}: ${reason}`;
  });
  const total = filled.cells.length + filled.series.length;
  const of = counted(total, filled.cells.length === 0 ? 'line' : 'value');
  return `Not complete: ${number} of ${of} ${number === 1 ? 'is' : 'are'} missing. ${reasons.join(' ')}`;
}
