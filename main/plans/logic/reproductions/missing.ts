import type { Missing, PaperSettings } from '../../../../preload/contract';
import { capitalised } from '../../../base';
import { fewestServerGpus, fewestTrainingGpus, type ModelSize, SERVED_GIB } from './gpu-needs';
import type { PlanInputs } from './plan-inputs';

/** "8 GPUs of 80 GiB"; null: more than any known machine has. */
export function gpuText(needed: { readonly gpus: number; readonly memoryGib: number } | null): string {
  if (needed === null) return 'more memory than 8 GPUs have';
  return `${needed.gpus} ${needed.gpus === 1 ? 'GPU' : 'GPUs'} of ${needed.memoryGib} GiB`;
}

type Known = Pick<PlanInputs, 'machines' | 'clusters'>;

/** How to get GPUs: first from known machines that do not answer. */
function moreGpusHint({ machines, clusters }: Known): Pick<Missing, 'todo' | 'address'> {
  const more = 'add a GPU machine or a Slurm cluster.';
  const disconnected = machines.find(({ connection }) => connection.kind !== 'connected');
  const silent = machines.find(({ spec }) => spec.kind === 'slurm' && !clusters.has(spec.id));
  if (disconnected !== undefined) {
    const todo = `Connect ${disconnected.spec.name} to find out its GPUs, or ${more}`;
    return { todo, address: `/machines/${disconnected.spec.id}` };
  }
  if (silent !== undefined) {
    const todo = `Plan again when ${silent.spec.name} answers: its partitions are not known yet. Or ${more}`;
    return { todo, address: `/machines/${silent.spec.id}` };
  }
  return { todo: capitalised(more), address: '/add-machine' };
}

export function serverTooLarge(
  model: ModelSize & { readonly name: string },
  leastGpus: number,
  known: Known,
): Missing {
  const needed = { gpus: fewestServerGpus(model, leastGpus), memoryGib: SERVED_GIB };
  return {
    what: `No machine has GPUs for a server of ${model.name}: a server takes ${gpuText(needed)}.`,
    subject: model.name,
    ...moreGpusHint(known),
  };
}

export function trainingTooLarge(
  names: string,
  models: readonly ModelSize[],
  trainer: 'own' | 'marti',
  known: Known,
): Missing {
  const needs = `a training takes ${gpuText(fewestTrainingGpus(models, trainer))} in one machine`;
  const { todo, address } = moreGpusHint(known);
  return {
    what: `No machine can train ${names}: ${needs}.`,
    todo: `${todo} Or name existing checkpoints.`,
    address,
    field: 'checkpoints',
    subject: names,
  };
}

/** What our trainer needs and the order does not name. `known`: ids of the library's benchmarks. */
export function noTrainingBenchmark(
  { trainingBenchmark }: PaperSettings,
  known: readonly string[],
): readonly Missing[] {
  if (trainingBenchmark !== null && known.includes(trainingBenchmark)) return [];
  return [
    {
      what:
        trainingBenchmark === null
          ? 'The benchmark to train on is not set.'
          : `The library has no benchmark "${trainingBenchmark}" to train on.`,
      todo: 'Import one with tests whose problems are not those of the exhibit, and choose it. Or name existing checkpoints.',
      address: '/library',
      field: 'trainingBenchmark',
    },
  ];
}

/** Paths that must be set before MARTI can train. */
export function unsetPaths(settings: PaperSettings): readonly Missing[] {
  const paths = [
    ['martiCheckout', 'folder of the MARTI repository'],
    ['trainingData', 'folder of the training data'],
    ['trainingOutput', 'folder for the output of trainings'],
  ] as const;
  return paths
    .filter(([key]) => settings[key] === null)
    .map(([field, folder]) => ({
      what: `The ${folder} on the machines is not set.`,
      todo: 'Set it, or name existing checkpoints.',
      address: null,
      field,
    }));
}

export function noBenchmark(benchmark: { readonly name: string; readonly problems: number }): Missing {
  return {
    what: `${benchmark.name} with its ${benchmark.problems} problems is not in the library.`,
    todo:
      benchmark.name.toLowerCase().includes('livecodebench') && benchmark.problems === 175
        ? 'Import test6.jsonl of livecodebench/code_generation_lite, which is version v6.'
        : 'Import it.',
    address: '/library',
  };
}

export function serversTooLarge(machineName: string, needed: number, total: number): Missing {
  return {
    what: `Its servers need ${needed} GPUs of ${machineName} at once, but it has ${total}.`,
    todo: 'Add a machine with more GPUs, or move its models to several machines.',
    address: '/add-machine',
  };
}
