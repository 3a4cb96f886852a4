import type { Exhibit, ExhibitConfiguration, FilledCell } from '../exhibit';
import type { ExhibitFill } from '../exhibit-fill';
import { plainId } from './plain-id';
import { trainingsOfLine } from './trainings-at-hand';
import { firstFreeName } from './unique-names';

/** A finished study, and what it calls the configuration that answers in a table or figure of a lab's own. */
export type RunsAtHand = NonNullable<ExhibitConfiguration['study']>;

/**
 * The rows and lines of an exhibit of a lab's own that studies and trainings at hand fill, as its file names them; null: it
 * names none.
 */
export function fillAtHand({
  id,
  configurations,
  series,
}: Pick<Exhibit, 'id' | 'configurations' | 'series'>): ExhibitFill | null {
  const filled = configurations.flatMap(({ id: configurationId, study }) =>
    study === undefined ? [] : [{ configurationId, configuration: study.configuration, studyId: study.id }],
  );
  const lines = series.flatMap((line) => {
    const trainings = trainingsOfLine(line);
    return trainings.length === 0 ? [] : [{ seriesId: line.id, trainings: [...trainings] }];
  });
  return filled.length + lines.length === 0
    ? null
    : { exhibitId: id, filled, ...(lines.length === 0 ? {} : { lines }) };
}

/** How the rows of a table that runs at hand fill search, by group where it is the same in all of one; null: all alike. */
export function searchesSentence(
  rows: Exhibit['rows'],
  filled: readonly Pick<FilledCell, 'row' | 'atHand'>[],
): string | null {
  const namesOf = (of: readonly string[]): string =>
    [
      ...new Set(
        filled.flatMap(({ row, atHand }) =>
          of.includes(row) ? (atHand?.searches ?? []).map(({ name }) => name) : [],
        ),
      ),
    ].join(' and ');
  const shown = rows.filter(({ id }) => namesOf([id]) !== '');
  if (new Set(shown.map(({ id }) => namesOf([id]))).size < 2) return null;
  const texts = shown.map(({ id, label, group }) => {
    const others = shown.filter((row) => row.group === group).map((row) => row.id);
    const isAlike = group !== '' && others.every((other) => namesOf([other]) === namesOf([id]));
    const name = isAlike ? group : group === '' ? label : `${group}, ${label}`;
    return `${name} by ${namesOf([id])}`;
  });
  return `The rows differ in how they search: ${[...new Set(texts)].join('; ')}. A difference between them is not of their models alone.`;
}

/** The configurations that runs at hand can stand for: all but those that are only shown while they learn. */
export function fillableAtHand({ configurations, cells, series }: Exhibit): readonly ExhibitConfiguration[] {
  const learning = series.filter(({ curve }) => curve.kind === 'learning');
  const others = [...cells, ...series.filter(({ curve }) => curve.kind === 'nodes')];
  return configurations.filter(
    ({ id }) =>
      others.some(({ configuration }) => configuration === id) ||
      learning.every(({ configuration }) => configuration !== id),
  );
}

/** The exhibit with these runs in one of its configurations; null: with none. */
export function withRunsAtHand(exhibit: Exhibit, configurationId: string, study: RunsAtHand | null): Exhibit {
  return {
    ...exhibit,
    configurations: exhibit.configurations.map((configuration) => {
      if (configuration.id !== configurationId) return configuration;
      const { study: _, ...rest } = configuration;
      return study === null ? rest : { ...rest, study };
    }),
  };
}

/** With one more row in its table, and one more line in its figure, for these runs, measured as its others are. */
export function withAddedRuns(exhibit: Exhibit, study: RunsAtHand): Exhibit {
  const { configurations, models, rows, columns, cells, series } = exhibit;
  const ids = new Set([...configurations, ...rows, ...series].map(({ id }) => id));
  const labels = new Set(configurations.map(({ label }) => label));
  const id = firstFreeName(plainId(study.configuration, { most: 50 }) || 'runs', '-', ids);
  const label = firstFreeName(study.configuration.slice(0, 70), ' ', labels);
  const measureIn = (columnId: string) =>
    cells.find(({ column }) => column === columnId)?.measure ?? {
      kind: 'metric' as const,
      metric: 'pass@1(mcts)' as const,
    };
  const curve = series.findLast((line) => line.curve.kind === 'nodes')?.curve;
  const hasFigure = series.length > 0 || columns.length === 0;
  return {
    ...exhibit,
    configurations: [
      ...configurations,
      {
        ...{ id, label, models: models.slice(0, 1).map((model) => model.id), method: 'base', study },
        ...{ partners: [], roles: 1, search: {} },
      },
    ],
    rows: columns.length === 0 ? rows : [...rows, { id, label, group: rows.at(-1)?.group ?? '' }],
    cells: [
      ...cells,
      ...columns.map((column) => ({
        ...{ row: id, column: column.id, configuration: id, measure: measureIn(column.id), reference: [] },
      })),
    ],
    series: hasFigure
      ? [
          ...series,
          {
            id,
            label,
            configuration: id,
            curve: curve ?? { kind: 'nodes', measure: 'pass@n' },
            reference: [],
          },
        ]
      : series,
  };
}

/**
 * A table and a figure of a lab's own for all configurations of a finished study: a row and a line each, in the study's order.
 * Its file then names nothing that a reproduction would measure.
 */
export function exhibitOfRuns(study: {
  readonly id: string;
  readonly name: string;
  readonly configurations: readonly string[];
}): Exhibit {
  const empty: Exhibit = {
    version: 1,
    id: plainId(study.name, { most: 50 }) || 'our-table',
    paper: { title: 'Our paper', arxiv: null },
    ...{ place: 'Table 1', title: study.name.slice(0, 120), note: '' },
    models: [{ id: 'models', name: 'The models of the study', paper: null, pocket: null }],
    ...{ configurations: [], rows: [], cells: [], series: [], claims: [] },
    columns: [
      { id: 'chosen', label: 'Pass@1(MCTS)', group: '' },
      { id: 'any', label: 'Pass@N', group: '' },
    ],
    scales: { paper: null, pocket: null },
  };
  const filled = study.configurations
    // As many as an exhibit may have lines.
    .slice(0, 40)
    .reduce((exhibit, configuration) => withAddedRuns(exhibit, { id: study.id, configuration }), empty);
  return {
    ...filled,
    cells: filled.cells.map((cell) =>
      cell.column === 'any' ? { ...cell, measure: { kind: 'metric', metric: 'pass@n' } } : cell,
    ),
    series: filled.rows.map(({ id, label }) => ({
      ...{ id, label, configuration: id, reference: [] },
      curve: { kind: 'nodes', measure: 'pass@n' },
    })),
  };
}
