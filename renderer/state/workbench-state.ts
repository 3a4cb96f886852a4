import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ServerView } from '../../preload/contract/server';
import type { WorkbenchClient } from '../workbench-client';
import { type Comparisons, createComparisons } from './comparisons';
import { createDiagnostics, type Diagnostics } from './diagnostics';
import { createEventHandlers } from './event-handlers';
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
import { createResources, type Resources } from './resources';
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
import { createTrainingResources, type TrainingResources } from './training-resources';
import { createTrainings, type Trainings } from './trainings';

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
  const events = createEventHandlers({
    ...{ resources, studies, runs, servers, comparisons, jobs, machines, terminals, trainings, experiments },
    ...{
      trainingResources,
      reproductions,
      exhibits,
      settings,
      service,
      location,
      tasks,
      notices,
      diagnostics,
    },
  });

  const unsubscribe = client.onEvents((batch) => {
    for (const event of joinRunEvents(batch)) events.handle(event);
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
      events.dispose();
      trainingResources.dispose();
      exhibits.dispose();
      reproductions.dispose();
      location.dispose();
      lastVisit.dispose();
    },
  };
}
