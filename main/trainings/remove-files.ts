import type { Refusal } from '../../preload/contract';
import { assertNever, failed, ok, type Result } from '../base';
import type { Asked, Machine } from '../machines';
import { homeWord, homeWords } from './logic/home-words';
import { martiPlaces } from './logic/marti/marti-places';
import type { TrainingRecord } from './logic/training-record';

/** Deletes the checkpoints of a training that lie on its machine, where that is asked. Its own folder is not touched. */
export async function removeTrainingFiles(
  record: TrainingRecord,
  options: {
    readonly checkpoints: boolean;
    readonly others: readonly TrainingRecord[];
    readonly machine: Result<Machine, Refusal>;
  },
): Asked<null> {
  const { spec, machineId, name } = record.order;
  if (!options.checkpoints) return ok(null);
  switch (spec.kind) {
    case 'pocket':
      return ok(null);
    case 'recipe':
      return failed({
        code: 'bad-input',
        message: `"${name}" was trained by a recipe, and where its files are is up to the trainer.`,
        hint: 'Take it out of the list without its checkpoints, and delete them on the machine.',
      });
    case 'marti': {
      const { output } = martiPlaces(spec, record.id);
      const shared = options.others.find(
        ({ id, order }) =>
          order.machineId === machineId &&
          order.spec.kind === 'marti' &&
          martiPlaces(order.spec, id).output === output,
      );
      if (shared !== undefined) {
        return failed({
          code: 'conflict',
          message: `"${shared.order.name}" has its checkpoints in ${homeWords(output)} as well, so they stay.`,
          hint: 'Take this one out of the list without its checkpoints.',
        });
      }
      if (!options.machine.ok) return options.machine;
      const removed = await options.machine.value.run(`rm -rf ${homeWord(`${output}/checkpoints`)}`);
      if (!removed.ok) return removed;
      if (removed.value.code === 0) return ok(null);
      const why = removed.value.stderr.trim().split('\n').at(-1) ?? '';
      return failed({ code: 'unavailable', message: `The checkpoints can not be deleted: ${why}` });
    }
    default:
      return assertNever(spec);
  }
}
