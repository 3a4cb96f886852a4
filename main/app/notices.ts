import type {
  ExperimentView,
  JobView,
  ReproductionView,
  TrainingAlarm,
  TrainingView,
  WorkbenchEvent,
} from '../../preload/contract/index';
import { reproducedPart, timeText } from '../../preload/contract/plans/index';
import { counted, type Disposable, type Emitter } from '../base/index';
import type { JobService } from '../jobs/index';
import type { ServerService } from '../servers/index';
import { isUnderWay } from './logic/running-text';

type JobNotification = Extract<WorkbenchEvent, { kind: 'notification' }>;
type JobNotice = Parameters<Parameters<JobService['onNotice']>[0]>[0];

/**
 * Collects notices of jobs until `forward` is called: a job may have ended while the app was closed, and its notice
 * depends on trainings, which are read later.
 */
export function bufferedNotices(jobs: Pick<JobService, 'onNotice'>): {
  readonly forward: (listener: (notice: JobNotice) => void) => void;
} {
  const buffered: JobNotice[] = [];
  const holding = jobs.onNotice((notice) => buffered.push(notice));
  return {
    forward: (listener) => {
      holding.dispose();
      jobs.onNotice(listener);
      for (const notice of buffered) listener(notice);
    },
  };
}

/**
 * The notification about a job; `machineName` is its machine's name for people, `training` the one that it runs, if
 * any. null: none, because an experiment notifies once at its own end, not for each training. `isRestarting`: the
 * workbench starts it again; `notifyRestarts` says how that went.
 */
export function jobNotice(
  {
    about,
    job,
  }: {
    readonly about: 'done' | 'failed' | 'stalled';
    readonly job: JobView;
  },
  machineName: string,
  training: TrainingView | null,
  isRestarting = false,
): JobNotification | null {
  const isPart =
    training !== null && (training.experimentId !== null || training.reproductionId !== undefined);
  if (about === 'done' && isPart) return null;
  const titles = {
    done: `${job.name} is done`,
    failed: `${job.name} has failed`,
    stalled: `${job.name} is silent`,
  };
  return {
    kind: 'notification',
    about,
    title: titles[about],
    body: `${detail(about, job)}${isRestarting ? ' It is started again by itself.' : ''} Machine: ${machineName}.`,
    ...(isRestarting ? { key: `restart ${job.id}` } : {}),
    path: training === null ? `/jobs/${job.id}` : `/training/${training.id}`,
  };
}

/** Replaces the notification of a failed server that restarts by itself, once it is ready or has failed permanently. */
export function notifyRestarts(
  servers: Pick<ServerService, 'onChange' | 'isRestarting'>,
  events: Pick<Emitter<WorkbenchEvent>, 'emit'>,
): (failed: JobNotification, job: JobView) => void {
  const watched = new Map<string, { readonly failed: JobNotification; readonly name: string }>();
  servers.onChange((views) => {
    for (const [jobId, { failed, name }] of watched) {
      const state = views.find((view) => view.jobId === jobId)?.state;
      if (servers.isRestarting(jobId) || state?.kind === 'starting') continue;
      watched.delete(jobId);
      if (state?.kind === 'ready') {
        const body = `It had failed, was started again by itself and is ready.`;
        events.emit({ ...failed, about: 'done', title: `${name} runs again`, body });
      } else if (state?.kind === 'failed') {
        events.emit({ ...failed, body: [state.message, state.hint].filter(Boolean).join(' ') });
      }
    }
  });
  return (failed, { id, name }) => void watched.set(id, { failed, name });
}

function detail(about: 'done' | 'failed' | 'stalled', { state, lastOutputAt }: JobView): string {
  if (about === 'stalled') {
    return `It has written nothing since ${lastOutputAt === null ? 'its start' : timeText(lastOutputAt)}.`;
  }
  if (state.kind === 'lost') return state.why;
  if (state.kind === 'exited' && state.code !== 0) {
    return state.code === null ? 'It was killed.' : `It ended with exit code ${state.code}.`;
  }
  return 'It ended with exit code 0.';
}

