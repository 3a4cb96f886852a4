import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Analysis } from '../../preload/contract/analysis';
import { assertNever } from '../../preload/contract/assert-never';
import type { Value } from '../../preload/contract/commands/index';
import type { OptionPosterior } from '../../preload/contract/decision';
import type { WorkbenchEvent } from '../../preload/contract/events';
import type { Cluster } from '../../preload/contract/machine';
import type { NodeDetail } from '../../preload/contract/node-detail';
import type { StudyOutcomes } from '../../preload/contract/outcomes';
import type { Benchmark, Problem, Recording } from '../../preload/contract/problem';
import type { RunEvent } from '../../preload/contract/run-events';
import type { ServerView } from '../../preload/contract/server';
import type { QuickstartPlan } from '../../preload/contract/study';
import type { WorkbenchClient } from '../workbench-client';
import { type Comparisons, createComparisons } from './comparisons';
import { createEndNotifier } from './end-notifier';
import { createExhibits, type Exhibits } from './exhibits';
import { createExperiments, type Experiments } from './experiments';
import { createFormDrafts, type FormDrafts } from './form-drafts';
import { createJobs, type Jobs } from './jobs';
import { createLaunches, type Launches } from './launches';
import { createLibraryCommands, type LibraryCommands } from './library-commands';
import { LOADING, type Loadable, loaded } from './loadable';
import { createLocation, type Location } from './location';
import { createMachineActions, type MachineActions } from './machine-actions';
import { createMachines, type Machines } from './machines';
import { createNotices, type Notices } from './notices';
import { createReproductions, type Reproductions } from './reproductions';
import { createResource, type Resource } from './resource';
import { nodeKey, parseNodeKey, parseProblemKey } from './resource-keys';
import { createRuns, joinRunEvents, type Runs } from './runs';
import { createSecrets, type Secrets } from './secrets';
import { createServerCommands, type ServerCommands } from './servers';
import { createSettings, type SettingsState } from './settings';
import { createStudies, type Studies } from './studies';
import { createStudyChecks, type StudyChecks } from './study-checks';
import { createStudyCommands, type StudyCommands } from './study-commands';
import { createTasks, type Tasks } from './tasks';
import { createTerminals, type Terminals } from './terminals';
import { createThrottled } from './throttled';
import { createTrainingResources, type TrainingResources } from './training-resources';
import { createTrainings, type Trainings } from './trainings';

export type NodeBeliefs = readonly (readonly (OptionPosterior | null)[])[];

/** The key of resources with a single value. */
export const ONLY = 'only';

/** Updating the grid four times a second looks live; more often only costs. */
const OUTCOMES_PAUSE_MS = 250;

