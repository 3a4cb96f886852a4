import type { ExperimentView } from '../../preload/contract/experiment';
import { jobHasEnded } from '../../preload/contract/folds/job-end';
import type { JobView } from '../../preload/contract/job';
import type { ServerLaunch } from '../../preload/contract/launch';
import type { MachineView } from '../../preload/contract/machine';
import type { ServerView } from '../../preload/contract/server';
import type { StudyView } from '../../preload/contract/study';
import type { TrainingView } from '../../preload/contract/training';
import { serverIsUp } from '../text/servers';
import { actionsOf } from '../text/studies';
import { isOnlyWatched, trainingIsActive, trainingIsDone } from '../text/trainings';
import type { ExhibitScale } from './exhibit-routes';
import type { WorkbenchState } from './workbench-state';

/**
 * What the context menus of the lists offer: the actions of the rows' own screens that need no question first, and those whose
 * question that screen asks as it opens.
 */
type RowAction = { readonly label: string; readonly run: () => void };

/** The actions that are not false. */
function offered(...actions: readonly (RowAction | false)[]): readonly RowAction[] {
  return actions.flatMap((action) => (action === false ? [] : [action]));
}

export function studyRowActions(
  { location, studyCommands }: WorkbenchState,
  { study, state, fromBundle }: StudyView,
  /** Asks for another name in the list itself, where the keyboard then continues. */
  rename: () => void,
): readonly RowAction[] {
  const can = actionsOf(state);
  const own = fromBundle === undefined;
  const { id } = study;
  return offered(
    { label: 'Open', run: () => location.go({ kind: 'study', studyId: id }) },
    { label: 'Compare its runs', run: () => location.go({ kind: 'compare', studyId: id }) },
    {
      label: 'New study like this',
      run: () => location.go({ kind: 'new-study', benchmarkId: null, from: id }),
    },
    own &&
      state.kind === 'finished' && {
        label: 'Extend…',
        run: () => location.go({ kind: 'study', studyId: id, check: 'extend' }),
      },
    own && { label: 'Rename…', run: rename },
    own && {
      label: 'Note and tags…',
      run: () => location.go({ kind: 'study', studyId: id, check: 'note' }),
    },
    state.kind !== 'missing' && {
      label: 'Export…',
      run: () => location.go({ kind: 'study', studyId: id, check: 'export' }),
    },
    own && can.includes('start') && { label: 'Start', run: () => void studyCommands.start(id) },
    own && can.includes('resume') && { label: 'Resume', run: () => void studyCommands.start(id) },
    own && can.includes('dequeue') && { label: 'Stop waiting', run: () => void studyCommands.pause(id) },
    own && can.includes('pause') && { label: 'Pause', run: () => void studyCommands.pause(id) },
    can.includes('remove') && {
      label: 'Verify the journals',
      run: () => location.go({ kind: 'study', studyId: id, check: 'verify' }),
    },
    can.includes('remove') && {
      label: 'Re-grade…',
      run: () => location.go({ kind: 'study', studyId: id, check: 'regrade' }),
    },
    can.includes('remove') && { label: 'Remove study', run: () => void studyCommands.remove(study) },
  );
}

export function jobRowActions(
  { location, jobs }: WorkbenchState,
  { id, state }: JobView,
): readonly RowAction[] {
  return offered(
    { label: 'Open', run: () => location.go({ kind: 'jobs', jobId: id }) },
    jobHasEnded(state) && { label: 'Run again', run: () => void jobs.retry(id) },
    {
      label: 'Duplicate and edit',
      run: () => location.go({ kind: 'new-job', machineId: null, from: id }),
    },
  );
}

export function trainingRowActions(
  { location, trainings }: WorkbenchState,
  training: TrainingView,
): readonly RowAction[] {
  const { id, jobId } = training;
  const own = !isOnlyWatched(training);
  const resumes = own && !trainingIsActive(training) && !trainingIsDone(training);
  return offered(
    { label: 'Open', run: () => location.go({ kind: 'training', trainingId: id, tab: 'curves' }) },
    resumes && { label: 'Resume', run: () => void trainings.resume(id) },
    own && {
      label: 'Copy to a new training',
      run: () => location.go({ kind: 'new-training', machineId: null, from: id }),
    },
    jobId !== null && { label: 'Show job', run: () => location.go({ kind: 'jobs', jobId }) },
    { label: 'Export curves as CSV…', run: () => void trainings.exportCurves(id, 'csv') },
    {
      label: 'Export curves as TensorBoard files…',
      run: () => void trainings.exportCurves(id, 'tensorboard'),
    },
    {
      label: 'Export curves as a Weights & Biases offline run…',
      run: () => void trainings.exportCurves(id, 'wandb'),
    },
  );
}

