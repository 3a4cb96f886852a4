import type { PocketTraining, ServerSpec } from '../../../preload/contract/index';
import { MAX_CONCURRENT } from '../learner-groups';
import type { LearningInput } from '../learning-input';
import type { TrainingInput } from './training-input';

/** Seed of a learner's pre-training. A family used twice gives two policies, pre-trained separately. */
export function pretrainingSeed({ families, seed }: PocketTraining, learner: number): number {
  return seed + families.slice(0, learner).filter((family) => family === families[learner]).length;
}

/** What the loop trains in a pocket training. */
export function pocketLearning({ spec, agents }: TrainingInput): LearningInput {
  const members = agents.map(({ id }, learner) => {
    const family = spec.families[learner] as string;
    const server: ServerSpec = {
      kind: 'pocket',
      id,
      model: `pocket-${family}`,
      family,
      checkpointSeed: pretrainingSeed(spec, learner),
      latencyMs: 0,
      maxInFlight: MAX_CONCURRENT,
    };
    return { server };
  });
  return { spec, members };
}
