import { useMemo } from 'react';
import type { StudyOutcomes } from '../../preload/contract/outcomes';
import type { Study } from '../../preload/contract/study';
import { OutcomeGrid, OutcomeLegend } from '../shared/studies/index';
import {
  configurationsOf,
  countOutcomes,
  createRunRows,
  type Loadable,
  readyValue,
  runRoute,
  sharedPrefix,
  useHues,
  useWorkbench,
} from '../state/index';
import { OUTCOMES } from '../text/metrics';
import { configurationColor } from '../theme/index';
import { FailedState, Section } from '../widgets/index';

const NAMES = {
  solved: 'solved',
  found: 'found, not chosen',
  'public-only': 'public tests only',
  unsolved: 'unsolved',
  grading: 'grading',
  searching: 'searching',
  waiting: 'waiting',
} as const;

/** A row per run, a square per problem; fills up as the journals grow. */
export function Outcomes(props: { readonly study: Study; readonly outcomes: Loadable<StudyOutcomes> }) {
  const { study, outcomes } = props;
  const { location, outcomes: resource } = useWorkbench();
  const rowsOf = useMemo(() => createRunRows(study), [study]);
  const rows = useMemo(() => rowsOf(readyValue(outcomes)), [rowsOf, outcomes]);
  const hues = useHues(useMemo(() => configurationsOf(study), [study]));
  const drawn = useMemo(
    () =>
      rows.map(({ position, damage, ...row }) => ({
        ...row,
        color: configurationColor(hues[position] ?? 0),
        warning: damage?.message ?? null,
      })),
    [rows, hues],
  );
  const counts = useMemo(() => countOutcomes(rows), [rows]);
  const longest = study.runs.reduce<readonly string[]>(
    (ids, { problemIds }) => (problemIds.length > ids.length ? problemIds : ids),
    [],
  );
  const prefix = sharedPrefix(longest);
  if (outcomes.kind === 'failed') {
    return (
      <Section title="Problems">
        <FailedState
          title="The outcomes could not be read"
          message={outcomes.error.message}
          hint={outcomes.error.hint}
          action={{ label: 'Try again', run: () => resource.refresh(study.id) }}
        />
      </Section>
    );
  }
  return (
    <Section
      title="Problems"
      aside={
        outcomes.kind === 'ready' && (
          <OutcomeLegend
            entries={OUTCOMES.filter(
              (kind) =>
                (counts.get(kind) ?? 0) > 0 ||
                (kind !== 'grading' && kind !== 'searching' && kind !== 'waiting'),
            ).map((kind) => ({ kind, label: NAMES[kind], count: counts.get(kind) ?? 0 }))}
          />
        )
      }
    >
      <OutcomeGrid
        label="Outcomes by configuration and problem"
        rows={drawn}
        columns={longest.length}
        columnNames={longest.map((id) => id.slice(prefix.length))}
        isLoading={outcomes.kind === 'loading'}
        onOpen={(row, column) => {
          const run = study.runs[row];
          const problemId = run?.problemIds[column];
          if (run !== undefined && problemId !== undefined)
            location.go(runRoute(study.id, run.id, problemId));
        }}
      />
    </Section>
  );
}
