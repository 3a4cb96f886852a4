import type { Exhibit, ExhibitConfiguration } from '../exhibit';
import type { ExhibitFill } from '../exhibit-fill';
import { firstFree } from './first-free';
import { plainId } from './plain-id';
import { trainingsOfLine } from './trainings-at-hand';

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
  const id = firstFree(plainId(study.configuration, { most: 50 }) || 'runs', '-', ids);
  const label = firstFree(study.configuration.slice(0, 70), ' ', labels);
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
