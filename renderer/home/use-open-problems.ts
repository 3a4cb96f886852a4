import type { JobView } from '../../preload/contract/job';
import type { MachineView } from '../../preload/contract/machine';
import type { ReproductionView } from '../../preload/contract/reproduction';
import type { Scale } from '../../preload/contract/scale';
import type { ServerView } from '../../preload/contract/server';
import type { StudyView } from '../../preload/contract/study';
import type { TrainingView } from '../../preload/contract/training';
import {
  pathOf,
  readyValue,
  scalesOf,
  stepIdsOf,
  useExperiments,
  useJobs,
  useMachines,
  useReproductions,
  useServers,
  useStudies,
  useTrainings,
  useWorkbench,
  type WorkbenchState,
  waitingStudies,
  wasStopped,
} from '../state/index';
import { reproductionStatus } from '../text/exhibits';
import { exitText, explainJob, jobStatus } from '../text/jobs';
import { connectionStatus, explainConnection, loginLabel, unreachableText } from '../text/machines';
import { runLabel } from '../text/metrics';
import { asSentence, type StatusLabel } from '../text/status';
import { actionsOf, repairDialogText, stoppedText, studyStatus } from '../text/studies';
import {
  experimentStatus,
  explainTraining,
  isOnlyWatched,
  stopKeepsText,
  trainingIsActive,
  trainingIsDone,
  trainingStatus,
  trainingWasStopped,
} from '../text/trainings';
import { isRecentJob } from './use-ended';

/** A failed training is left alone by then, or it is not wanted. */
const FAILED_DAYS = 7;

/** Something that stands still until a person does something, and the button that does it. */
export type OpenProblem = {
  readonly key: string;
  readonly path: string;
  readonly name: string;
  readonly scale?: Scale | readonly Scale[];
  readonly status: StatusLabel;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly press?: {
    readonly label: string;
    readonly run: () => Promise<void> | void;
    /** What it costs; asked before. */
    readonly confirm?: string;
  };
};

/** What failed, does not answer or raised an alarm: studies first, then what they stand on. */
export function useOpenProblems(): readonly OpenProblem[] {
  const state = useWorkbench();
  const reproductions = readyValue(useReproductions()) ?? [];
  const trainings = readyValue(useTrainings()) ?? [];
  const jobs = readyValue(useJobs()) ?? [];
  const parts = stepIdsOf(reproductions);
  const machines = readyValue(useMachines()) ?? [];
  const machineName = (id: string): string =>
    machines.find(({ spec }) => spec.id === id)?.spec.name ?? 'its machine';
  return [
    ...waitingStudies(readyValue(useStudies()) ?? [], reproductions).map((view) => ofStudy(view, state)),
    ...reproductions
      .filter(({ state: { kind }, readOnly }) => kind === 'failed' && !readOnly)
      .map((view) => ofReproduction(view, state)),
    ...(readyValue(useExperiments()) ?? []).flatMap((experiment): OpenProblem[] => {
      if (experiment.state.kind !== 'failed') return [];
      return [
        {
          key: experiment.id,
          path: pathOf({ kind: 'experiment', experimentId: experiment.id }),
          name: experiment.order.name,
          scale: 'pocket',
          status: experimentStatus(experiment),
          message: experiment.state.message,
          press: {
            label: 'Retry failed trainings',
            run: () => state.experiments.resume(experiment.id),
          },
        },
      ];
    }),
    ...trainings
      .filter((training) => trainingIsActive(training) && training.alarms.length > 0)
      .map((training) => ofAlarm(training, state)),
    ...trainings
      .filter((training) => hasFailed(training) && !parts.trainings.has(training.id))
      .map((training) => ofFailedTraining(training, machineName(training.machineId), state)),
    ...(readyValue(useServers()) ?? []).flatMap((server) => ofServer(server, state)),
    ...machines.flatMap((machine) => ofMachine(machine, state)),
    ...jobs
      .filter((job) => isRecentJob(job) && !wasStopped(job) && jobStatus(job).tone === 'bad')
      .map((job) => ofFailedJob(job, machineName(job.machineId), state)),
  ];
}

function ofStudy(view: StudyView, { location, studyCommands }: WorkbenchState): OpenProblem {
  const { study, state, damage = [] } = view;
  const [damaged] = damage;
  const run = study.runs.find(({ id }) => id === damaged?.runId);
  const label = run === undefined ? study.name : runLabel(study, run);
  const { message = '', hint } =
    damaged === undefined
      ? (stoppedText(view) ?? {})
      : { ...damaged, message: `${label}: ${damaged.message}${andMore(damage.length)}` };
  return {
    key: study.id,
    path: pathOf({ kind: 'study', studyId: study.id }),
    name: study.name,
    scale: scalesOf(study),
    status: studyStatus(view),
    message,
    hint,
    ...(damaged?.repairable && {
      press: {
        label: 'Repair',
        run: () => studyCommands.repair(damaged.runId, label),
        confirm: repairDialogText(label).about,
      },
    }),
    ...(!damaged?.repairable &&
      !damaged?.isNewer &&
      actionsOf(state).includes('resume') && {
        // Resumed as it is, it would fail again for want of the file.
        press:
          state.kind === 'failed' && state.cause === 'file'
            ? { label: 'Import…', run: () => location.go({ kind: 'library' }) }
            : { label: 'Resume', run: () => studyCommands.start(study.id) },
      }),
  };
}

