import {
  EXPERIMENT_PRESETS,
  type ExperimentRequest,
  experimentFromPreset,
  experimentPresetOf,
} from '../../preload/contract/index';
import { type CliOptions, definedOnly, UsageError } from './cli-options';

/** A preset, with the changes that the options make. */
export function experimentRequestOf(options: CliOptions): ExperimentRequest {
  const name = options.word(0, 'The preset');
  const ready = experimentPresetOf(name);
  if (ready === null) {
    const names = EXPERIMENT_PRESETS.map(({ id }) => id).join(', ');
    throw new UsageError(`There is no preset "${name}". There are: ${names}.`);
  }
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
