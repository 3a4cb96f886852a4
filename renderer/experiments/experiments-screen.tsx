import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ExperimentView } from '../../preload/contract/experiment';
import { experimentRowActions, useExperiments, useTrainingTabs, useWorkbench } from '../state/index';
import { experimentStatus } from '../text/trainings';
import {
  type Column,
  DataTable,
  EmptyState,
  FailedState,
  LoadingState,
  NavTabs,
  ProgressLine,
  roughDuration,
  Screen,
  StateMark,
  TimeAgo,
} from '../widgets/index';
import styles from './experiments.module.css';

const COLUMNS: readonly Column<ExperimentView>[] = [
  {
    id: 'name',
    label: 'Experiment',
    track: 'minmax(180px, 1.4fr)',
    cell: ({ order }) => <span className={styles.name}>{order.name}</span>,
    sortValue: ({ order }) => order.name,
  },
  {
    id: 'state',
    label: 'State',
    track: '110px',
    cell: (view) => <StateMark {...experimentStatus(view)} />,
    sortValue: ({ state }) => state.kind,
  },
  {
    id: 'progress',
    label: 'Trainings',
    track: '150px',
    cell: ({ done, total, state, order }) => (
      <span className={styles.progressCell}>
        <ProgressLine
          label={`Progress of ${order.name}`}
          share={done / total}
          isStill={state.kind !== 'running'}
        />
        {done} of {total}
      </span>
    ),
    sortValue: ({ done, total }) => done / total,
  },
  {
    id: 'left',
    label: 'Time left',
    track: '100px',
    from: 720,
    cell: ({ secondsLeft, state }) =>
      state.kind !== 'running' || secondsLeft === null ? (
        <span className={styles.soft}>–</span>
      ) : (
        roughDuration(secondsLeft * 1_000)
      ),
  },
  {
    id: 'size',
    label: 'Rows × seeds',
    track: '100px',
    from: 800,
    cell: ({ order }) => `${order.rows.length} × ${order.seeds.length}`,
  },
  {
    id: 'rows',
    label: 'Compares',
    track: 'minmax(160px, 2fr)',
    from: 900,
    cell: ({ order }) => (
      <span className={styles.soft}>{order.rows.map(({ label }) => label).join(', ')}</span>
    ),
  },
  {
    id: 'begun',
    label: 'Started',
    track: '96px',
    cell: ({ createdAt }) => <TimeAgo at={createdAt} />,
    sortValue: ({ createdAt }) => createdAt,
  },
];

/** The list of experiments. */
export function ExperimentsScreen() {
  const list = useExperiments();
  const tabs = useTrainingTabs();
  const workbench = useWorkbench();
  const { experiments, location } = workbench;
  const isFilled = list.kind === 'ready' && list.value.length > 0;
  return (
    <Screen
      title="Training"
      fill={isFilled}
      aside={<NavTabs label="Trainings and experiments" current="experiments" tabs={tabs} />}
      actions={
        <Button
          {...(isFilled ? {} : { variant: 'default' })}
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          onClick={() => location.go({ kind: 'new-experiment' })}
        >
          New experiment
        </Button>
      }
    >
      {list.kind === 'loading' && <LoadingState text="Loading the experiments" />}
      {list.kind === 'failed' && (
        <FailedState
          title="The experiments could not be read"
          message={list.error.message}
          hint={list.error.hint}
          action={{ label: 'Try again', run: () => void experiments.load() }}
        />
      )}
      {list.kind === 'ready' && !isFilled && (
        <EmptyState
          title="No experiments yet"
          action={
            <>
              <Button onClick={() => location.go({ kind: 'new-experiment', preset: 'five-methods' })}>
                Compare the five methods
              </Button>
              <Button
                variant="default"
                onClick={() => location.go({ kind: 'new-experiment', preset: 'tiny' })}
              >
                Try a tiny experiment
              </Button>
            </>
          }
        >
          An experiment trains several methods over several seeds, evaluates them on the same held-out
          problems and tests which differences are significant: the papers' comparison, on this computer.
        </EmptyState>
      )}
      {list.kind === 'ready' && isFilled && (
        <div className={styles.table}>
          <DataTable
            label="Experiments"
            columns={COLUMNS}
            rows={list.value}
            rowHeight={34}
            rowKey={({ id }) => id}
            rowLabel={(view) => `${view.order.name}: ${experimentStatus(view).text}`}
            onChoose={({ id }) => location.go({ kind: 'experiment', experimentId: id })}
            rowActions={(view) => experimentRowActions(workbench, view)}
          />
        </div>
      )}
    </Screen>
  );
}
