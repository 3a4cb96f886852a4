import {
  EXPERIMENT_PRESETS,
  type ExperimentPreset,
  type ExperimentRequest,
  experimentFromPreset,
  experimentPresetOf,
  presetWithModels,
} from '../../preload/contract/index';
import { type CliOptions, definedOnly, UsageError } from './cli-options';
import { readTrainingFile } from './training-arguments';

/** A preset, with the changes that the options make. */
export async function experimentRequestOf(options: CliOptions): Promise<ExperimentRequest> {
  const name = options.word(0, 'The preset');
  const ready = experimentPresetOf(name);
  if (ready === null) {
    const names = EXPERIMENT_PRESETS.map(({ id }) => id).join(', ');
    throw new UsageError(`There is no preset "${name}". There are: ${names}.`);
  }
  const path = options.text('training');
  return path === undefined ? pocketRequest(ready, options) : modelRequest(ready, path, options);
}

/** The preset's rows with the language models of a training in a file. */
async function modelRequest(
  ready: ExperimentPreset,
  path: string,
  options: CliOptions,
): Promise<ExperimentRequest> {
  const training = await readTrainingFile(path);
  const { spec } = training;
  if (spec.kind !== 'model') {
    throw new UsageError(`${path} is not a training of language models ("kind": "model").`);
  }
  const own = ['updates', 'split', 'problems', 'nodes', 'samples'].find((option) => options.text(option));
  if (own !== undefined) {
    throw new UsageError(
      `--${own} is for pocket policies; of language models it is in the file of --training.`,
    );
  }
  const request = presetWithModels(ready, { ...training, spec }, options.seeds());
  return { ...request, name: options.text('name') ?? request.name };
}

function pocketRequest(ready: ExperimentPreset, options: CliOptions): ExperimentRequest {
  const request = experimentFromPreset(ready, options.seeds());
  const evaluation = definedOnly({
    problems: options.count('problems', 1, 1_000),
    nodes: options.count('nodes', 1, 1_000),
    samples: options.count('samples', 1, 1_000),
  });
  const updates = options.count('updates', 1, 100_000);
  const plain = { split: 'test', problems: 100, nodes: 60, samples: 16, every: 0 } as const;
  const split = options.choice('split', ['validation', 'test']);
  const training: ExperimentRequest['training'] = {
    ...request.training,
    ...(updates === undefined ? {} : { updates, checkpointEvery: updates }),
    evaluation: { ...plain, ...request.training.evaluation, ...definedOnly({ split }), ...evaluation },
  };
  // Rows that have a share of the updates keep their share.
  const planned = request.training.updates;
  const rows = request.rows.map((row) =>
    updates === undefined || planned === undefined || row.change.updates === undefined
      ? row
      : {
          ...row,
          change: {
            ...row.change,
            updates: Math.max(1, Math.round((row.change.updates / planned) * updates)),
          },
        },
  );
  return { ...request, name: options.text('name') ?? request.name, rows, training };
}