/** Notifies when a study that was running ends; if the study is a step of a plan, only when it failed. */
export function notifyStudyEnds(
  events: Emitter<WorkbenchEvent>,
  isPart: (studyId: string) => boolean,
): Disposable {
  const runningIds = new Set<string>();
  return events.on((event) => {
    if (event.kind !== 'study-changed') return;
    const { study, state, progress } = event.view;
    if (isUnderWay(state)) {
      runningIds.add(study.id);
      return;
    }
    if (!runningIds.delete(study.id) || (state.kind !== 'finished' && state.kind !== 'failed')) return;
    const isDone = state.kind === 'finished';
    if (isDone && isPart(study.id)) return;
    events.emit({
      kind: 'notification',
      about: isDone ? 'done' : 'failed',
      title: `${study.name} ${isDone ? 'is finished' : 'has stopped'}`,
      body: isDone ? `${counted(progress.problemsDone, 'search', 'searches')} done.` : state.message,
      path: `/studies/${study.id}`,
    });
  });
}

/** Notifies when an experiment that was running ends. */
export function notifyExperimentEnds(events: Emitter<WorkbenchEvent>): Disposable {
  const runningIds = new Set<string>();
  return events.on((event) => {
    if (event.kind !== 'experiment-changed') return;
    const { id, state } = event.experiment;
    if (state.kind === 'running') runningIds.add(id);
    else if (runningIds.delete(id) && state.kind !== 'paused')
      events.emit(experimentNotice(event.experiment));
  });
}

/** Notifies when a reproduction that was running ends. */
export function notifyReproductionEnds(events: Emitter<WorkbenchEvent>): Disposable {
  const runningIds = new Set<string>();
  return events.on((event) => {
    if (event.kind !== 'reproduction-changed') return;
    const { id, state } = event.reproduction;
    if (state.kind === 'running') runningIds.add(id);
    else if (state.kind === 'done' || state.kind === 'failed') {
      if (runningIds.delete(id)) events.emit(reproductionNotice(event.reproduction));
    }
  });
}

/** Notifies of each alarm of a training once while it lasts. */
export function notifyAlarms(events: Emitter<WorkbenchEvent>): Disposable {
  const lasting = new Map<string, ReadonlySet<string>>();
  return events.on((event) => {
    if (event.kind === 'training-removed') lasting.delete(event.trainingId);
    if (event.kind !== 'training-changed') return;
    const { id, name, alarms } = event.training;
    const before = lasting.get(id);
    lasting.set(id, new Set(alarms.map(alarmKey)));
    for (const alarm of alarms) {
      if (before?.has(alarmKey(alarm))) continue;
      events.emit({
        kind: 'notification',
        about: 'stalled',
        title: `${name} needs attention`,
        body: alarm.message,
        path: `/training/${id}`,
      });
    }
  });
}

function alarmKey({ kind, agentId }: TrainingAlarm): string {
  return `${kind} ${agentId ?? ''}`;
}

function experimentNotice({ id, order, state, done, total }: ExperimentView): WorkbenchEvent {
  const failed = state.kind === 'failed';
  return {
    kind: 'notification',
    about: failed ? 'failed' : 'done',
    title: `${order.name} is ${failed ? 'done, except for failed trainings' : 'done'}`,
    body: `${done} of ${counted(total, 'training is', 'trainings are')} done.${failed ? ` ${state.message}` : ''}`,
    path: `/experiments/${id}`,
  };
}

function reproductionNotice({
  id,
  title,
  order,
  scale,
  state,
  done,
  total,
}: ReproductionView): WorkbenchEvent {
  const failed = state.kind === 'failed';
  const part = reproducedPart(order);
  return {
    kind: 'notification',
    about: failed ? 'failed' : 'done',
    title: `${title} is measured at ${scale} scale${failed ? ', except for failed steps' : ''}`,
    body: `${done} of ${counted(total, 'step is', 'steps are')} done${part === '' ? '' : ` (${part})`}.${failed ? ` ${state.message}` : ''}`,
    path: `/reproductions/${id}`,
  };
}
