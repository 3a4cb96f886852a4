import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { GRADER_TOKEN_VARIABLE } from '../../preload/contract/plans/index';
import { createBenchmarkLibrary, createTableReader, createTestParser } from '../benchmarks/index';
import { createExhibitLibrary } from '../exhibits/index';
import { executablesNamed } from '../grading/index';
import { createExperimentService, createGpuDays, createReproductionService } from '../plans/index';
import { createFigureWorker, createReportService, openBenchmarkOutlines } from '../reports/index';
import { textDigest } from '../storage/index';
import {
  createRunComparison,
  createStudyService,
  hueAssignments,
  pocketCheckpoints,
  readOrigins,
  recoverStudies,
  type StudyDeps,
  studyFiles,
} from '../studies/index';
import { createTrainingService } from '../trainings/index';
import type { ClosingStep } from './close-in-order';
import { exhibitFilling } from './exhibit-filling';
import { createProblemReporter } from './forward-events';
import { createGraderProvider } from './grader-provider';
import { heldOutProblemReader } from './held-out-problems';
import { createLongTasks } from './long-tasks';
import { type Machines, openMachines } from './open-machines';
import { rewardSource } from './reward-source';
import { clock, newId, type ServiceContext, sleep } from './service-context';
import { trainingOrigins } from './training-origins';
import { createUsageService, type UsageService } from './usage/usage-service';

/** Benchmarks, grading and the studies that search with them. */
async function openStudies(context: ServiceContext, { fleet, servers, jobs }: Machines) {
  const { dataDir, project, appVersion, nodeRuntime, registry, events, log } = context;
  const readTable = createTableReader({
    nodeRuntime,
    script: join(project, 'out', 'main', 'table-program.js'),
  });
  const library = createBenchmarkLibrary({
    dataDir,
    clock: clock.now,
    readTable,
    openTestParser: () => createTestParser(() => executablesNamed('python3')),
    onGenerated: () => events.emit({ kind: 'library-changed' }),
  });
  const grader = createGraderProvider({
    resourcesDir: join(project, 'resources'),
    dataDir,
    registry,
    machines: fleet,
  });
  const checkpoints = pocketCheckpoints({
    dataDir,
    nodeRuntime,
    script: join(project, 'out', 'main', 'pretrain-pocket.js'),
    onFailure: (error) => log.write('error', 'pocket checkpoints', error),
  });
  const studyDeps: StudyDeps = {
    appVersion,
    now: clock.now,
    sleep,
    digest: textDigest,
    openGrader: grader.open,
    library,
    servers,
    checkpoints,
    files: studyFiles(dataDir, (damage) => log.write('warning', 'studies', damage)),
    provenanceOf: jobs.provenance,
    rewardOf: (model, signal) => rewardSource(model, checkpoints, signal),
  };
  const recovered = await recoverStudies({ registry, files: studyDeps.files });
  const studies = createStudyService({
    registry,
    deps: studyDeps,
    events,
    onError: createProblemReporter(events, log),
  });
  // Plans go by the states of their studies.
  await studies.checkJournals();
  // Their headlines, which only the registry had.
  for (const studyId of recovered.ok ? recovered.value : []) {
    await studies.results
      .analysis(studyId)
      .catch((error: unknown) => log.write('error', `headline of ${studyId}`, error));
  }
  // Outlines of problems that only another lab has, for tables.
  const outlines = openBenchmarkOutlines(join(dataDir, 'outlines'));
  const knownLibrary = outlines.extend(library);
  const comparison = createRunComparison({
    registry,
    results: studies.results,
    library: knownLibrary,
    checkpoints,
  });
  return { library, grader, checkpoints, studyDeps, recovered, studies, outlines, knownLibrary, comparison };
}

type Studies = Awaited<ReturnType<typeof openStudies>>;

/** Trainings, and the plans of many steps that use them: experiments and reproductions of exhibits. */
async function openPlans(context: ServiceContext, machines: Machines, searching: Studies) {
  const { dataDir, project, nodeRuntime, registry, events, log } = context;
  const { fleet, monitor, jobs, gpus, servers } = machines;
  const { library, knownLibrary, checkpoints, studies, comparison } = searching;
  const onError = createProblemReporter(events, log);
  const slots = availableParallelism();
  const trainings = await createTrainingService({
    jobs,
    machines: fleet,
    gpus,
    nodeRuntime,
    pocketTrainerScript: join(project, 'out', 'main', 'pocket-trainer.js'),
    benchmarks: library,
    resourcesDir: join(project, 'resources'),
    checkpointsDir: join(dataDir, 'checkpoints'),
    allowsUnsandboxed: () => registry.read().settings.gradeWithoutSandbox,
    hasGraderToken: () => (process.env[GRADER_TOKEN_VARIABLE] ?? '') !== '',
    dataDir,
    clock,
    newId,
    onError,
  });
  const experiments = await createExperimentService({
    trainings,
    heldOutProblems: heldOutProblemReader(knownLibrary),
    folder: join(dataDir, 'experiments'),
    clock,
    newId,
    slots,
    onError,
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
    monitor,
    jobs,
    library,
    registry,
    comparison,
    events,
    folder: join(dataDir, 'reproductions'),
    clock,
    newId,
    slots,
    onError,
  });
  const gpuDays = createGpuDays({
    ...{ trainings, studies, servers, jobs, library, registry, clock, sleep, newId },
    ...{ machines: fleet, monitor, appVersion: context.appVersion, dataDir },
    provenanceOf: jobs.provenance,
    resourcesDir: join(project, 'resources'),
  });
  return { trainings, experiments, exhibits, reproductions, gpuDays };
}

