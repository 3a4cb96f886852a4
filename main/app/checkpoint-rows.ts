import { nameWithoutSeed, seedOfTraining, withoutSeed } from '../../preload/contract/plans/index';
import { canonicalJson } from '../base/index';
import type { ServableCheckpoint } from './checkpoint-launch';

/** A configuration of a study of checkpoints; `at`: of the first of them in the list. */
export type CheckpointRow = {
  readonly name: string;
  readonly at: number;
  /** The same checkpoint of trainings that differ in their seed alone; one or none: it is of one training. */
  readonly ofSeeds: readonly { readonly seed: number; readonly at: number }[];
};

const nameOf = (trainingName: string, checkpointId: string): string =>
  `${trainingName} ${checkpointId}`.slice(0, 76);

/** A checkpoint by itself. */
export function onlyRow({ training, checkpoint }: ServableCheckpoint, at: number): CheckpointRow {
  return { name: nameOf(training.name, checkpoint.id), at, ofSeeds: [] };
}

/** A row for each checkpoint; those that are alike but for the seeds of their trainings are one over these seeds. */
export function checkpointRows(found: readonly ServableCheckpoint[]): CheckpointRow[] {
  const rows = new Map<string, CheckpointRow>();
  for (const [at, one] of found.entries()) {
    const { training, checkpoint } = one;
    const seed = seedOfTraining(training.spec);
    const alike = canonicalJson([withoutSeed(training.spec), checkpoint.id]);
    const row = rows.get(alike);
    if (seed === null) rows.set(`${alike} ${at}`, onlyRow(one, at));
    else if (row === undefined) rows.set(alike, { ...onlyRow(one, at), ofSeeds: [{ seed, at }] });
    else if (row.ofSeeds.some((other) => other.seed === seed)) rows.set(`${alike} ${at}`, onlyRow(one, at));
    else {
      const name = nameOf(nameWithoutSeed(training.name), checkpoint.id);
      rows.set(alike, { ...row, name, ofSeeds: [...row.ofSeeds, { seed, at }] });
    }
  }
  return [...rows.values()];
}