/** Behind the first of so many messages. */
function andMore(count: number): string {
  return count > 1 ? ` And ${count - 1} more.` : '';
}

function ofReproduction(view: ReproductionView, { reproductions }: WorkbenchState): OpenProblem {
  const failed = view.steps.flatMap(({ title, state }) =>
    state.kind === 'failed' ? [{ message: `${title}: ${state.message}`, hint: state.hint ?? undefined }] : [],
  );
  const message = view.state.kind === 'failed' ? view.state.message : '';
  const [first = { message: message, hint: undefined }] = failed;
  return {
    key: view.id,
    path: pathOf({ kind: 'reproduction', reproductionId: view.id }),
    name: view.title,
    scale: view.scale,
    status: reproductionStatus(view),
    message: `${first.message}${andMore(failed.length)}`,
    hint: first.hint,
    press: { label: 'Retry failed steps', run: () => reproductions.resume(view.id) },
  };
}

function ofTraining(training: TrainingView): Pick<OpenProblem, 'key' | 'path' | 'name' | 'scale' | 'status'> {
  return {
    key: training.id,
    path: pathOf({ kind: 'training', trainingId: training.id, tab: 'curves' }),
    name: training.name,
    scale: training.scale,
    status: trainingStatus({ ...training, stage: null }),
  };
}

function ofAlarm(training: TrainingView, { trainings }: WorkbenchState): OpenProblem {
  const messages = [...new Set(training.alarms.map(({ message }) => message))];
  return {
    ...ofTraining(training),
    status: { tone: 'bad', text: 'Alarm' },
    message: messages.join(' '),
    ...(!isOnlyWatched(training) && {
      press: {
        label: 'Stop',
        run: () => trainings.stop(training.id),
        confirm: stopKeepsText(training),
      },
    }),
  };
}

function hasFailed(training: TrainingView): boolean {
  const { endedAt, experimentId } = training;
  if (trainingIsActive(training) || trainingIsDone(training) || trainingWasStopped(training)) return false;
  if (experimentId !== null || isOnlyWatched(training)) return false;
  return endedAt === null || Date.now() - Date.parse(endedAt) < FAILED_DAYS * 86_400_000;
}

function ofFailedTraining(
  training: TrainingView,
  machine: string,
  { trainings }: WorkbenchState,
): OpenProblem {
  return {
    ...ofTraining(training),
    message: explainTraining(training, machine) ?? '',
    press: { label: 'Resume', run: () => trainings.resume(training.id) },
  };
}

function ofFailedJob(job: JobView, machine: string, { jobs }: WorkbenchState): OpenProblem {
  const explained = explainJob(job, machine)?.message;
  return {
    key: job.id,
    path: pathOf({ kind: 'jobs', jobId: job.id }),
    name: job.name,
    status: jobStatus(job),
    message: explained ?? `The job ended with exit code ${exitText(job.state)}. Its log has the reason.`,
    press: { label: 'Run again', run: () => jobs.retry(job.id) },
  };
}

/** Servers of a study fail with it, and are started with it. */
function ofServer(server: ServerView, { location, serverCommands }: WorkbenchState): OpenProblem[] {
  const { id, model, state, studyId, launchId, diagnosis } = server;
  if (state.kind !== 'failed' || studyId !== null) return [];
  return [
    {
      key: id,
      path: pathOf({ kind: 'servers', serverId: id }),
      name: model,
      status: { tone: 'bad', text: 'Server failed' },
      message: diagnosis?.cause ?? state.message,
      hint: diagnosis?.todo ?? state.hint,
      press:
        diagnosis?.inLaunch === true && launchId !== null
          ? { label: 'Edit launch', run: () => location.go({ kind: 'launches', launchId }) }
          : { label: 'Start again', run: () => serverCommands.restart(id) },
    },
  ];
}

function ofMachine(machine: MachineView, { machineActions }: WorkbenchState): OpenProblem[] {
  const { spec, connection } = machine;
  if (connection.kind !== 'unreachable' && connection.kind !== 'needs-login') return [];
  const isAsking = connection.kind === 'needs-login';
  const explained = explainConnection(machine, Date.now());
  return [
    {
      key: spec.id,
      path: pathOf({ kind: 'machine', machineId: spec.id }),
      name: spec.name,
      status: isAsking
        ? connectionStatus(connection, Date.now())
        : { tone: 'bad', text: unreachableText(connection) },
      message: isAsking ? (explained?.message ?? '') : asSentence(connection.message),
      hint: explained?.hint,
      press: isAsking
        ? { label: loginLabel(connection), run: () => machineActions.showLogin(spec.id) }
        : { label: 'Connect', run: () => machineActions.connect(spec.id) },
    },
  ];
}
