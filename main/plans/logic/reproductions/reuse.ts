import type {
  MartiTraining,
  ModelTraining,
  RunConfig,
  ServerSpec,
  TrainingSpec,
  TrainingView,
} from '../../../../preload/contract';
import { jobHasSucceeded } from '../../../../preload/contract/folds';
import { canonicalJson } from '../../../base';
import { withoutPaths } from './own-training';
import type { KnownBenchmark, KnownRun } from './plan-inputs';
import { searchTeam } from './team';
import type { SearchWork } from './work';

/**
 * All settings that affect the final weights of a training, as text. `curve`: its evaluations are needed too, so their
 * settings must be equal as well. The steps of earlier checkpoints do not affect the last one.
 */
function trainingKey(spec: TrainingSpec, curve: boolean): string {
  if (spec.kind === 'marti') return martiKey(spec);
  if (spec.kind === 'recipe' || spec.kind === 'watched') return canonicalJson(spec);
  const { evaluation, checkpointEvery: _, ...weights } = spec.kind === 'model' ? learningOf(spec) : spec;
  return canonicalJson(curve ? { ...weights, evaluation } : weights);
}

function learningOf(spec: ModelTraining) {
  const { evaluation, checkpointEvery } = spec;
  return { ...withoutPaths(spec), evaluation, checkpointEvery };
}

/** Flags for output paths, output intervals and numbers of GPUs: they do not affect the weights. */
const MACHINE_FLAGS =
  /^(save_steps|max_ckpt_num|vllm_num_engines|vllm_tensor_parallel_size)$|_num_gpus_per_node$|_num_nodes$/;

function martiKey({ preset, agents, data, flags }: MartiTraining): string {
  const learning = Object.entries(flags).filter(([name]) => !MACHINE_FLAGS.test(name));
  return canonicalJson({ preset, agents, data, flags: Object.fromEntries(learning) });
}

/** The newest training that is done, on one of these machines, and gives the same weights; null: there is none. */
export function sameTraining(
  spec: TrainingSpec,
  curve: boolean,
  trainings: readonly TrainingView[],
  mayUse: (machineId: string) => boolean,
): TrainingView | null {
  const key = trainingKey(spec, curve);
  const same = trainings.filter(
    (training) =>
      jobHasSucceeded(training.state) &&
      mayUse(training.machineId) &&
      trainingKey(training.spec, curve) === key,
  );
  return same.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1)).at(-1) ?? null;
}

/**
 * A run that has searched the same: team, weights, problems by digest, search and seed; null: none, or the servers'
 * weights are not known yet. `specs`: as `searchTeam` takes them, with checkpoint "" where only the training is known.
 */
export function sameRun(
  work: Omit<SearchWork, 'run'>,
  specs: ReadonlyMap<string, ServerSpec> | null,
  benchmark: KnownBenchmark | null,
  runs: readonly KnownRun[],
): KnownRun | null {
  if (specs === null || benchmark === null) return null;
  const key = runKey({
    team: searchTeam(work, specs),
    benchmarkDigest: benchmark.benchmark.digest,
    problemIds: problemIdsOf(work, benchmark),
    search: work.search,
    seed: work.seed,
  });
  return runs.find(({ finished, config }) => finished && runKey(config) === key) ?? null;
}

function problemIdsOf({ problems }: Pick<SearchWork, 'problems'>, known: KnownBenchmark): string[] {
  return problems.kind === 'pocket'
    ? known.problems.slice(0, problems.first).map(({ id }) => id)
    : [...problems.problemIds];
}

type SearchedRun = Pick<RunConfig, 'team' | 'benchmarkDigest' | 'problemIds' | 'search' | 'seed'>;

function runKey({ team, benchmarkDigest, problemIds, search, seed }: SearchedRun): string {
  // Names and the ids of servers do not change what is searched, but agents' ids are part of their seeds.
  return canonicalJson({ team: withoutNames(team), benchmarkDigest, problemIds, search, seed });
}

function withoutNames(team: RunConfig['team']): unknown {
  return {
    ...team,
    agents: team.agents.map(({ name: _name, ...agent }) => agent),
    servers: team.servers.map((server) => ({ ...server, ...weightsOf(server) })),
  };
}

/** Searches use a training's last checkpoint, so the training's id identifies it. */
function weightsOf(server: ServerSpec): Partial<ServerSpec> {
  if (server.kind !== 'pocket' || server.trained === undefined) return {};
  return { trained: { ...server.trained, checkpointId: '' } };
}
