import { setTimeout as sleep } from 'node:timers/promises';
import type { Grader } from '../../grading/index';
import type { PocketPolicy } from '../../pocket/index';
import { type TrainingOptions, train } from '../trainer';
import { basePolicies } from './base-policies';
import { PocketLearner } from './pocket-learner';
import { pocketLearning } from './pocket-learning';
import { pocketEnvironment } from './pocket-problems';
import type { TrainingInput } from './training-input';

export type TrainerOptions = Pick<TrainingOptions, 'out' | 'now' | 'stop' | 'saveEveryMs' | 'onProgress'> & {
  readonly input: TrainingInput;
  /** Folder of the pre-trained policies, shared by trainings. */
  readonly checkpoints: string;
  readonly grader: Pick<Grader, 'grade' | 'health'>;
};

/**
 * Trains pocket policies. Whenever it is stopped or killed, the files of the whole training (except times.jsonl) are
 * byte-identical to those of an uninterrupted run. Throws TrainerError.
 */
export function trainPocket(options: TrainerOptions): Promise<'done' | 'stopped'> {
  const { input, checkpoints, grader } = options;
  return train(
    {
      ...options,
      learning: pocketLearning(input),
      oldFrom: 'sampled',
      isReproducible: true,
      sleep: (ms) => sleep(ms),
      // A round takes seconds, and is always completed.
      signal: new AbortController().signal,
    },
    async () => {
      const policies = await basePolicies(input, checkpoints);
      return {
        policies: policies.map((policy, i) => pocketLearner(input, i, policy)),
        environment: pocketEnvironment(input.spec, grader),
      };
    },
  );
}

function pocketLearner({ agents, spec }: TrainingInput, i: number, policy: PocketPolicy): PocketLearner {
  return new PocketLearner(agents[i]?.id as string, policy, spec.method);
}
