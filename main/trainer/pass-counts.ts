import { z } from 'zod';
import {
  type PassCount,
  type Problem,
  passCountSchema,
  type SampleCount,
} from '../../preload/contract/index';
import { parsedJson } from '../base/index';
import { textDigest } from '../storage/index';
import { CONCURRENT_PROBLEMS } from './evaluation';
import { runConcurrently } from './run-concurrently';
import type { RunFolder } from './run-folder';
import { TrainerError, TrainingStopped } from './trainer-error';
import type { TrainedInput } from './trainer-state';

const fileSchema = z.strictObject({
  kind: z.literal('pass-counts'),
  version: z.literal(1),
  /** Digest of the training's whole input: with other settings the counts would be others. */
  inputDigest: z.string(),
  /** Of how many problems; fewer are listed while it is measured. */
  of: z.number().int().nonnegative(),
  /** In the order of the measurement. */
  problems: z.array(passCountSchema),
});

/** First attempts at problems, counted before the first update, once per training. */
export type Measurement = {
  /** Name within the training's folder. */
  readonly file: string;
  readonly problemIds: readonly string[];
  readonly problem: (id: string) => Promise<Problem>;
  /** Of each agent, in the agents' order. */
  readonly attempts: (problem: Problem, signal: AbortSignal) => Promise<readonly SampleCount[]>;
};

export type MeasurementDeps = {
  readonly folder: RunFolder;
  readonly input: TrainedInput;
  /** Asked before each problem. */
  readonly stop: { readonly aborted: boolean };
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, of: number) => Promise<void>;
};

/**
 * Counts of all problems, in order. Written after each problem, so that a kill loses only the problems in progress; what
 * is already written is not measured again. Throws TrainingStopped if it is stopped, TrainerError if the file is not this
 * training's.
 */
export async function measurePassCounts(
  { file, problemIds, problem, attempts }: Measurement,
  { folder, input, stop, signal, onProgress }: MeasurementDeps,
): Promise<readonly PassCount[]> {
  const saved = await readPassCounts(file, { folder, input });
  const counts = new Map(saved.map((count) => [count.problemId, count]));
  const header = { kind: 'pass-counts', version: 1, inputDigest: digestOf(input), of: problemIds.length };
  const inOrder = (): PassCount[] => problemIds.flatMap((id) => counts.get(id) ?? []);
  // Two writes of one file must not overtake each other.
  let writing: Promise<void> = Promise.resolve();
  const save = (): Promise<void> => {
    writing = writing.then(async () => {
      await folder.replace(file, `${JSON.stringify({ ...header, problems: inOrder() })}\n`);
      await onProgress(counts.size, header.of);
    });
    return writing;
  };
  const left = problemIds.filter((id) => !counts.has(id)).values();
  const measureNext = async (cancelled: AbortSignal): Promise<void> => {
    for (const problemId of left) {
      if (stop.aborted) return;
      const samples = await attempts(await problem(problemId), cancelled);
      counts.set(problemId, { problemId, samples: [...samples] });
      await save();
    }
  };
  if (counts.size < problemIds.length) await onProgress(counts.size, problemIds.length);
  await runConcurrently(signal, Array(CONCURRENT_PROBLEMS).fill(measureNext));
  if (counts.size < problemIds.length) throw new TrainingStopped();
  return inOrder();
}

/** What has been measured so far; empty: nothing. Throws TrainerError if the file is damaged or another training's. */
export async function readPassCounts(
  file: string,
  { folder, input }: Pick<MeasurementDeps, 'folder' | 'input'>,
): Promise<readonly PassCount[]> {
  const text = await folder.read(file);
  if (text === null) return [];
  const read = fileSchema.safeParse(parsedJson(text));
  if (!read.success) {
    throw new TrainerError({
      code: 'bad-input',
      message: `${folder.path}/${file} is damaged.`,
      hint: 'Delete it: its problems are then measured again.',
    });
  }
  if (read.data.inputDigest === digestOf(input)) return read.data.problems;
  throw new TrainerError({
    code: 'conflict',
    message: `${folder.path}/${file} was measured by a training with other settings.`,
    hint: 'Choose another folder, or use the settings with which it was started.',
  });
}

function digestOf(input: TrainedInput): string {
  return textDigest(JSON.stringify(input));
}
