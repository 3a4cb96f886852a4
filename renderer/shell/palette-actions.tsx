import type { SpotlightActionData } from '@mantine/spotlight';
import { PRESETS } from '../../preload/contract/plans/index';
import type { Settings } from '../../preload/contract/settings';
import type { Route, WorkbenchState } from '../state/index';
import { BOTTOM_SCREENS, SCREENS } from './screens';

/** `studyId`: of the open study, which the comparison then begins with. */
export function screenActions(state: WorkbenchState, studyId: string | null): SpotlightActionData[] {
  const screen = (label: string, to: Route, keys: string): SpotlightActionData => ({
    id: `go-${label}`,
    group: 'Screens',
    label,
    rightSection: keys === '' ? null : <kbd>{keys}</kbd>,
    onClick: () => state.location.go(to),
  });
  return [
    ...[...SCREENS, ...BOTTOM_SCREENS].map(({ label, route: to, keys = '' }) =>
      screen(label, to.kind === 'compare' ? { ...to, studyId } : to, keys),
    ),
    screen('Experiments', { kind: 'experiments' }, ''),
    screen('Launches', { kind: 'launches', launchId: null }, ''),
  ];
}

/** What can be done from everywhere. */
export function generalActions(
  state: WorkbenchState,
  shown: {
    readonly theme: Settings['theme'];
    readonly onShowKeys: () => void;
    readonly onShowTour: () => void;
  },
): SpotlightActionData[] {
  const group = 'Actions';
  const go = (to: Route) => () => state.location.go(to);
  const { libraryCommands } = state;
  return [
    {
      id: 'do-new-study',
      group,
      label: 'New study',
      rightSection: <kbd>Ctrl N</kbd>,
      onClick: go({ kind: 'new-study', benchmarkId: null }),
    },
    {
      id: 'do-start-job',
      group,
      label: 'Start a job',
      keywords: ['new job', 'command'],
      onClick: go({ kind: 'new-job', machineId: null }),
    },
    {
      id: 'do-new-launch',
      group,
      label: 'Launch a model server',
      keywords: ['new server', 'new launch'],
      onClick: go({ kind: 'new-launch', machineId: null }),
    },
    {
      id: 'do-quickstart',
      group,
      label: 'Run the quickstart study',
      onClick: () => void state.studyCommands.startQuickstart(),
    },
    ...PRESETS.map(({ id, name, line }) => ({
      id: `do-new-study-${id}`,
      group,
      label: `New study: ${name}`,
      description: line,
      onClick: go({ kind: 'new-study', benchmarkId: null, preset: id }),
    })),
    {
      id: 'do-import-benchmark',
      group,
      label: 'Import a benchmark from a file',
      onClick: () => void libraryCommands.importBenchmark(),
    },
    {
      id: 'do-import-benchmark-folder',
      group,
      label: 'Import a benchmark from a folder',
      onClick: () => void libraryCommands.importBenchmark({ folder: true }),
    },
    ...(['system', 'light', 'dark'] as const)
      .filter((option) => option !== shown.theme)
      .map((option) => ({
        id: `do-theme-${option}`,
        group,
        label: option === 'system' ? 'Theme: follow the system' : `Theme: ${option}`,
        onClick: () => void state.settings.change({ theme: option }),
      })),
    {
      id: 'do-keys',
      group,
      label: 'Show keyboard shortcuts',
      rightSection: <kbd>?</kbd>,
      onClick: shown.onShowKeys,
    },
    {
      id: 'do-report-problem',
      group,
      label: 'Report a problem…',
      keywords: ['bug', 'error', 'log', 'help', 'diagnostics', 'support'],
      onClick: state.diagnostics.open,
    },
    { id: 'do-tour', group, label: 'Show the tour', onClick: shown.onShowTour },
  ];
}