export type WorkbenchState = {
  readonly client: WorkbenchClient;
  readonly location: Location;
  readonly drafts: FormDrafts;
  readonly notices: Notices;
  readonly settings: SettingsState;
  readonly studies: Studies;
  readonly runs: Runs;
  readonly machines: Machines;
  readonly machineActions: MachineActions;
  readonly terminals: Terminals;
  readonly jobs: Jobs;
  readonly trainings: Trainings;
  readonly experiments: Experiments;
  readonly exhibits: Exhibits;
  readonly reproductions: Reproductions;
  /** Curves, checkpoints, rollouts and results, while subscribed. */
  readonly trainingResources: TrainingResources;
  /** Trainers that are not built in. */
  readonly recipes: Resource<Value<'recipe.list'>>;
  readonly servers: StoreApi<Loadable<readonly ServerView[]>>;
  readonly serverCommands: ServerCommands;
  readonly launches: Launches;
  readonly secrets: Secrets;
  /** By study id. */
  readonly analyses: Resource<Analysis>;
  /** By study id; updated a few times a second while it runs. */
  readonly outcomes: Resource<StudyOutcomes>;
  readonly comparisons: Comparisons;
  /** By `nodeKey`. */
  readonly details: Resource<NodeDetail>;
  /** By `nodeKey`: what the search believed about the options at each decision. */
  readonly beliefs: Resource<NodeBeliefs>;
  /** By `problemKey`. */
  readonly problems: Resource<Problem>;
  readonly info: Resource<Value<'app.info'>>;
  readonly plan: Resource<QuickstartPlan>;
  readonly benchmarks: Resource<Benchmark[]>;
  readonly recordings: Resource<Recording[]>;
  /** By the id of a Slurm machine. */
  readonly clusters: Resource<Cluster>;
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
  const notices = createNotices();
  const settings = createSettings(client, notices);
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
  const analyses = createResource((studyId) => client.call('study.analysis', { studyId }));
  const outcomes = createResource((studyId) => client.call('study.outcomes', { studyId }));
  const comparisons = createComparisons(client, { studies, tasks, notices });
  const refreshOutcomes = createThrottled((studyId) => outcomes.refresh(studyId), OUTCOMES_PAUSE_MS);
  const details = createResource((key) => client.call('node.read', parseNodeKey(key)), 200);
  const beliefs = createResource<NodeBeliefs>((key) => client.call('node.beliefs', parseNodeKey(key)), 200);
  const problems = createResource((key) => client.call('benchmark.problem', parseProblemKey(key)), 200);
  const info = createResource(() => client.call('app.info', {}));
  const plan = createResource(() => client.call('quickstart.plan', {}));
  const benchmarks = createResource(() => client.call('benchmark.list', {}));
  const clusters = createResource((machineId) => client.call('machine.cluster', { machineId }));
  const recordings = createResource(() => client.call('recording.list', {}));
  const recipes = createResource(() => client.call('recipe.list', {}));

  /** Reloads the detail of nodes that were just graded on the private tests. */
  const refreshGradedNodes = (runId: string, events: readonly RunEvent[]): void => {
    for (const event of events) {
      if (event.kind !== 'node-graded') continue;
      const { problemId, part, index } = event;
      details.refresh(nodeKey({ runId, problemId, part, index }));
    }
  };

  const notifyEnd = createEndNotifier({ notices, settings, location, servers, trainings });

  const onEvent = (event: WorkbenchEvent): void => {
    switch (event.kind) {
      case 'study-changed':
        if (studies.changed(event.view)) info.refreshAll(); // what grades is known once something is graded
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
        comparisons.studyChanged(event.studyId);
        refreshOutcomes.schedule(event.studyId);
        break;
      case 'servers-changed':
        servers.setState({ kind: 'ready', value: event.servers }, true);
        break;
      case 'job-changed':
        jobs.changed(event.job);
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
        notices.show({ level: event.level, message: event.message });
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
    client,
    location,
    drafts: createFormDrafts(),
    notices,
    settings,
    studies,
    runs,
    machines,
    machineActions: createMachineActions(client, machines, notices, location, tasks),
    terminals,
    jobs,
    trainings,
    experiments,
    exhibits,
    reproductions,
    trainingResources,
    recipes,
    servers,
    serverCommands: createServerCommands(client, notices, tasks),
    launches: createLaunches(client, notices, location),
    secrets: createSecrets(client, notices),
    analyses,
    comparisons,
    outcomes,
    details,
    beliefs,
    problems,
    info,
    plan,
    benchmarks,
    recordings,
    clusters,
    tasks,
    studyChecks: createStudyChecks(client, tasks),
    studyCommands: createStudyCommands(client, notices, location, {
      reloadStudies: studies.load,
      studyChanged: studies.changed,
      rereadRun: runs.reload,
    }),
    libraryCommands: createLibraryCommands(client, notices, tasks),
    dispose: () => {
      unsubscribe();
      refreshOutcomes.dispose();
      trainingResources.dispose();
      exhibits.dispose();
      reproductions.dispose();
      location.dispose();
    },
  };
}