type Plans = Awaited<ReturnType<typeof openPlans>>;

/** GPU-hours and tokens: last, since it asks all that orders jobs. */
function openUsage(context: ServiceContext, machines: Machines, searching: Studies, plans: Plans) {
  const { dataDir, registry, events, log } = context;
  const { jobs, fleet } = machines;
  const { trainings, experiments, reproductions } = plans;
  return createUsageService({
    ...{ dataDir, jobs, trainings, experiments, reproductions, registry, clock },
    files: searching.studyDeps.files,
    isSlurm: (id) => fleet.specs().some((spec) => spec.id === id && spec.kind === 'slurm'),
    onError: createProblemReporter(events, log),
  });
}

/** Tables, figures and bundles. */
function openReports(
  context: ServiceContext,
  { jobs }: Machines,
  searching: Studies,
  plans: Plans,
  usage: UsageService,
) {
  const { exhibits, reproductions, trainings, experiments } = plans;
  const { dataDir, project, appVersion, registry } = context;
  const { comparison, knownLibrary, outlines, studyDeps, studies } = searching;
  const fillExhibit = exhibitFilling({ exhibits, studies, trainings, comparison });
  const figures = createFigureWorker(join(project, 'out', 'main', 'figure-program.js'));
  const reports = createReportService({
    comparison,
    registry,
    library: knownLibrary,
    outlines,
    hues: hueAssignments(registry),
    journal: studyDeps.files.journal,
    regrade: studyDeps.files.regrade,
    outcomes: studies.results.outcomes,
    studies: {
      isRunning: studies.isRunning,
      folder: studyDeps.files.folder,
      readable: studies.results.readable,
      analysis: studies.results.analysis,
      exportCsv: studies.results.exportCsv,
      adopt: studies.adopt,
      regrade: studies.results.regrade,
      saveRegrade: studies.results.saveRegrade,
    },
    experiments,
    reproductions: { ...reproductions, folder: (id) => join(dataDir, 'reproductions', id) },
    exhibits: {
      save: async (exhibit) => {
        const known = await exhibits.get(exhibit.id);
        if (!known.ok) await exhibits.save(`${JSON.stringify(exhibit, null, 2)}\n`);
      },
    },
    origins: {
      ofStudy: (id) => readOrigins(studyDeps.files, id),
      ofReproduction: async (id) => trainingOrigins(trainings, jobs, id),
    },
    draw: figures.draw,
    fillExhibit,
    usage: usage.read,
    appVersion,
    dataDir,
  });
  return { figures, reports, fillExhibit };
}

/** All services of the workbench, each opened after those that it uses. */
export async function openServices(context: ServiceContext) {
  const machines = await openMachines(context);
  const searching = await openStudies(context, machines);
  const plans = await openPlans(context, machines, searching);
  const usage = openUsage(context, machines, searching, plans);
  const tasks = createLongTasks(context.events, clock.now);
  const reports = openReports(context, machines, searching, plans, usage);
  return { ...machines, ...searching, ...plans, ...reports, usage, tasks };
}

export type Services = Awaited<ReturnType<typeof openServices>>;

/** Stops what runs so that it can be resumed, `handOver`: by the next service; users before what they use. */
export function closingSteps(services: Services, handOver: boolean): readonly ClosingStep[] {
  return [
    ['tasks', () => services.tasks.cancelAll()],
    ['figures', () => services.figures.dispose()],
    ['usage', () => services.usage.close()],
    ['reproductions', () => services.reproductions.dispose()],
    ['studies', () => services.studies.close({ handOver })],
    ['experiments', () => services.experiments.dispose()],
    ['trainings', () => services.trainings.dispose()],
    ['servers', () => services.servers.dispose()],
    ['jobs', () => services.jobs.dispose()],
    ['forwards', () => services.forwards.dispose()],
    ['monitor', () => services.monitor.dispose()],
    ['terminals', () => services.terminals.dispose()],
    ['machines', () => services.fleet.dispose()],
    ['grader', () => services.grader.close()],
  ];
}
