import { Button } from '@mantine/core';
import { useHotkeys, useMediaQuery } from '@mantine/hooks';
import { IconListCheck } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { StudyView } from '../../preload/contract/study';
import { type CompareRoute, readyValue, useComparison, useStudies, useTask, useWorkbench } from '../state/index';
import { EmptyState, FailedState, LoadingState, Screen, TaskLine } from '../widgets/index';
import styles from './compare.module.css';
import { CompareHead, CompareTabs } from './compare-head';
import { CompareView } from './compare-view';
import { type ComparedSelection, placeOfRuns, selectionOf } from './compared-runs';
import { RunChooser } from './run-chooser';
import { taskLabel, taskShare } from '../text/tasks';
import { useReportMenu, ReportMenu } from '../shared/reports/index';

/** Any runs side by side. Without a choice: those of the newest study that has something to compare. */
export function CompareScreen(props: { readonly place: CompareRoute }) {
  const studies = useStudies();
  const { studies: store } = useWorkbench();
  const views = readyValue(studies);
  const { place } = props;
  // A study that runs tells of itself four times a second: what is compared stays the same all the while.
  const shape = views?.map(({ study }) => study.id).join() ?? '';
  const compared = useMemo(
    () => (views === null ? null : selectionOf(place, views)),
    [place, shape, views === null],
  );
  if (views === null) {
    return studies.kind === 'failed' ? (
      <Screen title="Compare">
        <FailedState
          title="The studies could not be read"
          message={studies.error.message}
          hint={studies.error.hint}
          action={{ label: 'Read again', run: () => void store.load() }}
        />
      </Screen>
    ) : (
      <LoadingState what="Reading the studies" />
    );
  }
  return <ChosenRuns place={place} views={views} compared={compared} />;
}

function ChosenRuns(props: {
  readonly place: CompareRoute;
  readonly views: readonly StudyView[];
  readonly compared: ComparedSelection | null;
}) {
  const { place, views, compared } = props;
  const { location } = useWorkbench();
  const [choosing, setChoosing] = useState(false);
  useHotkeys([['c', () => setChoosing(true)]]);
  const chooser = choosing && (
    <RunChooser
      views={views}
      chosen={compared?.runs ?? []}
      onClose={() => setChoosing(false)}
      onChoose={(runs) => {
        setChoosing(false);
        location.go(placeOfRuns(runs, views, place.view));
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
            isFirst
              ? 'Nothing to compare yet'
              : place.studyId === null
                ? 'None of these runs is here (any more)'
                : 'There is no such study'
          }
          action={isFirst ? <a href="#/">Go to Home</a> : <a href="#/compare">Compare the newest study</a>}
        >
          {isFirst
            ? 'A study with at least two configurations fills this screen with its table, curves and differences.'
            : 'It may have been removed. Choose others, or open the newest.'}
        </EmptyState>
        {chooser}
      </Screen>
    );
  }
  return (
    <>
      <Comparison place={place} compared={compared} choose={choose} />
      {chooser}
    </>
  );
}

/** The first comparison of hundreds of runs takes a while: how far it is, and the way out. */
function ComparisonProgress() {
  const { tasks } = useWorkbench();
  const task = useTask('comparison');
  if (task === null) return <LoadingState what="Working out values and intervals" />;
  return (
    <TaskLine
      label={taskLabel(task)}
      share={taskShare(task)}
      onCancel={() => void tasks.cancel('comparison')}
    />
  );
}

function Comparison(props: {
  readonly place: CompareRoute;
  readonly compared: ComparedSelection;
  readonly choose: ReactNode;
}) {
  const { place, compared, choose } = props;
  const { runs } = compared;
  const { comparisons } = useWorkbench();
  const comparison = useComparison(runs);
  // Beside the title the parts would be cut off there.
  const narrow = useMediaQuery('(max-width: 1040px)', false, { getInitialValueInEffect: false });
  const report = useReportMenu(
    place.studyId === null ? { kind: 'runs', runs } : { kind: 'study', studyId: place.studyId },
  );
  return (
    <Screen
      title="Compare"
      {...(narrow ? {} : { aside: <CompareTabs place={place} /> })}
      actions={
        <>
          {choose}
          <ReportMenu {...report} />
        </>
      }
      below={
        <>
          <CompareHead compared={compared} />
          {narrow && (
            <div className={styles.tabs}>
              <CompareTabs place={place} />
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
          Fewer runs are compared sooner. What was read of these stays beside their journals.
        </EmptyState>
      )}
      {comparison.kind === 'failed' && !['bad-input', 'cancelled'].includes(comparison.error.code) && (
        <FailedState
          title="The comparison could not be made"
          message={comparison.error.message}
          hint={comparison.error.hint}
          action={{ label: 'Try again', run: () => comparisons.reload(runs) }}
        />
      )}
      {comparison.kind === 'ready' && (
        <CompareView view={place.view ?? 'table'} compared={compared} comparison={comparison.value} />
      )}
    </Screen>
  );
}
