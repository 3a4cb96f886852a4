import type { Refusal, RewardModel, ServerSpec, Study } from '../../preload/contract/index';
import { ok, orThrow, RefusalError, type Result } from '../base/index';
import type { BenchmarkLibrary } from '../benchmarks/index';
import type { RewardFunction } from '../search/index';
import type { PocketCheckpoints } from './pocket-checkpoints';

/** Throws where a benchmark is not the one that the study began with. */
export function checkBenchmarks(study: Study, library: Pick<BenchmarkLibrary, 'list'>): void {
  for (const run of study.runs) {
    const benchmark = library.list().find(({ id }) => id === run.benchmarkId);
    if (benchmark?.digest === run.benchmarkDigest) continue;
    throw new RefusalError({
      code: 'conflict',
      message: `The benchmark ${run.benchmarkId} ${benchmark === undefined ? 'is not in the library' : 'differs from the one that this study began with'}.`,
      hint:
        run.scale === 'pocket'
          ? 'Start a quickstart study: that generates its benchmark again. Then resume this one.'
          : 'Import the same file again, or start a new study.',
      ...(run.scale !== 'pocket' && { cause: 'file' }),
    });
  }
}

/** The checkpoint or recording that a server answers from; null: it needs none. */
export async function modelFile(
  spec: ServerSpec,
  { library, checkpoints }: { readonly library: BenchmarkLibrary; readonly checkpoints: PocketCheckpoints },
  signal: AbortSignal,
  onPretraining: (family: string) => void,
): Promise<Result<string | null, Refusal>> {
  if (spec.kind === 'recorded') return library.recordingPath(spec.recordingId);
  if (spec.kind !== 'pocket') return ok(null);
  if (spec.trained !== undefined) return checkpoints.trained(spec.trained);
  onPretraining(spec.family);
  return checkpoints.ensure(spec.family, spec.checkpointSeed, signal);
}

/** By run. */
export async function rewardModels(
  study: Study,
  rewardOf: (model: RewardModel, signal: AbortSignal) => Promise<Result<RewardFunction, Refusal>>,
  signal: AbortSignal,
  onStep: (step: string) => void,
): Promise<Map<string, RewardFunction>> {
  const bySource = new Map<string, RewardFunction>();
  const rewards = new Map<string, RewardFunction>();
  for (const { id, search } of study.runs) {
    if (search.rewardModel === null) continue;
    onStep('preparing the reward model');
    const key = JSON.stringify(search.rewardModel.source);
    const reward = bySource.get(key) ?? orThrow(await rewardOf(search.rewardModel, signal));
    bySource.set(key, reward);
    rewards.set(id, reward);
  }
  return rewards;
}
