import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { PRESETS } from '../../preload/contract/plans/index';
import {
  type Route,
  readyValue,
  runRoute,
  useRoute,
  useSettings,
  useStudies,
  useWorkbench,
  type WorkbenchState,
} from '../state/index';
import { runLabel } from '../text/metrics';
import { actionsOf, isActive, studyStatus } from '../text/studies';
import { exhibitActions, useExhibitEntries } from './palette-exhibits';
import { useExportEntries } from './palette-exports';
import { filterActions } from './palette-filter';
import { foundActions, settingActions } from './palette-found';
import { jobActions, useJobEntries } from './palette-jobs';
import { libraryActions, useLibraryEntries } from './palette-library';
import { machineActions, useMachineEntries } from './palette-machines';
import { trainingActions, useTrainingEntries } from './palette-trainings';
import { BOTTOM_SCREENS, SCREENS } from './screens';

/** Everything that can be gone to or done, under Ctrl+K (Cmd+K). */
export function Palette(props: { readonly onShowKeys: () => void; readonly onShowTour: () => void }) {
  const state = useWorkbench();
  const route = useRoute();
  const studies = readyValue(useStudies());
  const machines = useMachineEntries();
  const jobs = useJobEntries();
  const library = useLibraryEntries();
  const trainings = useTrainingEntries();
  const exhibits = useExhibitEntries();
  const [isOpen, setOpen] = useState(false);
  const theme = useSettings()?.theme ?? 'system';
  const openStudyId = 'studyId' in route ? route.studyId : null;
  const openTrainingId = 'trainingId' in route ? route.trainingId : null;
  const openExhibitId = 'exhibitId' in route ? route.exhibitId : null;
  const open = studies?.find(({ study }) => study.id === openStudyId) ?? null;
  const openState = open?.state.kind ?? null;
  // Of a running study they would be computed anew each time.
  const exports = useExportEntries(route, isOpen && !(open !== null && isActive(open.state)));
  const names = studies?.map(({ study, state: now }) => `${study.id} ${now.kind}`).join() ?? '';

  // Progress changes `studies` four times a second; only names and states are shown, so only they count here.
  const actions = useMemo<SpotlightActionData[]>(() => {
    const go = (to: Route) => () => state.location.go(to);
    const screen = (label: string, to: Route, keys: string): SpotlightActionData => ({
      id: `go-${label}`,
      group: 'Screens',
      label,
      rightSection: keys === '' ? null : <kbd>{keys}</kbd>,
      onClick: go(to),
    });
    return [
      ...[...SCREENS, ...BOTTOM_SCREENS].map(({ label, route: to, keys = '' }) =>
        screen(label, to.kind === 'compare' ? { ...to, studyId: openStudyId } : to, keys),
      ),
      screen('Experiments', { kind: 'experiments' }, ''),
      screen('Launches', { kind: 'launches', launchId: null }, ''),
      ...(open === null ? [] : studyActions(state, open)),
      ...exhibitActions(state, exhibits, openExhibitId),
      {
        id: 'do-new-study',
        group: 'Actions',
        label: 'New study',
        rightSection: <kbd>Ctrl N</kbd>,
        onClick: go({ kind: 'new-study', benchmarkId: null }),
      },
      {
        id: 'do-start-job',
        group: 'Actions',
        label: 'Start a job',
        keywords: ['new job', 'command'],
        onClick: go({ kind: 'new-job', machineId: null }),
      },
      {
        id: 'do-new-launch',
        group: 'Actions',
        label: 'Launch a model server',
        keywords: ['new server', 'new launch'],
        onClick: go({ kind: 'new-launch', machineId: null }),
      },
      {
        id: 'do-quickstart',
        group: 'Actions',
        label: 'Run the quickstart study',
        onClick: () => void state.studyCommands.startQuickstart(),
      },
      ...PRESETS.map(({ id, name, line }) => ({
        id: `do-new-study-${id}`,
        group: 'Actions',
        label: `New study: ${name}`,
        description: line,
        onClick: go({ kind: 'new-study', benchmarkId: null, preset: id }),
      })),
      {
        id: 'do-import-benchmark',
        group: 'Actions',
        label: 'Import a benchmark from a file',
        onClick: () => void state.libraryCommands.importBenchmark(),
      },
      {
        id: 'do-import-benchmark-folder',
        group: 'Actions',
        label: 'Import a benchmark from a folder',
        onClick: () => void state.libraryCommands.importBenchmark({ folder: true }),
      },
      ...(['system', 'light', 'dark'] as const)
        .filter((option) => option !== theme)
        .map((option) => ({
          id: `do-theme-${option}`,
          group: 'Actions',
          label: option === 'system' ? 'Theme: follow the system' : `Theme: ${option}`,
          onClick: () => void state.settings.change({ theme: option }),
        })),
      {
        id: 'do-keys',
        group: 'Actions',
        label: 'Show keyboard shortcuts',
        rightSection: <kbd>?</kbd>,
        onClick: props.onShowKeys,
      },
      {
        id: 'do-report-problem',
        group: 'Actions',
        label: 'Report a problem…',
        keywords: ['bug', 'error', 'log', 'help', 'diagnostics', 'support'],
        onClick: state.diagnostics.open,
      },
      { id: 'do-tour', group: 'Actions', label: 'Show the tour', onClick: props.onShowTour },
      ...settingActions(state),
      ...machineActions(state, machines),
      ...jobActions(state, jobs),
      ...libraryActions(state, library),
      ...trainingActions(state, trainings, openTrainingId),
      ...(studies ?? []).map(({ study, state: now }) => ({
        id: `study-${study.id}`,
        group: 'Studies',
        label: study.name,
        description: studyStatus(now).text,
        keywords: [study.id],
        onClick: go({ kind: 'study', studyId: study.id }),
      })),
      ...(open === null
        ? []
        : open.study.runs.flatMap((run) => {
            const label = runLabel(open.study, run);
            return [
              {
                id: `run-${run.id}`,
                group: 'Runs',
                label: `Run: ${label}`,
                description: open.study.name,
                onClick: go(runRoute(open.study.id, run.id)),
              },
              ...run.problemIds.map((problemId) => ({
                id: `problem-${run.id}-${problemId}`,
                group: 'Problems',
                label: `${problemId} · ${label}`,
                onClick: go(runRoute(open.study.id, run.id, problemId)),
              })),
            ];
          })),
    ];
  }, [
    names,
    machines,
    jobs,
    library,
    trainings,
    exhibits,
    openExhibitId,
    openTrainingId,
    openStudyId,
    openState,
    theme,
    state,
  ]);

  return (
    <Spotlight
      actions={[...actions, ...exports]}
      filter={(query, data) =>
        filterActions(query, [...data, ...foundActions(query, state, route, studies ?? [])])
      }
      onSpotlightOpen={() => setOpen(true)}
      onSpotlightClose={() => setOpen(false)}
      shortcut={['mod + K']}
      limit={30}
      highlightQuery
      nothingFound="No results"
      maxHeight={440}
      yOffset="12vh"
      overlayProps={{ backgroundOpacity: 0.3, blur: 0 }}
      scrollable
      transitionProps={{ duration: 0 }}
      attributes={{ content: { 'aria-label': 'Palette' } }}
      searchProps={{
        leftSection: <IconSearch size={16} stroke={1.6} />,
        placeholder:
          'Search screens, studies, problems, nodes, benchmarks, trainings, machines, jobs, exports, settings',
        'aria-label': 'Search the palette',
      }}
    />
  );
}

const DOES = { start: 'Start', resume: 'Resume', pause: 'Pause' } as const;

/** Cancelling and removing ask first, so they stay on the study's own screen. */
function studyActions(
  state: WorkbenchState,
  view: {
    readonly study: { readonly id: string; readonly name: string };
    readonly state: Parameters<typeof actionsOf>[0];
  },
): SpotlightActionData[] {
  const { studyCommands } = state;
  const { id, name } = view.study;
  const toggles = actionsOf(view.state).flatMap((action) =>
    action === 'start' || action === 'resume' || action === 'pause' ? [action] : [],
  );
  return [
    ...toggles.map((action) => ({
      id: `do-${action}`,
      group: 'Actions',
      label: `${DOES[action]} ${name}`,
      rightSection: <kbd>P</kbd>,
      onClick: () => void (action === 'pause' ? studyCommands.pause(id) : studyCommands.start(id)),
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
