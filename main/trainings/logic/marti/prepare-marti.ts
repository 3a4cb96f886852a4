import type { MartiTraining, TrainingOrder } from '../../../../preload/contract';
import type { PreparedTraining } from '../prepared';
import { martiCommand } from './marti-command';
import { martiGpus } from './marti-gpus';
import { martiNotes } from './marti-notes';
import { martiPlaces } from './marti-places';
import { martiProblems } from './marti-problems';
import { martiSetUp } from './marti-set-up';

/** A MARTI training as a job. `preflight` is the text of the Python program that has to be content first. */
export function prepareMarti(
  order: TrainingOrder,
  spec: MartiTraining,
  training: { readonly id: string; readonly preflight: string },
): PreparedTraining {
  const places = martiPlaces(spec, training.id);
  const gpus = martiGpus(spec);
  const problems = martiProblems(spec, order.resources);
  return {
    // Where values are wrong, what they would make is no use and may not even be possible.
    commandLine: martiCommand(spec, places),
    setUp: martiSetUp(spec, places, training.preflight),
    env: {},
    // On a cluster that runs, Ray gives the GPUs.
    resources:
      spec.rayAddress === null ? { ...order.resources, gpus } : { ...order.resources, gpus: 0, gpuIds: null },
    gpus,
    notes: martiNotes(spec, places),
    problems,
  };
}
