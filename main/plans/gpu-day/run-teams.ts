import type { Refusal, Study, StudyState } from '../../../preload/contract/index';
import { chosenProblems, launchServer } from '../../../preload/contract/plans/index';
import { counted } from '../../base/index';
import type { BenchmarkLibrary } from '../../benchmarks/index';
import type { ServerService } from '../../servers/index';
import type { Registry } from '../../storage/index';
import { newStudy, type StudyService, studyIdOf } from '../../studies/index';
import { teamLaunch, teamStudy, teamValues } from '../logic/gpu-day/team-search';
import type { GpuDayContext } from '../logic/gpu-day/training-steps';
import { POLL_EVERY_MS, type StepOutcome, type StepRun, textOf } from './run-training';

export type TeamDeps = {
  readonly studies: Pick<StudyService, 'list' | 'add' | 'start' | 'stop' | 'results'>;
  readonly servers: Pick<ServerService, 'ensure' | 'views' | 'stopOwnedBy'>;
  readonly library: Pick<BenchmarkLibrary, 'find' | 'outline'>;
  readonly registry: Pick<Registry, 'update'>;
  readonly clock: { readonly now: () => number };
  readonly sleep: (ms: number) => Promise<void>;
  /** A word that no other study has. */
  readonly newId: () => string;
};

/** Owner of the server, so that it stops with the step. */
const OWNER = 'gpu-day';

/** Serves the model and its adapter by one vLLM, and searches with three teams. `adapter`: its folder; null: none was trained. */
export async function runTeams(
  context: GpuDayContext & { readonly adapter: string | null },
  deps: TeamDeps,
  run: StepRun,
): Promise<StepOutcome> {
  const { request, adapter, vllm, gpus } = context;
  if (adapter === null) {
    const why = 'No adapter was trained for the third team.';
    return { state: 'left-out', why, values: {}, jobIds: [] };
  }
  const launch = teamLaunch(request, { vllm, gpus, adapter });
  const jobIds = (): string[] =>
    deps.servers
      .views()
      .flatMap(({ launchId, jobId }) => (launchId === launch.id && jobId !== null ? [jobId] : []));
  const ended = (why: string): StepOutcome => ({ state: 'failed', why, values: {}, jobIds: jobIds() });
  const saved = await deps.registry.update((data) => ({
    ...data,
    launches: [...data.launches.filter(({ id }) => id !== launch.id), launch],
  }));
  if (!saved.ok) return ended(textOf(saved.error));
  try {
    run.activity('starting vLLM');
    const server = await deps.servers.ensure(launchServer(launch.id, launch.model), null, OWNER, run.signal);
    if (!server.ok) return ended(textOf(server.error));
    const study = await addedStudy(context, deps, server.value.baseUrl);
    if ('message' in study) return ended(textOf(study));
    const state = await searched(study.id, deps, run);
    if (state !== null) return ended(state);
    const analysis = await deps.studies.results.analysis(study.id);
    if (!analysis.ok) return ended(textOf(analysis.error));
    return { state: 'done', why: null, values: teamValues(analysis.value), jobIds: jobIds() };
  } finally {
    await deps.servers.stopOwnedBy(OWNER);
    await deps.registry.update((data) => ({
      ...data,
      launches: data.launches.filter(({ id }) => id !== launch.id),
    }));
  }
}

async function addedStudy(
  { request: dayRequest, name }: GpuDayContext,
  { library, studies, clock, newId }: TeamDeps,
  baseUrl: string,
): Promise<Study | Refusal> {
  const benchmark = await library.find(dayRequest.benchmarkId);
  if (!benchmark.ok) return benchmark.error;
  const outline = await library.outline(dayRequest.benchmarkId);
  if (!outline.ok) return outline.error;
  const request = teamStudy(dayRequest, name, baseUrl);
  const createdAt = new Date(clock.now()).toISOString();
  const study = newStudy(request, {
    ...{ studyId: studyIdOf(createdAt, newId()), createdAt, benchmark: benchmark.value },
    problemIds: chosenProblems(request, benchmark.value, outline.value),
    launchScale: () => 'own',
    arePapers: () => false,
  });
  const added = await studies.add(study);
  if (!added.ok) return added.error;
  const started = await studies.start(study.id);
  return started.ok ? study : started.error;
}

/** null: it is finished; else why not. */
async function searched(
  studyId: string,
  { studies, clock, sleep }: TeamDeps,
  { signal, until, activity }: StepRun,
): Promise<string | null> {
  for (;;) {
    const view = studies.list().find(({ study }) => study.id === studyId);
    if (view === undefined) return 'Its study was removed.';
    const over = endOf(view.state);
    if (over !== undefined) return over;
    if (signal.aborted || clock.now() > until) {
      await studies.stop(studyId, 'cancelled');
      return 'It took too long, and was stopped.';
    }
    activity(`${view.progress.nodesDone} of ${counted(view.progress.nodesTotal, 'program')}`);
    await sleep(POLL_EVERY_MS);
  }
}

/** undefined: it continues. */
function endOf(state: StudyState): string | null | undefined {
  if (state.kind === 'finished') return null;
  if (state.kind === 'failed' || state.kind === 'missing') return textOf(state);
  const hasStopped = state.kind === 'paused' || state.kind === 'cancelled' || state.kind === 'interrupted';
  return hasStopped ? 'Its study was stopped.' : undefined;
}
