import type { DoctorCheck, ModelTraining, TrainingRequest } from '../../preload/contract';
import { ok } from '../base';
import { type AsyncResult, checkLearner, type Machine } from '../machines';
import {
  engineCheck,
  engineScript,
  modelChecks,
  modelSizesScript,
  trainingSetUp,
} from './logic/model-checks';

/** Sizes of large folders on a network disk. */
const SIZES_TIMEOUT_MS = 120_000;

/** Whether the learner works with the training's Python, and whether its agents' models are on the machine. */
export async function checkModels(
  machine: Machine,
  request: TrainingRequest,
  spec: ModelTraining,
  resourcesDir: string,
): AsyncResult<readonly DoctorCheck[]> {
  const learner = await checkLearner(machine, {
    resourcesDir,
    python: spec.python,
    setUp: trainingSetUp(request),
  });
  if (!learner.ok) return learner;
  const sizes = await machine.run(modelSizesScript(spec), { timeoutMs: SIZES_TIMEOUT_MS });
  if (!sizes.ok) return sizes;
  const checks = [...learner.value, ...modelChecks(sizes.value.stdout, spec)];
  const script = engineScript(request, spec);
  if (script === null) return ok(checks);
  const found = await machine.run(script, { timeoutMs: SIZES_TIMEOUT_MS });
  if (!found.ok) return found;
  const engine = engineCheck(found.value.stdout, spec);
  return ok(engine === null ? checks : [...checks, engine]);
}
