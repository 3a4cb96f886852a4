import { createHash, randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type {
  Refusal,
  ReproductionView,
  Settings,
  TrainingView,
  WorkbenchEvent,
} from '../../preload/contract/index';
import { Emitter, ok, type Result } from '../base/index';
import { createBenchmarkLibrary } from '../benchmarks/index';
import { createExhibitLibrary } from '../exhibits/index';
import { createDetachedStarter, createJobService, createSlurmStarter } from '../jobs/index';
import { createMachineFleet, createMachineMonitor } from '../machines/index';
import { createExperimentService, createReproductionService } from '../plans/index';
import {
  createFigureWorker,
  createProblemReader,
  createReportService,
  openBenchmarkOutlines,
} from '../reports/index';
import { createServerService, type NodeRuntime } from '../servers/index';
import { lockDataDir, openRegistry, type WindowPlace } from '../storage/index';
import {
  createRunComparison,
  createStudyService,
  hueAssignments,
  pocketCheckpoints,
  recoverStudies,
  type StudyDeps,
  studyFiles,
} from '../studies/index';
import { createTerminalService } from '../terminals/index';
import { createTrainingService } from '../trainings/index';
import { controlSocketPath, serveControlSocket } from './control-socket';
import { type Call, dispatcher, type Handlers } from './dispatch';
import { createGraderProvider } from './grader-provider';
import { appHandlers } from './handlers/app-handlers';
import { comparisonHandlers } from './handlers/comparison-handlers';
import { exhibitHandlers } from './handlers/exhibit-handlers';
import { experimentHandlers } from './handlers/experiment-handlers';
import { jobHandlers, serverHandlers } from './handlers/job-handlers';
import { libraryHandlers } from './handlers/library-handlers';
import { machineHandlers } from './handlers/machine-handlers';
import { reportHandlers } from './handlers/report-handlers';
import { reproductionHandlers } from './handlers/reproduction-handlers';
import { studyHandlers } from './handlers/study-handlers';
import { trainingHandlers } from './handlers/training-handlers';
import { createLongTasks } from './long-tasks';
import {
  jobNotice,
  notifyAlarms,
  notifyExperimentEnds,
  notifyReproductionEnds,
  notifyStudyEnds,
} from './notices';
import { privateFolder } from './private-folder';
import { restoreConnections } from './reconnect';
import { createProblemReporter } from './report-problem';
import { rewardSource } from './reward-source';
import { environmentSecrets, type SecretStore } from './secrets';
import { sendToWebhook } from './webhook';

export type { Cipher } from './encrypted-secrets';

/** The whole workbench behind one call; the window and the terminal use the same. */
export type Workbench = {
  /** Checks the payload, does the command, answers with data. Never rejects for what a caller or file does wrong. */
  readonly call: Call;
  readonly events: Emitter<WorkbenchEvent>;
  readonly settings: () => Settings;
  readonly windowPlace: () => WindowPlace | null;
  readonly rememberWindow: (place: WindowPlace) => void;
  /** What was wrong with the data folder when it was opened, to be told to the user; null: nothing. */
  readonly damage: string | null;
  readonly goTo: (address: string) => void;
  /** The computer woke from sleep: connections are tried at once. */
  readonly wake: () => void;
  /** Stops what runs so that it can be resumed, and gives the data folder free. */
  readonly close: () => Promise<void>;
};

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

function foundAgain(found: Result<readonly string[], Refusal>): string {
  if (!found.ok)
    return `The files of its studies are still there, but they are not listed. ${found.error.message}`;
  if (found.value.length === 0) return 'No study was found in this data folder.';
  return `Its ${found.value.length} studies were found again by their journals; settings are as on the first start.`;
}

export async function openWorkbench(options: {
  readonly dataDir: string;
  /** The project's folder: built entries under out/, resources/. */
  readonly project: string;
  readonly appVersion: string;
  readonly nodeRuntime: NodeRuntime;
  readonly secrets: SecretStore;
  /** Machines that were connected when this was last open are connected again. */
  readonly reconnects: boolean;
}): Promise<Result<Workbench, Refusal>> {
  const { dataDir, project, appVersion, nodeRuntime, secrets, reconnects } = options;
  const now = (): number => Date.now();
  const lock = await lockDataDir(dataDir);
  if (!lock.ok) return lock;
  const opened = await openRegistry(join(dataDir, 'registry.json'));
  if (!opened.ok) {
    await lock.value.dispose();
    return opened;
  }
  const registry = opened.value;
  const events = new Emitter<WorkbenchEvent>();
  const reportProblem = createProblemReporter(events);
  const library = createBenchmarkLibrary({ dataDir, clock: now });
  const clock = { now };
  const sockets = await privateFolder(process.env);
  // Logins are offered as terminals, and terminals are opened on machines: one has to come first.
  const fleet = createMachineFleet({
    registry,
    controlFolder: sockets.ok ? sockets.value : join(dataDir, 'sockets'),
    localHome: dataDir,
    offerLogin: (login, about) => terminals.adopt(login, { ...about, title: 'Log in', purpose: 'login' }),
    clock,
  });
  const terminals = createTerminalService({
    machines: fleet,
    newId: () => randomUUID(),
    owner: createHash('sha256').update(dataDir).digest('hex').slice(0, 8),
  });
  const care = createMachineMonitor({ fleet, clock });
  const gpus = async (machineId: string) => {
    const view = await care.probe(machineId);
    if (!view.ok) return view;
    const { gpus: reading, reservations, facts } = view.value;
    return ok({ gpus: reading?.gpus ?? [], reservations, user: facts?.user ?? '' });
  };
  const detached = createDetachedStarter({ clock });
  const slurm = createSlurmStarter({ clock });
  const jobs = await createJobService({
    machines: fleet,
    starters: (machine) => (machine.spec.kind === 'slurm' ? slurm : detached),
    gpus,
    folder: join(dataDir, 'jobs'),
    clock,
    newId: () => randomUUID(),
    settings: () => registry.read().settings,
  });
  const servers = createServerService({
    jobs,
    machines: fleet,
    launches: () => registry.read().launches,
    gpus,
    secretOf: async (name) => (await secrets.value(name)) ?? environmentSecrets(process.env).value(name),
    nodeRuntime,
    modelServerScript: join(project, 'out', 'main', 'model-server.js'),
    clock,
  });
  care.onChange((machine) => events.emit({ kind: 'machine-changed', machine }));
  terminals.onChange((views) => events.emit({ kind: 'terminals-changed', terminals: [...views] }));
  terminals.onOutput((output) => events.emit({ kind: 'terminal-output', ...output }));
  jobs.onChange((job) => events.emit({ kind: 'job-changed', job }));
  jobs.onRemoved((jobId) => events.emit({ kind: 'job-removed', jobId }));
  // Jobs may have ended while the app was closed: that is told at once, also before the trainings are read.
  let trainingsNow: () => readonly TrainingView[] = () => [];
  jobs.onNotice((notice) => {
    const { machineId } = notice.job;
    const machine = fleet.specs().find(({ id }) => id === machineId);
    const training = trainingsNow().find(({ jobId }) => jobId === notice.job.id) ?? null;
    const told = jobNotice(notice, machine?.name ?? machineId, training);
    if (told !== null) events.emit(told);
  });
  fleet.onConnection((machineId) => jobs.probeSoon(machineId));
  const connections = reconnects ? restoreConnections(fleet, registry) : null;
  let reproductionsNow: () => readonly ReproductionView[] = () => [];
  notifyStudyEnds(events, (studyId) =>
    reproductionsNow().some(({ steps }) => steps.some((step) => step.studyId === studyId)),
  );
  notifyExperimentEnds(events);
  notifyReproductionEnds(events);
  notifyAlarms(events);
  sendToWebhook({ events, settings: () => registry.read().settings, now, sleep });
  // Servers outlive the app: those that a killed one left behind are shown, used again or stopped.
  await servers.reattach();
  servers.onChange((views) => events.emit({ kind: 'servers-changed', servers: [...views] }));

  const grader = createGraderProvider({
    resourcesDir: join(project, 'resources'),
    registry,
    machines: fleet,
  });
  const tasks = createLongTasks(events, now);
  const checkpoints = pocketCheckpoints({
    dataDir,
    nodeRuntime,
    script: join(project, 'out', 'main', 'pretrain-pocket.js'),
  });
  const trainings = await createTrainingService({
    jobs,
    machines: fleet,
    gpus,
    nodeRuntime,
    pocketTrainerScript: join(project, 'out', 'main', 'pocket-trainer.js'),
    resourcesDir: join(project, 'resources'),
    checkpointsDir: join(dataDir, 'checkpoints'),
    allowsUnsandboxed: () => registry.read().settings.gradeWithoutSandbox,
    dataDir,
    clock,
    newId: () => randomUUID(),
  });
  const experiments = await createExperimentService({
    trainings,
    folder: join(dataDir, 'experiments'),
    clock,
    newId: () => randomUUID(),
    slots: availableParallelism(),
    onError: reportProblem,
  });
  trainingsNow = trainings.list;
  trainings.onChange((training) => events.emit({ kind: 'training-changed', training }));
  trainings.onRemoved((trainingId) => events.emit({ kind: 'training-removed', trainingId }));
  experiments.onChange((experiment) => events.emit({ kind: 'experiment-changed', experiment }));
  experiments.onRemoved((experimentId) => events.emit({ kind: 'experiment-removed', experimentId }));
  const surroundings: StudyDeps = {
    appVersion,
    now,
    sleep,
    digest,
    openGrader: grader.open,
    library,
    servers,
    checkpoints,
    files: studyFiles(dataDir),
    rewardOf: (model, signal) => rewardSource(model, checkpoints, signal),
  };
  const found = await recoverStudies({ registry, files: surroundings.files });
  const studies = createStudyService({ registry, deps: surroundings, events });
  // What tables say of problems of benchmarks that only another lab has.
  const outlines = openBenchmarkOutlines(join(dataDir, 'outlines'));
  const knownLibrary = outlines.extend(library);
  const comparison = createRunComparison({
    registry,
    results: studies.results,
    library: knownLibrary,
    checkpoints,
  });
  const exhibits = createExhibitLibrary({
    builtInFolder: join(project, 'resources', 'exhibits'),
    ownFolder: join(dataDir, 'exhibits'),
  });
  const reproductions = await createReproductionService({
    exhibits,
    trainings,
    studies,
    servers,
    checkpoints,
    machines: fleet,
    care,
    jobs,
    library,
    registry,
    comparison,
    events,
    folder: join(dataDir, 'reproductions'),
    clock,
    newId: () => randomUUID(),
    slots: availableParallelism(),
  });
  exhibits.onChange(() => events.emit({ kind: 'exhibits-changed' }));
  reproductionsNow = reproductions.list;
  reproductions.onChange((reproduction) => events.emit({ kind: 'reproduction-changed', reproduction }));
  reproductions.onRemoved((reproductionId) => events.emit({ kind: 'reproduction-removed', reproductionId }));

  const ofStudies = studyHandlers({ registry, studies, surroundings, grader, tasks, dataDir });
  const figures = createFigureWorker(join(project, 'out', 'main', 'figure-program.js'));
  const reports = createReportService({
    comparison,
    registry,
    library: knownLibrary,
    outlines,
    hues: hueAssignments(registry),
    journal: surroundings.files.journal,
    studies: {
      isRunning: studies.isRunning,
      folder: surroundings.files.folder,
      adopt: studies.adopt,
      regrade: studies.results.regrade,
      saveRegrade: studies.results.saveRegrade,
    },
    reproductions: { ...reproductions, folder: (id) => join(dataDir, 'reproductions', id) },
    exhibits: {
      save: async (exhibit) => {
        const known = await exhibits.get(exhibit.id);
        if (!known.ok) await exhibits.save(`${JSON.stringify(exhibit, null, 2)}\n`);
      },
    },
    draw: figures.draw,
    appVersion,
    dataDir,
  });
  const handlers: Handlers = {
    ...appHandlers({ registry, grader, events, appVersion, dataDir }),
    ...serverHandlers({ servers, registry, tasks, secrets }),
    ...jobHandlers({ jobs, tasks }),
    ...machineHandlers({
      fleet,
      care,
      jobs,
      terminals,
      tasks,
      onRemoved: (machineId) => events.emit({ kind: 'machine-removed', machineId }),
    }),
    ...libraryHandlers({ library, tasks, events, problem: createProblemReader(library, outlines) }),
    ...ofStudies,
    ...trainingHandlers({ trainings, servers, registry, studies: ofStudies }),
    ...experimentHandlers({ experiments }),
    ...comparisonHandlers({ comparison, tasks }),
    ...reproductionHandlers({ reproductions }),
    ...reportHandlers({ reports, tasks }),
    ...exhibitHandlers({ exhibits }),
  };

  const call = dispatcher(handlers, (error) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  });

  const closeDoor = sockets.ok
    ? await serveControlSocket(controlSocketPath(sockets.value, dataDir), { call, events })
    : async () => undefined;

  return ok({
    call,
    events,
    settings: () => registry.read().settings,
    windowPlace: () => registry.read().window,
    rememberWindow: (place) => void registry.update((data) => ({ ...data, window: place })),
    damage:
      registry.damaged === null
        ? null
        : `The registry was damaged (${registry.damaged.why}) and was moved to ${registry.damaged.movedTo}. ${foundAgain(found)}`,
    goTo: (address) => events.emit({ kind: 'go-to', address }),
    wake: () => {
      fleet.wake();
      jobs.probeSoon();
    },
    close: async () => {
      connections?.dispose();
      tasks.cancelAll();
      figures.dispose();
      await reproductions.dispose();
      await studies.close();
      await experiments.dispose();
      await trainings.dispose();
      servers.dispose();
      await jobs.dispose();
      care.dispose();
      await terminals.dispose();
      await fleet.dispose();
      await closeDoor();
      await grader.close();
      await lock.value.dispose();
    },
  });
}
