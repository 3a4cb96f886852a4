import type { MartiTraining, TrainingRequest } from '../../../../preload/contract';
import type { PreparedTraining } from '../prepared';
import { martiCommand } from './marti-command';
import { martiNotes } from './marti-notes';
import { martiPaths } from './marti-paths';
import { martiProblems } from './marti-problems';
import { martiSetUp } from './marti-set-up';
import { martiGpus } from './marti-values';

/** Prepares a MARTI training as a job. `preflight`: source of the Python program that must succeed first. */
export function prepareMarti(
  request: TrainingRequest,
  spec: MartiTraining,
  training: { readonly id: string; readonly preflight: string },
): PreparedTraining {
  const paths = martiPaths(spec, training.id);
  const gpus = martiGpus(spec);
  const problems = martiProblems(spec, request.resources);
  return {
    commandLine: martiCommand(spec, paths),
    setUp: martiSetUp(spec, paths, training.preflight),
    env: {},
    // On a running cluster, Ray assigns the GPUs.
    resources:
      spec.rayAddress === null
        ? { ...request.resources, gpus }
        : { ...request.resources, gpus: 0, gpuIds: null },
    gpus,
    notes: martiNotes(spec, paths),
    problems,
  };
}
