import type { DoctorCheck, ModelTraining, TrainingRequest } from '../../preload/contract';
import { ok } from '../base';
import { type AsyncResult, checkLearner, type Machine } from '../machines';
import { modelChecks, modelSizesScript, trainingSetUp } from './logic/model-checks';

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
  return sizes.ok ? ok([...learner.value, ...modelChecks(sizes.value.stdout, spec)]) : sizes;
}
