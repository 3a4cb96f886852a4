import { readFile } from 'node:fs/promises';
import type { Refusal, RewardModel } from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import { loadRewardModel, parseRewardModel, pocketReward } from '../pocket/index';
import type { RewardFunction } from '../search/index';
import { httpReward } from '../servers/index';
import type { PocketCheckpoints } from '../studies/index';

/** Prepares a reward model: one behind an address is called on demand; the pocket one is trained first if needed. */
export async function rewardSource(
  { source }: RewardModel,
  checkpoints: PocketCheckpoints,
  signal: AbortSignal,
): Promise<Result<RewardFunction, Refusal>> {
  if (source.kind === 'http') return ok(httpReward(source.url));
  const path = await checkpoints.ensureReward(source.seed, signal);
  if (!path.ok) return path;
  const parsed = parseRewardModel(await readFile(path.value, 'utf8'));
  if (!parsed.ok) return failed({ code: 'internal', message: parsed.error.message });
  const model = loadRewardModel(parsed.value);
  return model.ok
    ? ok(pocketReward(model.value))
    : failed({ code: 'internal', message: model.error.message });
}
