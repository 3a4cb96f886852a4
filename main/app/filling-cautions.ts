import type { Exhibit, ExhibitCaution, ExhibitResult, Study } from '../../preload/contract/index';
import {
  countedConfig,
  looksSentence,
  searchesSentence,
  testsName,
} from '../../preload/contract/plans/index';
import { counted } from '../base/index';

/** Rows and lines named behind one reason; the others are counted. */
const MAX_NAMED = 6;

/** What must be said beside every table and figure that runs and trainings at hand fill. `studies`: those that fill it. */
export function fillingCautions(
  exhibit: Exhibit,
  filled: Pick<ExhibitResult, 'cells' | 'series'>,
  studies: readonly Study[],
): ExhibitCaution[] {
  const missing = missingSentence(exhibit, filled);
  const tests = testsSentence(exhibit, filled, studies);
  const searches = searchesSentence(exhibit.rows, filled.cells);
  return [
    ...(missing === null ? [] : [{ kind: 'missing' as const, text: missing }]),
    ...(tests === null ? [] : [{ kind: 'tests' as const, text: tests }]),
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

/** By which tests rows and lines of one benchmark are graded, where those of a re-grade count for some; null: all by the same. */
function testsSentence(
  { rows, columns, series }: Exhibit,
  filled: Pick<ExhibitResult, 'cells' | 'series'>,
  studies: readonly Study[],
): string | null {
  const configs = new Map(
    studies.flatMap((study) => study.runs.map((run) => [run.id, countedConfig(study, run)] as const)),
  );
  const testsOf = (all: readonly Pick<ExhibitResult['cells' | 'series'][number], 'runs'>[]) =>
    all.flatMap(({ runs }) => runs.flatMap(({ runId }) => configs.get(runId) ?? []));
  const named = new Map<string, { readonly benchmarkId: string; readonly names: Set<string> }>();
  const add = (name: string, all: Parameters<typeof testsOf>[0]): void => {
    for (const config of testsOf(all)) {
      const tests = testsName(config);
      const { benchmarkId, names } = named.get(tests) ?? { ...config, names: new Set() };
      named.set(tests, { benchmarkId, names: names.add(name) });
    }
  };
  for (const { id, label, group } of rows) {
    const own = filled.cells.filter(({ row }) => row === id);
    const name = group === '' ? label : `${group}, ${label}`;
    const isAlike = new Set(testsOf(own).map(testsName)).size < 2;
    if (isAlike) add(name, own);
    else
      for (const cell of own)
        add(`${name} in ${columns.find((one) => one.id === cell.column)?.label}`, [cell]);
  }
  for (const line of filled.series) add(series.find(({ id }) => id === line.id)?.label ?? line.id, [line]);
  const isRegraded = [...configs.values()].some(({ tests }) => tests !== undefined);
  const benchmarks = new Set([...named.values()].map(({ benchmarkId }) => benchmarkId));
  if (!isRegraded || benchmarks.size === named.size) return null;
  const said = [...named].map(([tests, { names }]) => `${tests} (${[...names].join(', ')})`);
  return `The rows were graded by different tests: ${said.join('; ')}. A program can pass one and fail the other, so no difference between them is computed.`;
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
