import { Button } from '@mantine/core';
import { useHotkeys, useMediaQuery } from '@mantine/hooks';
import { IconListCheck } from '@tabler/icons-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { StudyView } from '../../preload/contract/study';
import { ExportButton, useExport } from '../shared/reports/index';
import {
  type CompareRoute,
  lastComparison,
  pathOf,
  readyValue,
  rememberComparison,
  useComparison,
  useStudies,
  useTask,
  useWorkbench,
} from '../state/index';
import { taskLabel, taskShare } from '../text/tasks';
import { EmptyState, FailedState, LoadingState, Screen, TaskLine } from '../widgets/index';
import styles from './compare.module.css';
import { CompareHead, CompareTabs } from './compare-head';
import { CompareView } from './compare-view';
import { type ComparedSelection, namedRoute, routeOfRuns, selectionOf } from './compared-runs';
import { RunChooser } from './run-chooser';

/** Compares any runs; without a selection those that were compared last, else those of the newest finished study. */
export function CompareScreen(props: { readonly route: CompareRoute }) {
  const studies = useStudies();
  const { studies: store, location } = useWorkbench();
  const views = readyValue(studies);
  // A running study changes four times a second, but not what is compared.
  const shape = views?.map(({ study }) => study.id).join() ?? '';
  const route = useMemo(
    () => (views === null ? props.route : namedRoute(props.route, views, lastComparison())),
    [props.route, shape, views === null],
  );
  const compared = useMemo(
    () => (views === null ? null : selectionOf(route, views)),
    [route, shape, views === null],
  );
  useEffect(() => {
    if (compared === null) return;
    if (route !== props.route) location.go(route, { replace: true });
    else rememberComparison(route);
  }, [route, props.route, compared, location]);
  if (views === null) {
    return studies.kind === 'failed' ? (
      <Screen title="Compare">
        <FailedState
          title="The studies could not be read"
          message={studies.error.message}
          hint={studies.error.hint}
          action={{ label: 'Try again', run: () => void store.load() }}
        />
      </Screen>
    ) : (
      <LoadingState text="Loading the studies" />
    );
  }
  return <ChosenRuns route={route} views={views} compared={compared} />;
}

function ChosenRuns(props: {
  readonly route: CompareRoute;
  readonly views: readonly StudyView[];
  readonly compared: ComparedSelection | null;
}) {
  const { route, views, compared } = props;
  const { location } = useWorkbench();
  const newest = namedRoute({ kind: 'compare', studyId: null }, views, null);
  const [choosing, setChoosing] = useState(false);
  useHotkeys([['c', () => setChoosing(true)]]);
  const chooser = choosing && (
    <RunChooser
      views={views}
      chosen={compared?.runs ?? []}
      onClose={() => setChoosing(false)}
      onChoose={(runs) => {
        setChoosing(false);
        location.go(routeOfRuns(runs, views, route.view));
      }}
    />
  );
  const choose = (
    <Button
      variant="default"
      title="Choose runs (C)"
      leftSection={<IconListCheck size={14} aria-hidden="true" />}
      onClick={() => setChoosing(true)}
    >
      Choose runs
    </Button>
  );
  if (compared === null) {
    const isFirst = views.length === 0;
    return (
      <Screen title="Compare" {...(isFirst ? {} : { actions: choose })}>
        <EmptyState
          title={
            isFirst ? 'Nothing to compare yet' : route.studyId === null ? 'Runs not found' : 'Study not found'
          }
          action={
            isFirst ? (
              <a href="#/">Go to Home</a>
            ) : (
              <a href={`#${pathOf(newest)}`}>Compare the newest study</a>
            )
          }
        >
          {isFirst
            ? 'Run a study with at least two configurations to compare them here.'
            : 'It may have been removed. Choose other runs, or compare the newest study.'}
        </EmptyState>
        {chooser}
      </Screen>
    );
  }
  return (
    <>
      <Comparison route={route} compared={compared} choose={choose} />
      {chooser}
    </>
  );
}

/** Progress of a long comparison, with a cancel button. */
function ComparisonProgress() {
  const { tasks } = useWorkbench();
  const task = useTask('comparison');
  if (task === null) return <LoadingState text="Calculating values and intervals" />;
  return (
    <TaskLine
      label={taskLabel(task)}
      share={taskShare(task)}
      onCancel={() => void tasks.cancel('comparison')}
    />
  );
}

function Comparison(props: {
  readonly route: CompareRoute;
  readonly compared: ComparedSelection;
  readonly choose: ReactNode;
}) {
  const { route, compared, choose } = props;
  const { runs } = compared;
  const { comparisons } = useWorkbench();
  const comparison = useComparison(runs);
  // Next to the title the tabs would be cut off.
  const narrow = useMediaQuery('(max-width: 1040px)', false, { getInitialValueInEffect: false });
  const exporting = useExport(
    route.studyId === null ? { kind: 'runs', runs } : { kind: 'study', studyId: route.studyId },
  );
  return (
    <Screen
      title="Compare"
      {...(narrow ? {} : { aside: <CompareTabs route={route} /> })}
      actions={
        <>
          {choose}
          <ExportButton exporting={exporting} />
        </>
      }
      below={
        <>
          <CompareHead compared={compared} />
          {narrow && (
            <div className={styles.tabs}>
              <CompareTabs route={route} />
            </div>
          )}
        </>
      }
    >
      {comparison.kind === 'loading' && <ComparisonProgress />}
      {comparison.kind === 'failed' && comparison.error.code === 'bad-input' && (
        <EmptyState title="Nothing to compare yet">
          {comparison.error.message} {comparison.error.hint}
        </EmptyState>
      )}
      {comparison.kind === 'failed' && comparison.error.code === 'cancelled' && (
        <EmptyState
          title="The comparison was cancelled"
          action={<Button onClick={() => comparisons.reload(runs)}>Compare again</Button>}
        >
          Fewer runs take less time. Runs already read are cached.
        </EmptyState>
      )}
      {comparison.kind === 'failed' && !['bad-input', 'cancelled'].includes(comparison.error.code) && (
        <FailedState
          title="Could not compare the runs"
          message={comparison.error.message}
          hint={comparison.error.hint}
          action={{ label: 'Try again', run: () => comparisons.reload(runs) }}
        />
      )}
      {comparison.kind === 'ready' && (
        <CompareView view={route.view ?? 'table'} compared={compared} comparison={comparison.value} />
      )}
    </Screen>
  );
}
