import type { StoreApi } from 'zustand/vanilla';
import type { WorkbenchEvent } from '../../preload/contract/events';
import { jobHasEnded } from '../../preload/contract/folds/job-end';
import type { JobView } from '../../preload/contract/job';
import type { RunEvent } from '../../preload/contract/run-events';
import type { ServerView } from '../../preload/contract/server';
import type { StudyView } from '../../preload/contract/study';
import type { Comparisons } from './comparisons';
import type { Diagnostics } from './diagnostics';
import { createEndNotifier } from './end-notifier';
import type { Exhibits } from './exhibits';
import type { Experiments } from './experiments';
import type { Jobs } from './jobs';
import type { Loadable } from './loadable';
import type { Location } from './location';
import type { Machines } from './machines';
import type { Notices } from './notices';
import type { Reproductions } from './reproductions';
import { nodeKey } from './resource-keys';
import { ONLY, type Resources } from './resources';
import type { Runs } from './runs';
import type { ServiceState } from './service';
import type { SettingsState } from './settings';
import type { Studies } from './studies';
import type { Tasks } from './tasks';
import type { Terminals } from './terminals';
import { createThrottled } from './throttled';
import type { TrainingResources } from './training-resources';
import type { Trainings } from './trainings';

/** Updating the grid four times a second looks live; more often only costs. */
const OUTCOMES_PAUSE_MS = 250;

type Stores = {
  readonly resources: Resources;
  readonly comparisons: Comparisons;
  readonly diagnostics: Diagnostics;
  readonly exhibits: Exhibits;
  readonly experiments: Experiments;
  readonly jobs: Jobs;
  readonly location: Location;
  readonly machines: Machines;
  readonly notices: Notices;
  readonly reproductions: Reproductions;
  readonly runs: Runs;
  readonly servers: StoreApi<Loadable<readonly ServerView[]>>;
  readonly service: ServiceState;
  readonly settings: SettingsState;
  readonly studies: Studies;
  readonly tasks: Tasks;
  readonly terminals: Terminals;
  readonly trainingResources: TrainingResources;
  readonly trainings: Trainings;
};

type Kind = WorkbenchEvent['kind'];
type EventOf<K extends Kind> = Extract<WorkbenchEvent, { kind: K }>;
type Handlers<K extends Kind> = { readonly [N in K]: (event: EventOf<N>) => void };

/** What each event of main changes in the stores. */
export function createEventHandlers(stores: Stores): {
  readonly handle: (event: WorkbenchEvent) => void;
  readonly dispose: () => void;
} {
  const { resources } = stores;
  const refreshOutcomes = createThrottled(
    (studyId) => resources.outcomes.refresh(studyId),
    OUTCOMES_PAUSE_MS,
  );
  const handlers: Handlers<Kind> = {
    ...studyHandlers(stores, (studyId) => refreshOutcomes.schedule(studyId)),
    ...machineHandlers(stores),
    ...planHandlers(stores),
    ...windowHandlers(stores),
  };
  return {
    handle: (event) => (handlers[event.kind] as (event: WorkbenchEvent) => void)(event),
    dispose: () => refreshOutcomes.dispose(),
  };
}

function studyHandlers(
  { studies, runs, comparisons, resources }: Stores,
  refreshOutcomes: (studyId: string) => void,
): Handlers<'study-changed' | 'study-removed' | 'run-events' | 'analysis-changed' | 'library-changed'> {
  /** Reloads the detail of nodes that were just graded on the private tests. */
  const refreshGradedNodes = (runId: string, events: readonly RunEvent[]): void => {
    for (const event of events) {
      if (event.kind !== 'node-graded') continue;
      const { problemId, part, index } = event;
      resources.details.refresh(nodeKey({ runId, problemId, part, index }));
    }
  };
  /** The folder of the study may be back. */
  const reloadFailedRuns = ({ study }: StudyView): void => {
    for (const { id } of study.runs) if (runs.store.getState().get(id)?.kind === 'failed') runs.reload(id);
  };
  /** Another grading counts: what is shown of its nodes has other private verdicts. */
  const showOtherVerdicts = ({ study }: StudyView): void => {
    for (const { id } of study.runs) runs.reload(id);
    resources.details.refreshAll();
  };
  return {
    'study-changed': ({ view }) => {
      if (studies.countsOtherwise(view)) showOtherVerdicts(view);
      if (studies.changed(view)) {
        resources.info.refreshAll(); // what grades is known once something is graded
        reloadFailedRuns(view);
      }
      refreshOutcomes(view.study.id);
    },
    'study-removed': ({ studyId }) => studies.removed(studyId),
    'run-events': ({ runId, events }) => {
      runs.apply(runId, events);
      refreshGradedNodes(runId, events);
    },
    'analysis-changed': ({ studyId }) => {
      resources.analyses.refresh(studyId);
      resources.origins.refresh(studyId);
      comparisons.studyChanged(studyId);
      refreshOutcomes(studyId);
    },
    'library-changed': () => {
      resources.benchmarks.refreshAll();
      resources.recordings.refreshAll();
      resources.problems.refreshAll();
    },
  };
}

