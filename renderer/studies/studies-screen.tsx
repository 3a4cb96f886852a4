import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { StudyView } from '../../preload/contract/study';
import { configurationsOf, isActive, shareDone, stateWords, useStudies, useWorkbench } from '../state/index';
import {
  type Column,
  count,
  DataTable,
  duration,
  EmptyState,
  FailedState,
  LoadingState,
  ProgressLine,
  percent,
  ScaleTag,
  Screen,
  StateMark,
  TimeAgo,
} from '../widgets/index';

const COLUMNS: readonly Column<StudyView>[] = [
  {
    id: 'name',
    label: 'Study',
    track: 'minmax(180px, 2fr)',
    cell: ({ study }) => <b style={{ fontWeight: 500, fontSize: 13 }}>{study.name}</b>,
    order: ({ study }) => study.name,
  },
  {
    id: 'state',
    label: 'State',
    track: 'minmax(120px, 1fr)',
    cell: ({ state }) => <StateMark {...stateWords(state)} />,
    order: ({ state }) => state.kind,
  },
  {
    id: 'progress',
    label: 'Progress',
    track: '150px',
    cell: (view) => (
      <span style={{ display: 'flex', alignItems: 'center', gap: 8 }}>
        <ProgressLine
          label={`Progress of ${view.study.name}`}
          share={shareDone(view)}
          still={!isActive(view.state)}
          width={90}
        />
        {percent(shareDone(view), 0)} %
      </span>
    ),
    order: shareDone,
  },
  {
    id: 'configurations',
    label: 'Configurations',
    track: '104px',
    right: true,
    cell: ({ study }) => configurationsOf(study).length,
    order: ({ study }) => configurationsOf(study).length,
  },
  {
    id: 'problems',
    label: 'Problems',
    track: '70px',
    right: true,
    cell: ({ study }) => count(study.runs[0]?.problemIds.length ?? 0),
    order: ({ study }) => study.runs[0]?.problemIds.length ?? 0,
  },
  {
    id: 'programs',
    label: 'Programs',
    track: '76px',
    right: true,
    cell: ({ progress }) => count(progress.nodesDone),
    order: ({ progress }) => progress.nodesDone,
  },
  { id: 'scale', label: 'Scale', track: '70px', cell: ({ study }) => <ScaleTag scale={study.scale} /> },
  {
    id: 'time',
    label: 'Time',
    track: '90px',
    right: true,
    cell: ({ progress }) => duration(progress.elapsedMs),
    order: ({ progress }) => progress.elapsedMs,
  },
  {
    id: 'made',
    label: 'Made',
    track: '90px',
    cell: ({ study }) => <TimeAgo at={study.createdAt} />,
    order: ({ study }) => study.createdAt,
  },
];

export function StudiesScreen() {
  const studies = useStudies();
  const { location, studies: store } = useWorkbench();
  const body = useMemo(() => {
    switch (studies.kind) {
      case 'loading':
        return <LoadingState what="Reading the studies" />;
      case 'failed':
        return (
          <FailedState
            title="The studies could not be read"
            message={studies.error.message}
            hint={studies.error.hint}
            action={{ label: 'Read again', run: () => void store.load() }}
          />
        );
      case 'ready':
        return studies.value.length === 0 ? (
          <EmptyState title="No studies yet" action={<a href="#/">Go to Home</a>}>
            A study compares configurations of agents on the same problems. The quickstart study on the home
            screen is a first one; a new study is composed from what the library has.
          </EmptyState>
        ) : null;
    }
  }, [studies, store]);
  return (
    <Screen
      title="Studies"
      actions={
        <Button
          title="New study (Ctrl+N)"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          onClick={() => location.go({ kind: 'new-study', benchmarkId: null })}
        >
          New study
        </Button>
      }
      fill={studies.kind === 'ready' && studies.value.length > 0}
    >
      {body}
      {studies.kind === 'ready' && studies.value.length > 0 && (
        <div style={{ flex: 1, minHeight: 0, padding: '0 12px' }}>
          <DataTable
            label="Studies"
            columns={COLUMNS}
            rows={studies.value}
            rowHeight={32}
            rowKey={({ study }) => study.id}
            rowLabel={({ study, state }) => `${study.name}: ${stateWords(state).words}`}
            onChoose={({ study }) => location.go({ kind: 'study', studyId: study.id })}
          />
        </div>
      )}
    </Screen>
  );
}
