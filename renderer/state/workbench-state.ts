import { createStore, type StoreApi } from 'zustand/vanilla';
import { assertNever } from '../../preload/contract/assert-never';
import type { WorkbenchEvent } from '../../preload/contract/events';
import { jobHasEnded } from '../../preload/contract/folds/job-end';
import type { JobView } from '../../preload/contract/job';
import type { RunEvent } from '../../preload/contract/run-events';
import type { ServerView } from '../../preload/contract/server';
import type { StudyView } from '../../preload/contract/study';
import type { WorkbenchClient } from '../workbench-client';
import { type Comparisons, createComparisons } from './comparisons';
import { createDiagnostics, type Diagnostics } from './diagnostics';
import { createEndNotifier } from './end-notifier';
import { createExhibits, type Exhibits } from './exhibits';
import { createExperiments, type Experiments } from './experiments';
import { createFormDrafts, type FormDrafts } from './form-drafts';
import { createGpuDays, type GpuDays } from './gpu-days';
import { createJobs, type Jobs } from './jobs';
import { createLastVisit, type LastVisit } from './last-visit';
import { createLaunches, type Launches } from './launches';
import { createLibraryCommands, type LibraryCommands } from './library-commands';
import { LOADING, type Loadable, loaded } from './loadable';
import { createLocation, type Location } from './location';
import { createMachineActions, type MachineActions } from './machine-actions';
import { createMachines, type Machines } from './machines';
import { createNotices, type Notices } from './notices';
import { createReproductions, type Reproductions } from './reproductions';
import { nodeKey } from './resource-keys';
import { createResources, ONLY, type Resources } from './resources';
import { createRuns, joinRunEvents, type Runs } from './runs';
import { createSecrets, type Secrets } from './secrets';
import { createServerCommands, type ServerCommands } from './servers';
import { createServiceState, type ServiceState } from './service';
import { createSettings, type SettingsState } from './settings';
import { createStudies, type Studies } from './studies';
import { createStudyChecks, type StudyChecks } from './study-checks';
import { createStudyCommands, type StudyCommands } from './study-commands';
import { createTasks, type Tasks } from './tasks';
import { createTerminals, type Terminals } from './terminals';
import { createThrottled } from './throttled';
import { createTrainingResources, type TrainingResources } from './training-resources';
import { createTrainings, type Trainings } from './trainings';

/** Updating the grid four times a second looks live; more often only costs. */
const OUTCOMES_PAUSE_MS = 250;

export type WorkbenchState = Resources & {
  readonly client: WorkbenchClient;
  readonly location: Location;
  readonly drafts: FormDrafts;
  readonly lastVisit: LastVisit;
  readonly notices: Notices;
  /** The report of a problem. */
  readonly diagnostics: Diagnostics;
  readonly settings: SettingsState;
  readonly studies: Studies;
  readonly runs: Runs;
  readonly machines: Machines;
  readonly machineActions: MachineActions;
  readonly gpuDays: GpuDays;
  readonly terminals: Terminals;
  readonly jobs: Jobs;
  readonly trainings: Trainings;
  readonly experiments: Experiments;
  readonly exhibits: Exhibits;
  readonly reproductions: Reproductions;
  /** Curves, checkpoints, rollouts and results, while subscribed. */
  readonly trainingResources: TrainingResources;
  readonly servers: StoreApi<Loadable<readonly ServerView[]>>;
  readonly serverCommands: ServerCommands;
  readonly launches: Launches;
  readonly secrets: Secrets;
  readonly service: ServiceState;
  readonly comparisons: Comparisons;
  readonly tasks: Tasks;
  readonly studyChecks: StudyChecks;
  readonly studyCommands: StudyCommands;
  readonly libraryCommands: LibraryCommands;
  readonly dispose: () => void;
};

