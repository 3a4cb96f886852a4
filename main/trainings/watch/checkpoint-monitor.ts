import type { Refusal, TrainingCheckpoint } from '../../../preload/contract';
import { failed, ok, type Result } from '../../base';
import {
  type CheckpointListing,
  checkpointScript,
  parseCheckpointListing,
} from '../logic/watch/checkpoint-listing';
import type { TrainingWatchOptions } from './watch-source';

/** Fresh enough for alarms; a request for checkpoints always refreshes. */
const REFRESH_EVERY_MS = 60_000;
/** Measuring folder sizes on a busy network disk is slow. */
const TIMEOUT_MS = 120_000;

type CheckpointMonitor = {
  readonly refresh: () => Promise<Result<readonly TrainingCheckpoint[], Refusal>>;
  /**
   * Refreshes a stale list; true if the checkpoints changed. A disk that does not answer in time must not keep metrics
   * from being read: it is tried again later.
   */
  readonly refreshIfStale: () => Promise<Result<boolean, Refusal>>;
  /** As of the last refresh. `aheadMs`: how far the machine's clock is ahead of ours. */
  readonly latest: () => Pick<CheckpointListing, 'disk' | 'checkpoints'> & { readonly aheadMs: number };
};

/** Lists the checkpoints on the machine, its free disk space and its clock with one script. */
export function openCheckpointMonitor({
  machine,
  agents,
  paths,
  clock,
}: Pick<TrainingWatchOptions, 'machine' | 'agents' | 'paths' | 'clock'>): CheckpointMonitor {
  const agentIds = agents.map(({ id }) => id);
  const script = checkpointScript(paths.checkpoints);
  let latest: ReturnType<CheckpointMonitor['latest']> = { checkpoints: [], disk: null, aheadMs: 0 };
  let refreshedMs = Number.NEGATIVE_INFINITY;

  const refresh: CheckpointMonitor['refresh'] = async () => {
    refreshedMs = clock.now();
    const result = await machine.run(script, { timeoutMs: TIMEOUT_MS });
    if (!result.ok) return result;
    const isoDate = (ms: number): string => new Date(ms).toISOString();
    const { nowSeconds, disk, checkpoints } = parseCheckpointListing(
      result.value.stdout,
      paths.checkpoints,
      agentIds,
      isoDate,
    );
    if (nowSeconds === null) {
      const message = `Cannot list the checkpoints: the machine answered “${result.value.stdout.slice(0, 200)}”.`;
      return failed({ code: 'unavailable', message });
    }
    latest = { checkpoints, disk, aheadMs: nowSeconds * 1_000 - clock.now() };
    return ok(checkpoints);
  };

  return {
    refresh,
    refreshIfStale: async () => {
      if (clock.now() - refreshedMs < REFRESH_EVERY_MS) return ok(false);
      const before = idsOf(latest.checkpoints);
      const refreshed = await refresh();
      if (!refreshed.ok) return refreshed.error.code === 'unreachable' ? refreshed : ok(false);
      return ok(idsOf(refreshed.value) !== before);
    },
    latest: () => latest,
  };
}

function idsOf(checkpoints: readonly TrainingCheckpoint[]): string {
  return checkpoints.map(({ id }) => id).join('\n');
}
