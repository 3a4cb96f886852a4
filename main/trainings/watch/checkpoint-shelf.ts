import type { Refusal, TrainingCheckpoint } from '../../../preload/contract';
import { failed, ok, type Result } from '../../base';
import { type CheckpointLook, checkpointScript, parseCheckpointLook } from '../logic/watch/checkpoint-look';
import type { TrainingWatchOptions } from './watch-options';

/** Alarms need no fresher ones; whoever asks for checkpoints looks anew. */
const LOOK_EVERY_MS = 60_000;
/** Sizes of folders on a busy network disk. */
const TIMEOUT_MS = 120_000;

type CheckpointShelf = {
  readonly look: () => Promise<Result<readonly TrainingCheckpoint[], Refusal>>;
  /**
   * Looks where the last look is old; true where there are others than before. A disk that does not answer in time is
   * no reason to read no numbers: then it looks again later.
   */
  readonly lookSometimes: () => Promise<Result<boolean, Refusal>>;
  /** As of the last look. `aheadMs`: how far the machine's clock is before ours. */
  readonly seen: () => Pick<CheckpointLook, 'disk' | 'found'> & { readonly aheadMs: number };
};

/** The checkpoints on the machine, its disk and its clock, by one question. */
export function openCheckpointShelf({
  machine,
  agents,
  sources,
  clock,
}: Pick<TrainingWatchOptions, 'machine' | 'agents' | 'sources' | 'clock'>): CheckpointShelf {
  const agentIds = agents.map(({ id }) => id);
  const script = checkpointScript(sources.checkpoints);
  let seen: ReturnType<CheckpointShelf['seen']> = { found: [], disk: null, aheadMs: 0 };
  let lookedMs = Number.NEGATIVE_INFINITY;

  const look: CheckpointShelf['look'] = async () => {
    lookedMs = clock.now();
    const told = await machine.run(script, { timeoutMs: TIMEOUT_MS });
    if (!told.ok) return told;
    const isoDate = (ms: number): string => new Date(ms).toISOString();
    const { nowSeconds, disk, found } = parseCheckpointLook(
      told.value.stdout,
      sources.checkpoints,
      agentIds,
      isoDate,
    );
    if (nowSeconds === null) {
      const message = `The checkpoints can not be listed: the machine answered “${told.value.stdout.slice(0, 200)}”.`;
      return failed({ code: 'unavailable', message });
    }
    seen = { found, disk, aheadMs: nowSeconds * 1_000 - clock.now() };
    return ok(found);
  };

  return {
    look,
    lookSometimes: async () => {
      if (clock.now() - lookedMs < LOOK_EVERY_MS) return ok(false);
      const before = idsOf(seen.found);
      const looked = await look();
      if (!looked.ok) return looked.error.code === 'unreachable' ? looked : ok(false);
      return ok(idsOf(looked.value) !== before);
    },
    seen: () => seen,
  };
}

function idsOf(checkpoints: readonly TrainingCheckpoint[]): string {
  return checkpoints.map(({ id }) => id).join('\n');
}
