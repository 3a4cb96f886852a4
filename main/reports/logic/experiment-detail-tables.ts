import type { ExperimentDetails, MethodCost } from '../../../preload/contract/index';
import { methodGainsTable, methodStabilityTable } from './experiment-gain-tables';
import {
  cellIn,
  columnOf,
  type ExperimentSource,
  experimentTable,
  PARTS_NOTE,
  quantities,
  trainedOn,
} from './experiment-measures';
import { partPairsTable } from './experiment-pair-tables';
import { partKey } from './pair-tables';
import {
  column,
  number,
  numbersOf,
  plainEstimate,
  RATE,
  type ReportTable,
  type ReportUnit,
  text,
  WHOLE,
} from './report-table';
import { solvesParts } from './team-tables';

const POCKET_DIFFICULTY =
  'Difficulty of a pocket problem: by the steps of the program that is asked for, and by what the statement leaves open.';

/** A row per method in a part of the problems; the columns of `results`. */
function breakdownsTable(source: ExperimentSource): ReportTable {
  const { view, details } = source;
  const { breakdowns } = details;
  const shown = quantities({ cells: breakdowns }, ['alone', 'team']);
  const parts = new Map(breakdowns.map(({ within }) => [partKey(within), within]));
  return experimentTable(
    source,
    {
      id: 'breakdowns',
      title: `Results by part of the problems: ${view.order.name}`,
      rowTitle: 'Method',
      columns: [
        column('by', 'By', WHOLE, { printed: false }),
        column('part', 'Part', WHOLE, { printed: false }),
        ...shown.map(columnOf),
      ],
      notes: [
        PARTS_NOTE,
        ...(view.order.models === undefined ? [POCKET_DIFFICULTY] : []),
        `Differences are not tested here${details.partPairs.length > 0 ? ', but in the table "breakdown-pairs"' : ''}.`,
      ],
    },
    [...parts].flatMap(([key, { by, part }]) => {
      const within = breakdowns.filter((cell) => partKey(cell.within) === key);
      return [...new Set(within.map(({ label }) => label))].map((label) => ({
        label,
        group: key,
        cells: [
          text(by),
          text(part),
          ...shown.map((quantity) => plainEstimate(cellIn(within, label, quantity) ?? null)),
        ],
      }));
    }),
  );
}

/** A row per problem. */
function solvesTable(source: ExperimentSource): ReportTable {
  const { solves, costs } = source.details;
  const { head, columns, rows } = solvesParts(solves, 'method');
  const { configurations, single } = solves;
  const ofTeam =
    single.length === 0
      ? 'The answer is of the tree of the team.'
      : single.length === configurations.length
        ? 'The answer is of the tree of the one agent that each method has.'
        : `The answer is of the tree of the team; of ${single.join(', ')}, which have one agent, of that agent's.`;
  const alone = configurations.filter((name) => !single.includes(name));
  return experimentTable(
    source,
    {
      ...head,
      title: `${head.title}: ${source.view.order.name}`,
      columns: [
        ...columns,
        ...alone.map((name) => column(`${name} alone`, `${name} alone`, RATE, { printed: false })),
      ],
      notes: [ofTeam, ...head.notes, ...seedsNotes(source, costs)],
    },
    rows.map(([label, , cells], at) => {
      const own = solves.problems[at]?.cells ?? [];
      return {
        label,
        group: '',
        seeds: seedsIn(costs),
        cells: [
          ...cells,
          ...own.flatMap((cell, nth) =>
            single.includes(configurations[nth] ?? '') ? [] : [number(cell?.alone01)],
          ),
        ],
      };
    }),
  );
}

function seedsIn(costs: readonly MethodCost[]): number[] {
  return [...new Set(costs.flatMap(({ seeds }) => seeds))];
}

/** Notes on methods that do not have all seeds yet: how many they have. */
function seedsNotes({ view }: ExperimentSource, costs: readonly MethodCost[]): string[] {
  const all = view.order.seeds.length;
  const fewer = costs.filter(({ seeds }) => seeds.length < all);
  if (fewer.length === 0) return [];
  return [
    `Seeds so far, of ${all}: ${fewer.map(({ label, seeds }) => `${label} ${seeds.length}`).join(', ')}.`,
  ];
}

const ONE_DIGIT = (of: string): ReportUnit => ({ kind: 'number', digits: 1, of });
const COUNT = (of: string): ReportUnit => ({ kind: 'number', digits: 0, of });

/** A row per method: what all its trainings took. */
function costsTable(source: ExperimentSource): ReportTable {
  const { view, details } = source;
  return experimentTable(
    source,
    {
      id: 'costs',
      title: `Costs of the trainings and their evaluations: ${view.order.name}`,
      rowTitle: 'Method',
      columns: [
        column('trainings', 'Trainings', WHOLE),
        column('seconds', 'Seconds', ONE_DIGIT('seconds'), {
          meaning:
            'of whole jobs, training and the evaluation at its end, which are recorded together only; added up as if one had run after the other. What a training took before it was started again by itself is not counted',
        }),
        column('gpu_seconds', 'GPU-seconds', ONE_DIGIT('GPU-seconds'), {
          meaning: 'the same times the GPUs that were reserved; 0: none was',
        }),
        column('samples', 'Samples', COUNT('samples'), {
          meaning: `programs that the agents learned from, all agents together, on problems of ${trainedOn(view.order)}; others that were written for it are not counted`,
        }),
        column('evaluation_programs', 'Programs of the evaluation', COUNT('programs'), {
          meaning:
            'first attempts and nodes of the search trees that were written for the evaluation at the end, of the agents alone and of the team',
        }),
      ],
      notes: [
        'Sums over the trainings of a method that are done, one a seed. Differences are not tested. Seconds depend on the machine and on what else ran on it, so they compare within this table alone. Tokens are not recorded.',
      ],
    },
    details.costs.map((cost) => ({
      label: cost.label,
      group: '',
      seeds: cost.seeds,
      cells: [
        number(cost.seeds.length),
        ...numbersOf(cost, ['seconds', 'gpuSeconds', 'samples', 'evaluationPrograms']),
      ],
    })),
  );
}

/** A row per setting of the trainings, a column per method. */
function settingsTable(source: ExperimentSource): ReportTable {
  const { view, details } = source;
  return experimentTable(
    source,
    {
      id: 'settings',
      title: `Settings that differ: ${view.order.name}`,
      rowTitle: 'Setting',
      columns: view.order.rows.map(({ label }) => column(label, label)),
      notes: [
        'Of the trainings, as they were asked for, by their names in docs/training.md; all other settings but the seed are the same. What a method itself does otherwise is not here (the methods: below). A dash: not set.',
      ],
    },
    details.settings.map(({ path, values }: ExperimentDetails['settings'][number]) => ({
      label: path,
      group: '',
      cells: values.map((value) => text(value ?? '\u2013')),
    })),
  );
}

/** What an experiment has beside its results, as studies have it. */
export function detailTables(source: ExperimentSource): ReportTable[] {
  return [
    solvesTable(source),
    methodGainsTable(source),
    methodStabilityTable(source),
    costsTable(source),
    settingsTable(source),
    breakdownsTable(source),
    partPairsTable(source),
  ];
}