/** Machines, what runs on them, and terminals. */
function machineHandlers({
  machines,
  jobs,
  servers,
  terminals,
  resources,
}: Stores): Handlers<
  | 'machine-changed'
  | 'machine-removed'
  | 'servers-changed'
  | 'job-changed'
  | 'job-removed'
  | 'forwards-changed'
  | 'terminals-changed'
  | 'terminal-output'
> {
  /** The record of a start is there a moment after it, and each start has its own. */
  const refreshProvenance = ({ id, attempts }: JobView): void => {
    const loaded = resources.provenances.store.getState().get(id);
    if (loaded?.kind !== 'ready' || loaded.value?.attempt !== attempts) resources.provenances.refresh(id);
  };
  return {
    'machine-changed': ({ machine }) => machines.changed(machine),
    'machine-removed': ({ machineId }) => machines.removed(machineId),
    'servers-changed': (event) => servers.setState({ kind: 'ready', value: event.servers }, true),
    'job-changed': ({ job }) => {
      jobs.changed(job);
      refreshProvenance(job);
      if (jobHasEnded(job.state)) resources.usage.refreshAll();
    },
    'job-removed': ({ jobId }) => jobs.removed(jobId),
    'forwards-changed': ({ forwards }) => resources.forwards.put(ONLY, forwards),
    'terminals-changed': (event) => terminals.changed(event.terminals),
    'terminal-output': (event) => terminals.output(event),
  };
}

/** Trainings, and the plans that use them. */
function planHandlers({
  trainings,
  trainingResources,
  experiments,
  reproductions,
  exhibits,
}: Stores): Handlers<
  | 'training-changed'
  | 'training-removed'
  | 'experiment-changed'
  | 'experiment-removed'
  | 'reproduction-changed'
  | 'reproduction-removed'
  | 'exhibits-changed'
> {
  return {
    'training-changed': ({ training }) => {
      trainings.changed(training);
      trainingResources.trainingChanged(training.id);
    },
    'training-removed': ({ trainingId }) => trainings.removed(trainingId),
    'experiment-changed': ({ experiment }) => {
      experiments.changed(experiment);
      trainingResources.experimentChanged(experiment.id);
    },
    'experiment-removed': ({ experimentId }) => experiments.removed(experimentId),
    'reproduction-changed': ({ reproduction }) => {
      reproductions.changed(reproduction);
      exhibits.reproductionChanged(reproduction.order.exhibitId);
    },
    'reproduction-removed': ({ reproductionId }) => {
      reproductions.removed(reproductionId);
      exhibits.results.refreshAll();
    },
    'exhibits-changed': () => exhibits.changed(),
  };
}

/** The window itself: settings, screens, progress and messages. */
function windowHandlers(
  stores: Stores,
): Handlers<
  | 'settings-changed'
  | 'go-to'
  | 'progress'
  | 'notice'
  | 'notification'
  | 'service-connection'
  | 'report-problem'
> {
  const { settings, service, location, tasks, notices, comparisons, diagnostics, resources } = stores;
  return {
    'settings-changed': (event) => {
      settings.onChanged(event.settings);
      // Prices are settings too.
      comparisons.read.refreshAll();
      // Whether candidates may run can depend on a setting.
      resources.info.refreshAll();
      resources.plan.refreshAll();
    },
    'go-to': ({ path }) => location.goToPath(path),
    progress: (event) => tasks.onProgress(event),
    notice: ({ level, message, isBug, upgradesService }) =>
      notices.show({
        ...{ level, message },
        ...(isBug === true ? { action: notices.reportAction } : {}),
        ...(upgradesService === true
          ? { action: { label: 'Upgrade the service', run: () => void service.upgrade() } }
          : {}),
      }),
    notification: createEndNotifier(stores),
    'service-connection': ({ isConnected }) => service.connectionChanged(isConnected),
    'report-problem': () => diagnostics.open(),
  };
}
