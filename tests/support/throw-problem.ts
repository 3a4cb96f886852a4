import type { ReconcileProblem } from '../../main/reconcile';

/** For services in tests: an unexpected error of background work fails the test run. */
export function throwProblem({ error }: ReconcileProblem): never {
  throw error;
}
