import { differenceCount, PRESETS, type Preset } from '../../preload/contract/plans/index';
import type { RewardModel, SearchOptions } from '../../preload/contract/strategy';

/** The search method, as entered in the form. */
export type MethodDraft = Pick<SearchOptions, 'strategy' | 'score' | 'tie' | 'feedback'> & {
  readonly reward: 'none' | 'pocket' | 'http';
  /** As entered; only used with `http`. */
  readonly rewardUrl: string;
  readonly rewardUse: RewardModel['use'];
};

/** Seed of the pocket reward model's training; not configurable in the window. */
const REWARD_SEED = 1;
const REWARD_WEIGHT = 0.2;

export function presetNamed(id: string): Preset {
  return PRESETS.find((preset) => preset.id === id) ?? (PRESETS[0] as Preset);
}

/** The method of a preset. Only pocket benchmarks have a built-in reward model. */
export function methodOfPreset(preset: Preset, pocket: boolean): MethodDraft {
  const { guided, ...method } = preset.method;
  return { ...method, reward: guided && pocket ? 'pocket' : 'none', rewardUrl: '', rewardUse: 'choice' };
}

export function isChanged(preset: Preset, method: MethodDraft, pocket: boolean): boolean {
  return differenceCount(methodOfPreset(preset, pocket), method) > 0;
}

/** The search options that the method sets. */
export function searchOptionsOf(
  method: MethodDraft,
): Pick<SearchOptions, 'strategy' | 'score' | 'tie' | 'feedback' | 'rewardModel'> {
  const { strategy, score, tie, feedback, reward, rewardUrl, rewardUse } = method;
  const model = { use: rewardUse, weight: REWARD_WEIGHT };
  const rewardModel: RewardModel | null =
    reward === 'none'
      ? null
      : reward === 'pocket'
        ? { ...model, source: { kind: 'pocket', seed: REWARD_SEED } }
        : { ...model, source: { kind: 'http', url: rewardUrl.trim() } };
  return { strategy, score, tie, feedback, rewardModel };
}
