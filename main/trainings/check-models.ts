import type { DoctorCheck, ModelTraining, TrainingRequest } from '../../preload/contract';
import { ok } from '../base';
import { type AsyncResult, checkLearner, type Machine } from '../machines';
import { engineChecks, ggufAgents, machineScript, modelChecks, trainingSetUp } from './logic/model-checks';

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
    needsGguf: ggufAgents(spec).length > 0,
  });
  if (!learner.ok) return learner;
  const answer = await machine.run(machineScript(request, spec), { timeoutMs: SIZES_TIMEOUT_MS });
  if (!answer.ok) return answer;
  const { stdout } = answer.value;
  return ok([...learner.value, ...modelChecks(stdout, spec), ...engineChecks(stdout, spec)]);
}
