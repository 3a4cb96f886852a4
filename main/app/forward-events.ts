import type { WorkbenchEvent } from '../../preload/contract/index';
import { type Emitter, RefusalError } from '../base/index';
import type { ReconcileProblem } from '../reconcile/index';
import { reasonOf, systemErrorCode } from '../storage/index';
import type { AppLog } from './app-log';
import { jobNotice, notifyRestarts } from './notices';
import type { Services } from './open-services';

/** Emits every change of a service as an event of the workbench. */
export function forwardEvents(services: Services, events: Emitter<WorkbenchEvent>): void {
  const { fleet, monitor, forwards, terminals, jobs, jobNotices, servers } = services;
  const { trainings, experiments, exhibits, reproductions } = services;
  monitor.onChange((machine) => events.emit({ kind: 'machine-changed', machine }));
  forwards.onChange((views) => events.emit({ kind: 'forwards-changed', forwards: [...views] }));
  forwards.onLost((message) => events.emit({ kind: 'notice', level: 'warning', message }));
  terminals.onChange((views) => events.emit({ kind: 'terminals-changed', terminals: [...views] }));
  terminals.onOutput((output) => events.emit({ kind: 'terminal-output', ...output }));
  jobs.onChange((job) => events.emit({ kind: 'job-changed', job }));
  jobs.onRemoved((jobId) => events.emit({ kind: 'job-removed', jobId }));
  servers.onChange((views) => events.emit({ kind: 'servers-changed', servers: [...views] }));
  trainings.onChange((training) => events.emit({ kind: 'training-changed', training }));
  trainings.onRemoved((trainingId) => events.emit({ kind: 'training-removed', trainingId }));
  experiments.onChange((experiment) => events.emit({ kind: 'experiment-changed', experiment }));
  experiments.onRemoved((experimentId) => events.emit({ kind: 'experiment-removed', experimentId }));
  exhibits.onChange(() => events.emit({ kind: 'exhibits-changed' }));
  reproductions.onChange((reproduction) => events.emit({ kind: 'reproduction-changed', reproduction }));
  reproductions.onRemoved((reproductionId) => events.emit({ kind: 'reproduction-removed', reproductionId }));
  const restarted = notifyRestarts(servers, events);
  jobNotices.forward((notice) => {
    const { machineId, id: jobId } = notice.job;
    const machine = fleet.specs().find(({ id }) => id === machineId);
    const training = trainings.list().find(({ jobId }) => jobId === notice.job.id) ?? null;
    const isRestarting = notice.about === 'failed' && servers.isRestarting(jobId);
    const event = jobNotice(notice, machine?.name ?? machineId, training, isRestarting);
    if (event === null) return;
    events.emit(event);
    if (isRestarting) restarted(event, notice.job);
  });
}

/** Logs every error of long work, and shows the first of several in a row. */
export function createProblemReporter(
  events: Emitter<WorkbenchEvent>,
  log: AppLog,
): (problem: ReconcileProblem) => void {
  return ({ name, key, error, failures, waitMs }) => {
    // An error of the system, such as a full disk, is no bug: its place in our code is of no use.
    const isBug = systemErrorCode(error) === null && !(error instanceof RefusalError);
    const text = isBug && error instanceof Error ? (error.stack ?? error.message) : reasonOf(error);
    const about = key === null ? name : `${name}, ${key}`;
    process.stderr.write(`${new Date().toISOString()} ${about}, failure ${failures}: ${text}\n`);
    log.write('error', `${about}, failure ${failures}`, isBug ? error : text);
    if (failures > 1) return;
    const again = waitMs > 0 ? ' It is tried again by itself.' : '';
    events.emit({
      kind: 'notice',
      level: 'error',
      message: `${reasonOf(error)}${again}`,
      ...(isBug ? { isBug } : {}),
    });
  };
}
