import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { trainPocket } from '../../../main/trainer';
import { type TrainingInput, trainingInputSchema } from '../../../main/trainer/pocket/training-input';
import { interpreterGrader } from '../../support/interpreter-grader';

/** A training that is over in a second, with the agents named after their families. */
export function smallTraining(changes: Record<string, unknown> = {}): TrainingInput {
  const families = (changes.families ?? ['reader', 'weak']) as string[];
  return trainingInputSchema.parse({
    spec: {
      kind: 'pocket',
      method: 'heter-mars2',
      families,
      updates: 6,
      batch: 16,
      treesPerRound: 4,
      nodes: 4,
      problems: 12,
      checkpointEvery: 4,
      evaluation: { split: 'validation', problems: 4, nodes: 6, samples: 4, every: 3 },
      ...changes,
    },
    agents: families.map((family, i) => {
      const id = families.indexOf(family) === i ? family : `${family}-${i + 1}`;
      return { id, name: id };
    }),
  });
}

export type TrainHere = {
  readonly out: string;
  readonly checkpoints: string;
  readonly stop?: { readonly aborted: boolean };
};

/** Trains in this process, graded by the interpreter; a state is saved when it is stopped and at the end. */
export function trainHere(
  input: TrainingInput,
  { out, checkpoints, stop = { aborted: false } }: TrainHere,
): Promise<'done' | 'stopped'> {
  return trainPocket({
    input,
    out,
    checkpoints,
    grader: interpreterGrader(),
    now: () => 0,
    stop,
    saveEveryMs: Number.POSITIVE_INFINITY,
  });
}

/** The files that must be the same whenever it was stopped: all but times, stage and state. */
export async function outputFiles(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(join(folder, 'checkpoints'))).sort().map((name) => join('checkpoints', name));
  const all = ['metrics.jsonl', 'rollouts.jsonl', 'evaluation.json', 'spec.json', ...names];
  const texts = await Promise.all(all.map((name) => readFile(join(folder, name), 'utf8')));
  return Object.fromEntries(all.map((name, i) => [name, texts[i] as string]));
}

export type Line = {
  readonly step: number;
  readonly round: number;
  readonly agent: string | null;
  readonly part?: string;
  readonly samples: number;
  readonly values: Record<string, number>;
};

export async function metricLines(folder: string): Promise<readonly Line[]> {
  const text = await readFile(join(folder, 'metrics.jsonl'), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}
