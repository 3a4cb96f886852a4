import type { Sampling } from '../sampling';
import type { ModelTraining } from '../training-spec';

type ModelAgent = ModelTraining['agents'][number];

/** How an agent's answers are drawn while it trains: from the model's own distribution. */
export function trainingSampling({ maxTokens, thinking }: ModelAgent): Sampling {
  return { temperature: 1, topP: 1, maxTokens, ...(thinking === undefined ? {} : { thinking }) };
}

/** The same in the training's evaluation: as in training, except for what the evaluation sets. */
export function evaluationSampling({ evaluation }: ModelTraining, agent: ModelAgent): Sampling {
  const set = Object.entries(evaluation.sampling ?? {}).filter(([, value]) => value !== undefined);
  return { ...trainingSampling(agent), ...Object.fromEntries(set) };
}