/** All stores of the window, kept current by events of main. Nothing else talks to main. */
export function createWorkbenchState(
  client: WorkbenchClient,
  location: Location = createLocation(),
): WorkbenchState {
  const notices = createNotices({
    reportProblem: () => diagnostics.open(),
    showInFolder: (path) =>
      void client.call('file.showInFolder', { path }).then((shown) => {
        if (!shown.ok) notices.showRefusal(shown.error);
      }),
  });
  const diagnostics = createDiagnostics(client, notices);
  const lastVisit = createLastVisit();
  const settings = createSettings(client, notices);
  const service = createServiceState(client, notices);
  const studies = createStudies(client);
  const runs = createRuns(client);
  const tasks = createTasks(client);
  const machines = createMachines(client);
  const terminals = createTerminals(client, notices, location);
  const jobs = createJobs(client, notices, location, tasks);
  const trainings = createTrainings(client, notices, location);
  const experiments = createExperiments(client, notices, location);
  const exhibits = createExhibits(client, notices, location);
  const reproductions = createReproductions(client, notices, location);
  const trainingResources = createTrainingResources(client);
  const servers = createStore<Loadable<readonly ServerView[]>>(() => LOADING);
  const comparisons = createComparisons(client, { studies, tasks, notices });
  const resources = createResources(client);
  const { analyses, outcomes, details, problems, info, plan, benchmarks, recordings } = resources;
  const refreshOutcomes = createThrottled((studyId) => outcomes.refresh(studyId), OUTCOMES_PAUSE_MS);

  /** Reloads the detail of nodes that were just graded on the private tests. */
  const refreshGradedNodes = (runId: string, events: readonly RunEvent[]): void => {
    for (const event of events) {
      if (event.kind !== 'node-graded') continue;
      const { problemId, part, index } = event;
      details.refresh(nodeKey({ runId, problemId, part, index }));
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

  /** The record of a start is there a moment after it, and each start has its own. */
  const refreshProvenance = ({ id, attempts }: JobView): void => {
    const known = resources.provenances.store.getState().get(id);
    if (known?.kind !== 'ready' || known.value?.attempt !== attempts) resources.provenances.refresh(id);
  };

  const notifyEnd = createEndNotifier({ notices, settings, location, servers, trainings });

  const onEvent = (event: WorkbenchEvent): void => {
    switch (event.kind) {
      case 'study-changed':
        if (studies.countsOtherwise(event.view)) showOtherVerdicts(event.view);
        if (studies.changed(event.view)) {
          info.refreshAll(); // what grades is known once something is graded
          reloadFailedRuns(event.view);
        }
        refreshOutcomes.schedule(event.view.study.id);
        break;
      case 'study-removed':
        studies.removed(event.studyId);
        break;
      case 'run-events':
        runs.apply(event.runId, event.events);
        refreshGradedNodes(event.runId, event.events);
        break;
      case 'analysis-changed':
        analyses.refresh(event.studyId);
        resources.origins.refresh(event.studyId);
        comparisons.studyChanged(event.studyId);
        refreshOutcomes.schedule(event.studyId);
        break;
      case 'servers-changed':
        servers.setState({ kind: 'ready', value: event.servers }, true);
        break;
      case 'job-changed':
        jobs.changed(event.job);
        refreshProvenance(event.job);
        if (jobHasEnded(event.job.state)) resources.usage.refreshAll();
        break;
      case 'job-removed':
        jobs.removed(event.jobId);
        break;
      case 'machine-changed':
        machines.changed(event.machine);
        break;
      case 'machine-removed':
        machines.removed(event.machineId);
        break;
      case 'training-changed':
        trainings.changed(event.training);
        trainingResources.trainingChanged(event.training.id);
        break;
      case 'training-removed':
        trainings.removed(event.trainingId);
        break;
      case 'experiment-changed':
        experiments.changed(event.experiment);
        trainingResources.experimentChanged(event.experiment.id);
        break;
      case 'experiment-removed':
        experiments.removed(event.experimentId);
        break;
      case 'reproduction-changed':
        reproductions.changed(event.reproduction);
        exhibits.reproductionChanged(event.reproduction.order.exhibitId);
        break;
      case 'reproduction-removed':
        reproductions.removed(event.reproductionId);
        exhibits.results.refreshAll();
        break;
      case 'exhibits-changed':
        exhibits.changed();
        break;
      case 'forwards-changed':
        resources.forwards.put(ONLY, event.forwards);
        break;
      case 'terminals-changed':
        terminals.changed(event.terminals);
        break;
      case 'terminal-output':
        terminals.output(event);
        break;
      case 'notification':
        notifyEnd(event);
        break;
      case 'library-changed':
        benchmarks.refreshAll();
        recordings.refreshAll();
        problems.refreshAll();
        break;
      case 'settings-changed':
        settings.onChanged(event.settings);
        // Prices are settings too.
        comparisons.read.refreshAll();
        // Whether candidates may run can depend on a setting.
        info.refreshAll();
        plan.refreshAll();
        break;
      case 'go-to':
        location.goToPath(event.path);
        break;
      case 'progress':
        tasks.onProgress(event);
        break;
      case 'notice':
        notices.show({
          level: event.level,
          message: event.message,
          ...(event.isBug === true ? { action: notices.reportAction } : {}),
        });
        break;
      case 'service-connection':
        service.connectionChanged(event.isConnected);
        break;
      case 'report-problem':
        diagnostics.open();
        break;
      default:
        assertNever(event);
    }
  };

  const unsubscribe = client.onEvents((batch) => {
    for (const event of joinRunEvents(batch)) onEvent(event);
  });
  const loadServers = async (): Promise<void> => {
    const answer = await client.call('server.list', {});
    // An event received meanwhile is newer than the answer.
    if (servers.getState().kind !== 'ready') servers.setState(loaded(answer), true);
  };
  void settings.load();
  void studies.load();
  void machines.load();
  void terminals.load();
  void jobs.load();
  void trainings.load();
  void experiments.load();
  void reproductions.load();
  void loadServers();

  return {
    ...resources,
    client,
    location,
    drafts: createFormDrafts(),
    lastVisit,
    notices,
    diagnostics,
    settings,
    studies,
    runs,
    machines,
    machineActions: createMachineActions(client, machines, notices, location, tasks),
    gpuDays: createGpuDays(client, tasks),
    terminals,
    jobs,
    trainings,
    experiments,
    exhibits,
    reproductions,
    trainingResources,
    servers,
    serverCommands: createServerCommands(client, notices, tasks),
    launches: createLaunches(client, notices, location),
    secrets: createSecrets(client, notices),
    service,
    comparisons,
    tasks,
    studyChecks: createStudyChecks(client, tasks),
    studyCommands: createStudyCommands(client, notices, location, {
      reloadStudies: studies.load,
      studyChanged: studies.changed,
      rereadRun: runs.reload,
    }),
    libraryCommands: createLibraryCommands(client, notices, tasks, location),
    dispose: () => {
      unsubscribe();
      refreshOutcomes.dispose();
      trainingResources.dispose();
      exhibits.dispose();
      reproductions.dispose();
      location.dispose();
      lastVisit.dispose();
    },
  };
}
