import { z } from 'zod';
import {
  jobHasEnded,
  type Study,
  type TrainingView,
  usageMonthSchema,
  usageProjectSchema,
} from '../../../preload/contract/index';
import { createKeyedQueue } from '../../base/index';
import { moveAside, movedAside, readSealed, sealed, writeJson } from '../../storage/index';
import { readOrigins, readTokens, type StudyFiles, type TokenStamp, tokenStamp } from '../../studies/index';
import type { TrainingService } from '../../trainings/index';
import { trainingTokens } from './training-tokens';
import type { Projects } from './usage-projects';

/** Far more than any lab has; a file that holds more is not ours. */
const MAX_SOURCES = 100_000;
const MAX_PARTS = 10_000;
/** Points of a curve that are asked for: of more updates, means of neighbours. */
const CURVE_POINTS = 5_000;

const word = z.string().max(400);
const partSchema = z.object({
  month: usageMonthSchema,
  model: word,
  /** Who answered, where that was one job of ours. */
  jobId: word.nullable(),
  promptTokens: z.number().nonnegative(),
  completionTokens: z.number().nonnegative(),
});
/** Tokens of one run of a study or of one training, as they were when its files had this stamp. */
const countSchema = z.object({
  stamp: z.string().max(200),
  project: usageProjectSchema.nullable(),
  parts: z.array(partSchema).max(MAX_PARTS),
});
export type TokenCount = z.infer<typeof countSchema>;
const fileSchema = z.object({
  version: z.literal(1),
  counts: z.record(z.string().max(400), countSchema).refine((all) => Object.keys(all).length <= MAX_SOURCES),
});

export type TokenCounts = {
  /** Counts what has changed. Runs and trainings that are gone keep what was counted. */
  readonly read: (
    studies: readonly Study[],
    trainings: readonly TrainingView[],
    projects: Pick<Projects, 'ofStudy' | 'ofTraining'>,
  ) => Promise<{
    readonly counts: readonly TokenCount[];
    readonly uncounted: number;
    /** Earlier counts that were damaged, as files beside; what is gone since is not in `counts`. */
    readonly damaged: readonly string[];
    /** Why it is not known which job answered a study's runs, a sentence for each study. */
    readonly unattributed: readonly string[];
  }>;
};

/**
 * Tokens by run and training, kept in one file, so that a journal is read again only when it has grown. A damaged file is moved
 * aside; where it cannot be read or moved, `read` rejects with a sentence, and the file stays.
 */
export function openTokenCounts(deps: {
  readonly path: string;
  readonly files: Pick<StudyFiles, 'folder' | 'journal' | 'discardedJournal'>;
  readonly curves: TrainingService['curves'];
}): TokenCounts {
  const { path, files, curves } = deps;
  let loaded: Map<string, TokenCount> | null = null;

  const countRun = async (
    study: Study,
    run: Study['runs'][number],
    { ofStudy }: Pick<Projects, 'ofStudy'>,
    unattributed: Set<string>,
  ): Promise<TokenCount | null> => {
    const paths = [files.journal(study.id, run.id), files.discardedJournal(study.id, run.id)];
    const [journal, found] = await firstStamp(paths);
    if (found === null) return null;
    const stamp = `${found.bytes} ${found.modifiedMs}`;
    if (loaded?.get(`run ${run.id}`)?.stamp === stamp) return null;
    const read = await readOrigins(files, study.id);
    const origins = read.ok ? read.value : [];
    if (!read.ok) unattributed.add(read.error.message);
    const answered = (model: string): string | null => {
      const ids = new Set(
        origins.flatMap(({ name, jobId }) => (name === model && jobId !== null ? [jobId] : [])),
      );
      return ids.size === 1 ? ([...ids][0] ?? null) : null;
    };
    const uses = await readTokens(journal, run);
    const parts = uses.map((use) => ({ ...use, jobId: answered(use.model) }));
    // Without its jobs it has another stamp, so that it is counted again once they are known.
    return { stamp: read.ok ? stamp : `${stamp}, no jobs`, project: ofStudy(study), parts };
  };
  /** false: its numbers cannot be read now. */
  const countTraining = async (
    training: TrainingView,
    { ofTraining }: Pick<Projects, 'ofTraining'>,
  ): Promise<TokenCount | false> => {
    const stamp = training.endedAt ?? '';
    const read = await curves(training.id, CURVE_POINTS);
    if (!read.ok) return false;
    const uses = trainingTokens(read.value, training);
    const parts = uses.map((use) => ({ ...use, jobId: training.jobId }));
    return { stamp, project: ofTraining(training), parts };
  };
  const load = async (): Promise<Map<string, TokenCount>> => {
    const file = await readSealed(path, fileSchema);
    if (file.kind === 'unreadable') throw new Error(`${path} cannot be read: ${file.why}`);
    if (file.kind === 'damaged') await moveAside(path);
    return new Map(Object.entries(file.kind === 'read' ? file.value.counts : {}));
  };
  // Two that are removed at once must not write over each other.
  const queue = createKeyedQueue();
  const read: TokenCounts['read'] = async (studies, trainings, projects) => {
    loaded ??= await load();
    let [changed, uncounted] = [false, 0];
    const unattributed = new Set<string>();
    const keep = (key: string, count: TokenCount | null): void => {
      if (count === null) return;
      loaded?.set(key, count);
      changed = true;
    };
    for (const study of studies) {
      for (const run of study.runs) keep(`run ${run.id}`, await countRun(study, run, projects, unattributed));
    }
    // Once a machine does not answer, its other trainings are not read either.
    const silent = new Set<string>();
    for (const training of trainings) {
      const { kind } = training.spec;
      if (kind !== 'pocket' && kind !== 'model') continue;
      const isCounted = loaded.get(`training ${training.id}`)?.stamp === (training.endedAt ?? '');
      if (isCounted && jobHasEnded(training.state)) continue;
      const mayAnswer = jobHasEnded(training.state) && !silent.has(training.machineId);
      const count = mayAnswer ? await countTraining(training, projects) : false;
      if (mayAnswer && count === false) silent.add(training.machineId);
      if (count === false) uncounted += 1;
      else keep(`training ${training.id}`, count);
    }
    // What cannot be stored is counted again the next time.
    if (changed) {
      const counts = Object.fromEntries(loaded);
      await writeJson(path, sealed({ version: 1, counts })).catch(() => undefined);
    }
    const damaged = await movedAside(path);
    return { counts: [...loaded.values()], uncounted, damaged, unattributed: [...unattributed] };
  };
  return { read: (...args) => queue.run(path, () => read(...args)) };
}

/** The first of these files that is there; null: none. */
async function firstStamp(paths: readonly string[]): Promise<readonly [string, TokenStamp | null]> {
  for (const path of paths) {
    const stamp = await tokenStamp(path);
    if (stamp !== null) return [path, stamp];
  }
  return ['', null];
}