export function serverRowActions(
  { location, serverCommands }: WorkbenchState,
  { id, jobId, launchId, studyId, state }: ServerView,
): readonly RowAction[] {
  return offered(
    launchId !== null && {
      label: serverIsUp(state) ? 'Restart' : 'Run again',
      run: () => void serverCommands.restart(id),
    },
    launchId !== null && { label: 'Show launch', run: () => location.go({ kind: 'launches', launchId }) },
    studyId !== null && { label: 'Show study', run: () => location.go({ kind: 'study', studyId }) },
    jobId !== null && { label: 'Show job', run: () => location.go({ kind: 'jobs', jobId }) },
  );
}

export function launchRowActions(
  { location, launches }: WorkbenchState,
  { id }: ServerLaunch,
): readonly RowAction[] {
  return offered(
    { label: 'Launch', run: () => void launches.launch(id) },
    { label: 'Edit', run: () => location.go({ kind: 'launches', launchId: id }) },
    {
      label: 'Duplicate',
      run: () => location.go({ kind: 'new-launch', machineId: null, from: id }),
    },
  );
}

export function experimentRowActions(
  { location, experiments }: WorkbenchState,
  { id, state, order, done }: ExperimentView,
): readonly RowAction[] {
  const resumes = state.kind === 'paused' || state.kind === 'failed';
  return offered(
    { label: 'Open', run: () => location.go({ kind: 'experiment', experimentId: id }) },
    state.kind === 'running' && { label: 'Pause', run: () => void experiments.pause(id) },
    resumes && { label: 'Resume', run: () => void experiments.resume(id) },
    done > 0 && {
      label: 'Export…',
      run: () => location.go({ kind: 'experiment', experimentId: id, dialog: 'export' }),
    },
    // The form is of pocket policies; a sweep of language models is in the form of a training.
    order.models === undefined && {
      label: 'Copy to a new experiment',
      run: () => location.go({ kind: 'new-experiment', preset: id }),
    },
  );
}

/** `reproductionId`: the newest one of the exhibit at this scale; null: there is none, so nothing to export. */
export function exhibitRowActions(
  { location }: WorkbenchState,
  exhibitId: string,
  scale: ExhibitScale,
  reproductionId: string | null,
): readonly RowAction[] {
  const at = { kind: 'exhibit', exhibitId, scale } as const;
  return offered(
    { label: 'Open', run: () => location.go(at) },
    reproductionId === null
      ? { label: 'Show the plan', run: () => location.go({ ...at, panel: 'plan' }) }
      : { label: 'Show the steps', run: () => location.go({ ...at, panel: 'steps' }) },
    reproductionId !== null && {
      label: 'Export…',
      run: () => location.go({ ...at, reproductionId, dialog: 'export' }),
    },
  );
}

export function machineRowActions(
  { location, machineActions, terminals }: WorkbenchState,
  { spec: { id, kind }, connection }: MachineView,
): readonly RowAction[] {
  return offered(
    { label: 'Open', run: () => location.go({ kind: 'machine', machineId: id }) },
    connection.kind === 'connected' && { label: 'Open terminal', run: () => void terminals.open(id) },
    { label: 'Launch a server', run: () => location.go({ kind: 'new-launch', machineId: id }) },
    { label: 'Start a job', run: () => location.go({ kind: 'new-job', machineId: id }) },
    (connection.kind === 'off' || connection.kind === 'unreachable') && {
      label: 'Connect',
      run: () => void machineActions.connect(id),
    },
    kind !== 'local' &&
      connection.kind !== 'off' && { label: 'Disconnect', run: () => void machineActions.disconnect(id) },
    kind !== 'local' && {
      label: 'Edit',
      run: () => location.go({ kind: 'edit-machine', machineId: id }),
    },
  );
}
