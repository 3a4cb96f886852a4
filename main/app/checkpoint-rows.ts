import { nameWithoutSeed, seedOfTraining, withoutSeed } from '../../preload/contract/plans/index';
import { canonicalJson } from '../base/index';
import type { ServableCheckpoint } from './checkpoint-launch';

/** A configuration of a study of checkpoints; `at`: of the first of them in the list. */
export type CheckpointRow = {
  readonly name: string;
  readonly at: number;
  /** Checkpoints of trainings that differ only in their seed; with one or none, the row is of a single training. */
  readonly ofSeeds: readonly { readonly seed: number; readonly at: number }[];
};

const nameOf = (trainingName: string, checkpointId: string): string =>
  `${trainingName} ${checkpointId}`.slice(0, 76);

/** A row of one checkpoint. */
export function singleCheckpointRow({ training, checkpoint }: ServableCheckpoint, at: number): CheckpointRow {
  return { name: nameOf(training.name, checkpoint.id), at, ofSeeds: [] };
}

/** One row per checkpoint. Checkpoints of trainings that differ only in their seed share one row. */
export function checkpointRows(found: readonly ServableCheckpoint[]): CheckpointRow[] {
  const rows = new Map<string, CheckpointRow>();
  for (const [at, one] of found.entries()) {
    const { training, checkpoint } = one;
    const seed = seedOfTraining(training.spec);
    const alike = canonicalJson([withoutSeed(training.spec), checkpoint.id]);
    const row = rows.get(alike);
    if (seed === null) rows.set(`${alike} ${at}`, singleCheckpointRow(one, at));
    else if (row === undefined) rows.set(alike, { ...singleCheckpointRow(one, at), ofSeeds: [{ seed, at }] });
    else if (row.ofSeeds.some((other) => other.seed === seed))
      rows.set(`${alike} ${at}`, singleCheckpointRow(one, at));
    else {
      const name = nameOf(nameWithoutSeed(training.name), checkpoint.id);
      rows.set(alike, { ...row, name, ofSeeds: [...row.ofSeeds, { seed, at }] });
    }
  }
  return [...rows.values()];
}
