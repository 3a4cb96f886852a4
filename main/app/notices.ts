import type {
  ExperimentView,
  JobView,
  ReproductionView,
  StudyState,
  TrainingAlarm,
  TrainingView,
  WorkbenchEvent,
} from '../../preload/contract/index';
import type { Disposable, Emitter } from '../base/index';

/**
 * What the desktop and the webhook are told of a job; `machineName` is what people call its machine, `training` the one
 * that it carries out, if any. null: nothing, since an experiment tells its own end and not that of each training.
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
): WorkbenchEvent | null {
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
    body: `${detail(about, job)} Machine: ${machineName}.`,
    address: training === null ? `/jobs/${job.id}` : `/training/${training.id}`,
  };
}

function detail(about: 'done' | 'failed' | 'stalled', { state, lastOutputAt }: JobView): string {
  if (about === 'stalled') return `It has written nothing since ${lastOutputAt ?? 'its start'}.`;
  if (state.kind === 'lost') return state.why;
  if (state.kind === 'exited' && state.code !== 0) {
    return state.code === null ? 'It was killed.' : `It ended with exit code ${state.code}.`;
  }
  return 'It ended with exit code 0.';
}

/** Tells the end of every study that was seen at work; of one that is part of a greater whole only that it failed. */
export function tellStudyEnds(
  events: Emitter<WorkbenchEvent>,
  isPart: (studyId: string) => boolean,
): Disposable {
  const atWork = new Set<string>();
  return events.on((event) => {
    if (event.kind !== 'study-changed') return;
    const { study, state, progress } = event.view;
    if (isAtWork(state)) {
      atWork.add(study.id);
      return;
    }
    if (!atWork.delete(study.id) || (state.kind !== 'finished' && state.kind !== 'failed')) return;
    const isDone = state.kind === 'finished';
    if (isDone && isPart(study.id)) return;
    events.emit({
      kind: 'notification',
      about: isDone ? 'done' : 'failed',
      title: `${study.name} ${isDone ? 'is finished' : 'has stopped'}`,
      body: isDone ? `${progress.problemsDone} problems were searched.` : state.message,
      address: `/studies/${study.id}`,
    });
  });
}

/** Tells the end of every experiment that was seen at work. */
export function tellExperimentEnds(events: Emitter<WorkbenchEvent>): Disposable {
  const atWork = new Set<string>();
  return events.on((event) => {
    if (event.kind !== 'experiment-changed') return;
    const { id, state } = event.experiment;
    if (state.kind === 'running') atWork.add(id);
    else if (atWork.delete(id) && state.kind !== 'paused') events.emit(experimentNotice(event.experiment));
  });
}

/** Tells the end of every reproduction that was seen at work. */
export function tellReproductionEnds(events: Emitter<WorkbenchEvent>): Disposable {
  const atWork = new Set<string>();
  return events.on((event) => {
    if (event.kind !== 'reproduction-changed') return;
    const { id, state } = event.reproduction;
    if (state.kind === 'running') atWork.add(id);
    else if (state.kind === 'done' || state.kind === 'failed') {
      if (atWork.delete(id)) events.emit(reproductionNotice(event.reproduction));
    }
  });
}

/** Tells each alarm of a training once, while it lasts. */
export function tellAlarms(events: Emitter<WorkbenchEvent>): Disposable {
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
        title: `${name} needs a look`,
        body: alarm.message,
        address: `/training/${id}`,
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
    title: `${order.name} is ${failed ? 'done but for trainings that failed' : 'done'}`,
    body: `${done} of ${total} trainings are done.${failed ? ` ${state.message}` : ''}`,
    address: `/experiments/${id}`,
  };
}

function reproductionNotice({ id, title, state, done, total }: ReproductionView): WorkbenchEvent {
  const failed = state.kind === 'failed';
  return {
    kind: 'notification',
    about: failed ? 'failed' : 'done',
    title: `${title} is ${failed ? 'reproduced but for steps that failed' : 'reproduced'}`,
    body: `${done} of ${total} steps are done.${failed ? ` ${state.message}` : ''}`,
    address: `/reproductions/${id}`,
  };
}

function isAtWork({ kind }: StudyState): boolean {
  return kind === 'preparing' || kind === 'running';
}
