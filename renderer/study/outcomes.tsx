import { useMemo } from 'react';
import type { RunView } from '../../preload/contract/folds/index';
import type { Study } from '../../preload/contract/study';
import {
  cellsOf,
  configurationsOf,
  countOutcomes,
  OUTCOMES,
  type ProblemCell,
  readyValue,
  runLabel,
  runPlace,
  useRuns,
  useWorkbench,
} from '../state/index';
import { configurationColor } from '../theme/index';
import { OutcomeGrid, OutcomeLegend, Section } from '../widgets/index';

const NAMES = {
  solved: 'solved',
  found: 'found, not chosen',
  'public-only': 'public tests only',
  unsolved: 'unsolved',
  grading: 'grading',
  searching: 'searching',
  waiting: 'waiting',
} as const;

/** The grid of a study: a row for each run, a square for each problem; it fills as the journals grow. */
export function Outcomes(props: { readonly study: Study }) {
  const { study } = props;
  const { location } = useWorkbench();
  const runIds = useMemo(() => study.runs.map(({ id }) => id), [study]);
  const views = useRuns(runIds);
  const rested = useMemo(() => new WeakMap<RunView, readonly ProblemCell[]>(), []);
  const rows = useMemo(() => {
    const configurations = configurationsOf(study);
    return study.runs.map((run) => {
      const loadable = views.get(run.id);
      const view = loadable === undefined ? null : readyValue(loadable);
      const label = runLabel(study, run);
      const known = view === null ? undefined : rested.get(view);
      const cells = known ?? cellsOf(run, label, view);
      if (view !== null) rested.set(view, cells);
      const position = configurations.indexOf(run.configuration);
      return { id: run.id, label, position, color: configurationColor(position), cells };
    });
  }, [study, views, rested]);
  const counts = countOutcomes(rows);
  const columns = Math.max(...study.runs.map(({ problemIds }) => problemIds.length));
  return (
    <Section
      title="Problems"
      aside={
        <OutcomeLegend
          entries={OUTCOMES.filter(
            (kind) =>
              (counts.get(kind) ?? 0) > 0 ||
              (kind !== 'grading' && kind !== 'searching' && kind !== 'waiting'),
          ).map((kind) => ({ kind, label: NAMES[kind], count: counts.get(kind) ?? 0 }))}
        />
      }
    >
      <OutcomeGrid
        label="Outcomes by configuration and problem"
        rows={rows}
        columns={columns}
        onOpen={(row, column) => {
          const run = study.runs[row];
          const problemId = run?.problemIds[column];
          if (run !== undefined && problemId !== undefined)
            location.go(runPlace(study.id, run.id, problemId));
        }}
      />
    </Section>
  );
}
