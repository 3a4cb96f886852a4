import type { SpotlightActionData } from '@mantine/spotlight';
import type { Study, StudyView } from '../../preload/contract/study';
import { problemKey, runRoute, type WorkbenchState } from '../state/index';
import { runLabel } from '../text/metrics';
import { actionsOf, studyStatus } from '../text/studies';
import type { ProblemTitles } from './palette-library';

export function studyEntry(state: WorkbenchState, view: StudyView): SpotlightActionData {
  const { study, note = '', tags = [] } = view;
  return {
    id: `study-${study.id}`,
    group: 'Studies',
    label: study.name,
    description: studyStatus(view).text,
    keywords: [study.id, note, ...tags],
    onClick: () => state.location.go({ kind: 'study', studyId: study.id }),
  };
}

/** The runs of the open study, and their problems. */
export function runActions(
  state: WorkbenchState,
  study: Study,
  titles: ProblemTitles,
): SpotlightActionData[] {
  return study.runs.flatMap((run) => {
    const label = runLabel(study, run);
    return [
      {
        id: `run-${run.id}`,
        group: 'Runs',
        label: `Run: ${label}`,
        description: study.name,
        onClick: () => state.location.go(runRoute(study.id, run.id)),
      },
      ...run.problemIds.map((problemId) => ({
        id: `problem-${run.id}-${problemId}`,
        group: 'Problems',
        label: `${problemId} · ${label}`,
        description: titles.get(problemKey(run.benchmarkId, problemId)) ?? '',
        onClick: () => state.location.go(runRoute(study.id, run.id, problemId)),
      })),
    ];
  });
}

const DOES = { start: 'Start', resume: 'Resume', dequeue: 'Stop waiting:', pause: 'Pause' } as const;

/** Cancelling and removing ask first, so they stay on the study's own screen. */
export function studyActions(
  state: WorkbenchState,
  view: Pick<StudyView, 'study' | 'state'>,
): SpotlightActionData[] {
  const { studyCommands } = state;
  const { id, name } = view.study;
  const toggles = actionsOf(view.state).flatMap((action) =>
    action === 'cancel' || action === 'remove' ? [] : [action],
  );
  return [
    ...toggles.map((action) => ({
      id: `do-${action}`,
      group: 'Actions',
      label: `${DOES[action]} ${name}`,
      rightSection: <kbd>P</kbd>,
      onClick: () =>
        void (action === 'pause' || action === 'dequeue' ? studyCommands.pause(id) : studyCommands.start(id)),
    })),
    ...(actionsOf(view.state).includes('remove') ? (['verify', 'regrade'] as const) : []).map((check) => ({
      id: `do-${check}`,
      group: 'Actions',
      label: check === 'verify' ? `Verify the journals of ${name}` : `Grade ${name} again`,
      onClick: () => state.location.go({ kind: 'study', studyId: id, check }),
    })),
    ...(['nodes', 'marti'] as const).map((kind) => ({
      id: `do-export-${kind}`,
      group: 'Exports',
      label:
        kind === 'nodes' ? `Export: every node of ${name} as CSV` : `Export: MARTI's score files of ${name}`,
      onClick: () => void studyCommands.exportCsv(id, kind),
    })),
  ];
}
