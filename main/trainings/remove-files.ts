import type { Refusal } from '../../preload/contract';
import { assertNever, failed, ok, type Result } from '../base';
import type { AsyncResult, Machine } from '../machines';
import { removeScript, withTilde } from './logic/home-path';
import { martiPaths, shareOutput } from './logic/marti/marti-paths';
import type { TrainingRecord } from './logic/training-record';

/** Deletes the training's checkpoints on its machine if requested. Does not touch its folder on this computer. */
export async function removeTrainingFiles(
  record: TrainingRecord,
  options: {
    readonly checkpoints: boolean;
    readonly others: readonly TrainingRecord[];
    readonly machine: Result<Machine, Refusal>;
  },
): AsyncResult<null> {
  const { spec, name } = record.order;
  if (!options.checkpoints) return ok(null);
  switch (spec.kind) {
    case 'pocket':
    case 'model':
      if (record.remoteFolder === undefined) return ok(null);
      return options.machine.ok ? options.machine.value.removeFolder(record.remoteFolder) : options.machine;
    case 'recipe':
      return failed({
        code: 'bad-input',
        message: `"${name}" was trained by a recipe; only its trainer knows where its files are.`,
        hint: 'Delete it without its checkpoints, and delete them on the machine.',
      });
    case 'watched':
      return failed({
        code: 'bad-input',
        message: `"${name}" is only watched: its files belong to those who started it, and stay.`,
        hint: 'Delete it without its checkpoints.',
      });
    case 'marti': {
      const { output } = martiPaths(spec, record.id);
      const shared = options.others.find(({ order }) => shareOutput(order, record.order));
      if (shared !== undefined) {
        return failed({
          code: 'conflict',
          message: `"${shared.order.name}" also has its checkpoints in ${withTilde(output)}, so they cannot be deleted.`,
          hint: 'Delete this one without its checkpoints.',
        });
      }
      if (!options.machine.ok) return options.machine;
      const removed = await options.machine.value.run(removeScript(`${output}/checkpoints`));
      if (!removed.ok) return removed;
      if (removed.value.code === 0) return ok(null);
      const why = removed.value.stderr.trim().split('\n').at(-1) ?? '';
      return failed({ code: 'unavailable', message: `Cannot delete the checkpoints: ${why}` });
    }
    default:
      return assertNever(spec);
  }
}
