import type { PocketPolicy } from '../../../main/pocket';
import type { TreeDeps } from '../../../main/trainer/grow-tree';
import { PocketLearner, type PocketTrace } from '../../../main/trainer/pocket/pocket-learner';
import { pocketLearning } from '../../../main/trainer/pocket/pocket-learning';
import { TrainingProblems } from '../../../main/trainer/pocket/pocket-problems';
import type { TrainingInput } from '../../../main/trainer/pocket/training-input';
import { TrainingLoop } from '../../../main/trainer/training-loop';
import type { VerdictCache } from '../../../main/trainer/verdict-cache';
import { temporaryFolder } from '../../support/temporary-folder';

/** What a tree of pocket policies needs. */
export function treeDeps(
  policies: ReadonlyMap<string, PocketPolicy>,
  cache: VerdictCache,
): TreeDeps<PocketTrace> {
  return depsOf(
    [...policies].map(([id, policy]) => new PocketLearner(id, policy, 'test')),
    cache,
  );
}

function depsOf(policies: readonly PocketLearner[], cache: VerdictCache): TreeDeps<PocketTrace> {
  return {
    policies: new Map(policies.map((policy) => [policy.id, policy])),
    environment: { benchmarkId: 'pocket', verdicts: cache },
    now: () => 0,
    sleep: async () => {},
    signal: new AbortController().signal,
  };
}

/** The loop of a training without evaluations, and its policies as they learn. */
export async function pocketLoop(
  input: TrainingInput,
  base: readonly PocketPolicy[],
  cache: VerdictCache,
): Promise<{
  readonly loop: TrainingLoop<PocketTrace>;
  readonly policies: ReadonlyMap<string, PocketPolicy>;
}> {
  const learners = input.agents.map(({ id }, i) => new PocketLearner(id, base[i] as PocketPolicy, 'test'));
  const problems = new TrainingProblems(input.spec);
  const loop = new TrainingLoop<PocketTrace>({
    learning: pocketLearning(input),
    deps: depsOf(learners, cache),
    environment: { problemOf: async (tree) => problems.of(tree) },
    oldFrom: 'sampled',
    isReproducible: true,
    checkpoints: await temporaryFolder(),
    saved: null,
    passRates: async () => new Map(),
  });
  return { loop, policies: new Map(learners.map(({ id, policy }) => [id, policy])) };
}
