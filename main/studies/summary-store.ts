import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import {
  type Analysis,
  analysisSchema,
  type Progress,
  progressSchema,
  type Regrade,
  type RunView,
  regradeSchema,
  type Study,
  type StudyOutcomes,
  studyOutcomesSchema,
  studySchema,
} from '../../preload/contract/index';
import { replaceFile } from '../storage/index';
import { columnsOf, viewColumnsSchema, viewOfColumns } from './logic/view-columns';

/** Version of what is kept. */
export const SUMMARY_VERSION = 1;

/** What a journal looked like when it was summed up; a journal only grows, so this tells whether it is the same. */
const stampSchema = z.object({ runId: z.string(), bytes: z.number(), modifiedMs: z.number() });
export type JournalStamp = z.infer<typeof stampSchema>;

const head = {
  version: z.literal(SUMMARY_VERSION),
  /** Version of the app that made it, and with it of every formula behind it. */
  app: z.string(),
  marks: z.array(stampSchema),
};
const storedOutcomesSchema = z.object({
  ...head,
  /** So that a study whose registry was lost comes back with its name. */
  study: studySchema,
  progress: progressSchema,
  outcomes: studyOutcomesSchema,
});
const storedAnalysisSchema = z.object({
  ...head,
  /** Digest of the benchmarks' facts that breakdowns were made by. */
  facts: z.string(),
  analysis: analysisSchema,
});
const storedViewSchema = z.object({ ...head, view: viewColumnsSchema });
/** Not bound to the app's version: what a grader said does not depend on who reads it. */
const storedRegradeSchema = z.object({ ...head, regrade: regradeSchema });
export type StoredOutcomes = z.infer<typeof storedOutcomesSchema>;
export type StoredAnalysis = z.infer<typeof storedAnalysisSchema>;

const OUTCOMES_NAME = 'outcomes.json';
const ANALYSIS_NAME = 'analysis.json';
const REGRADE_NAME = 'regrade.json';
const VIEW_SUFFIX = '.view.json';

/** A journal as it is now; runs without one are left out. */
export async function journalStamps(
  study: Study,
  journal: (studyId: string, runId: string) => string,
): Promise<JournalStamp[]> {
  const marks = await Promise.all(
    study.runs.map(async ({ id }): Promise<JournalStamp[]> => {
      try {
        const { size, mtimeMs } = await stat(journal(study.id, id));
        return [{ runId: id, bytes: size, modifiedMs: Math.round(mtimeMs) }];
      } catch {
        return [];
      }
    }),
  );
  return marks.flat();
}

export function sameStamps(one: readonly JournalStamp[], other: readonly JournalStamp[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ runId, bytes, modifiedMs }, i) => {
      const mark = other[i];
      return mark?.runId === runId && mark.bytes === bytes && mark.modifiedMs === modifiedMs;
    })
  );
}

async function read<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  try {
    const parsed = schema.safeParse(JSON.parse(await readFile(path, 'utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null; // missing or damaged: it is made again
  }
}

async function write(folder: string, name: string, value: unknown): Promise<void> {
  try {
    await replaceFile(join(folder, name), JSON.stringify(value));
  } catch {
    // Nothing is lost: where it can not be kept, or the study was moved away meanwhile, it is made again.
  }
}

/**
 * Copies, beside a study's journals, of what lists and tables need. Never the truth: a copy that is missing, damaged,
 * of another version or of other journals is made anew from the journals.
 */
export const summaryStore = {
  readOutcomes: (folder: string): Promise<StoredOutcomes | null> =>
    read(join(folder, OUTCOMES_NAME), storedOutcomesSchema),
  readAnalysis: (folder: string): Promise<StoredAnalysis | null> =>
    read(join(folder, ANALYSIS_NAME), storedAnalysisSchema),
  writeOutcomes: (
    folder: string,
    kept: {
      readonly app: string;
      readonly marks: readonly JournalStamp[];
      readonly study: Study;
      readonly progress: Progress;
      readonly outcomes: StudyOutcomes;
    },
  ): Promise<void> => write(folder, OUTCOMES_NAME, { version: SUMMARY_VERSION, ...kept }),
  writeAnalysis: (
    folder: string,
    kept: {
      readonly app: string;
      readonly marks: readonly JournalStamp[];
      readonly facts: string;
      readonly analysis: Analysis;
    },
  ): Promise<void> => write(folder, ANALYSIS_NAME, { version: SUMMARY_VERSION, ...kept }),
  /** The view of a run whose journal is as marked; null: none is kept. */
  readView: async (folder: string, app: string, mark: JournalStamp): Promise<RunView | null> => {
    const kept = await read(join(folder, `${mark.runId}${VIEW_SUFFIX}`), storedViewSchema);
    return kept?.app === app && sameStamps(kept.marks, [mark]) ? viewOfColumns(kept.view) : null;
  },
  writeView: (folder: string, app: string, mark: JournalStamp, view: RunView): Promise<void> =>
    write(folder, `${mark.runId}${VIEW_SUFFIX}`, {
      version: SUMMARY_VERSION,
      app,
      marks: [mark],
      view: columnsOf(view),
    }),
  /** What the last regrade of the study found, if its journals are still the same; null: nothing is kept. */
  readRegrade: async (folder: string, marks: readonly JournalStamp[]): Promise<Regrade | null> => {
    const kept = await read(join(folder, REGRADE_NAME), storedRegradeSchema);
    return kept !== null && sameStamps(kept.marks, marks) ? kept.regrade : null;
  },
  /** Another one after every regrade that is kept; null: there is none. */
  regradeModifiedMs: (folder: string): Promise<number | null> =>
    stat(join(folder, REGRADE_NAME)).then(
      ({ mtimeMs }) => mtimeMs,
      () => null,
    ),
  writeRegrade: (
    folder: string,
    kept: { readonly app: string; readonly marks: readonly JournalStamp[]; readonly regrade: Regrade },
  ): Promise<void> => write(folder, REGRADE_NAME, { version: SUMMARY_VERSION, ...kept }),
  /** The journals were changed on purpose: what was kept of them, sizes too, says nothing any more. */
  forget: async (folder: string): Promise<void> => {
    const views = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(VIEW_SUFFIX));
    for (const name of [OUTCOMES_NAME, ANALYSIS_NAME, REGRADE_NAME, ...views]) {
      await rm(join(folder, name), { force: true });
    }
  },
};
