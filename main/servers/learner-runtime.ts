import type { ServerLaunch } from '../../preload/contract';
import { ok } from '../base';
import { type AsyncResult, learnerPaths, type Machine, preparedLearner, shipLearner } from '../machines';
import { ENGINES } from './logic/engines';
import type { LearnerRuntime } from './logic/launch-command';

/**
 * What a launch of our own engine is run by: Python of its environment; where it names none, of the learner's prepared
 * environment if that is there. null: the engine needs none. `ships`: copies the package to the machine.
 */
export async function learnerRuntime(
  machine: Machine,
  { engine, environment }: ServerLaunch,
  { resourcesDir, ships }: { readonly resourcesDir: string; readonly ships: boolean },
): AsyncResult<LearnerRuntime | null> {
  if (!ENGINES[engine].usesLearner) return ok(null);
  const paths = await (ships ? shipLearner : learnerPaths)(machine, resourcesDir);
  if (!paths.ok) return paths;
  const { program } = paths.value;
  if (environment.kind !== 'path') return ok({ program, python: 'python3' });
  const prepared = await preparedLearner(machine, resourcesDir);
  return prepared.ok ? ok({ program, python: prepared.value ?? 'python3' }) : prepared;
}
