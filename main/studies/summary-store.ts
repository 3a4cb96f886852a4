import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import {
  analysisSchema,
  progressSchema,
  type Refusal,
  type Regrade,
  type RunView,
  regradeSchema,
  type Study,
  studyOutcomesSchema,
  studySchema,
} from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import { readSealed, replaceFile, sealed } from '../storage/index';
import { columnsOf, viewColumnsSchema, viewOfColumns } from './logic/view-columns';
import type { StudyFiles } from './study-files';

/** Version of the stored files. */
const SUMMARY_VERSION = 1;

/** A journal when it was summarised. Journals only grow, so an equal stamp means an unchanged journal. */
const stampSchema = z.object({ runId: z.string(), bytes: z.number(), modifiedMs: z.number() });
export type JournalStamp = z.infer<typeof stampSchema>;

const head = {
  version: z.literal(SUMMARY_VERSION),
  /** Version of the app that wrote it, and so of every formula behind it. */
  app: z.string(),
  marks: z.array(stampSchema),
};
const storedOutcomesSchema = z.object({
  ...head,
  /** So that a study can be recovered with its name when the registry is lost. */
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
/** Valid for every app version: verdicts of a grader do not depend on the reader. */
const storedRegradeSchema = z.object({ ...head, regrade: regradeSchema });
export type StoredOutcomes = z.infer<typeof storedOutcomesSchema>;
export type StoredAnalysis = z.infer<typeof storedAnalysisSchema>;
type Unversioned<T extends { readonly marks: JournalStamp[] }> = Omit<T, 'version' | 'marks'> & {
  readonly marks: readonly JournalStamp[];
};

const OUTCOMES_NAME = 'outcomes.json';
const ANALYSIS_NAME = 'analysis.json';
const REGRADE_NAME = 'regrade.json';
const VIEW_SUFFIX = '.view.json';

/** The journals as they are now; runs without one are left out. */
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
        return []; // not begun: opening it says what else is wrong
      }
    }),
  );
  return marks.flat();
}

export function sameStamps(first: readonly JournalStamp[], other: readonly JournalStamp[]): boolean {
  return (
    first.length === other.length &&
    first.every(({ runId, bytes, modifiedMs }, i) => {
      const stamp = other[i];
      return stamp?.runId === runId && stamp.bytes === bytes && stamp.modifiedMs === modifiedMs;
    })
  );
}

/**
 * An earlier version wrote no checksum: its file is of no version whose numbers are taken. How long the journals were, and
 * what the study is, it may still say.
 */
function unversioned(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? { ...value, app: '' } : value;
}

async function write(folder: string, name: string, value: object): Promise<void> {
  try {
    await replaceFile(join(folder, name), JSON.stringify(sealed(value)));
  } catch {
    // Nothing is lost: what cannot be stored here, or not any more, is computed again from the journals.
  }
}

export type SummaryStore = ReturnType<typeof createSummaryStore>;

/**
 * A cache in files next to a study's journals, of what lists and tables need. A file that is missing, damaged (`onDamage`,
 * for the log: its checksum tells), of another version or of other journals is computed again from the journals.
 */
export function createSummaryStore(onDamage: (what: string) => void) {
  const read = async <T>(path: string, schema: z.ZodType<T>): Promise<T | null> => {
    const stored = await readSealed(path, schema, unversioned);
    if (stored.kind === 'read') return stored.value;
    if (stored.kind !== 'missing') onDamage(`${path} is made again from the journals: ${stored.why}.`);
    return null;
  };
  return {
    readOutcomes: (folder: string): Promise<StoredOutcomes | null> =>
      read(join(folder, OUTCOMES_NAME), storedOutcomesSchema),
    readAnalysis: (folder: string): Promise<StoredAnalysis | null> =>
      read(join(folder, ANALYSIS_NAME), storedAnalysisSchema),
    /** By times alone, which lists can afford: a journal was written after the summary of its study. */
    isOutdated: async (
      study: Study,
      { folder, journal }: Pick<StudyFiles, 'folder' | 'journal'>,
    ): Promise<boolean> => {
      const summary = await stat(join(folder(study.id), OUTCOMES_NAME)).catch(() => null);
      const stamps = summary === null ? [] : await journalStamps(study, journal);
      return stamps.some(({ modifiedMs }) => modifiedMs > Math.ceil(summary?.mtimeMs ?? 0));
    },
    writeOutcomes: (folder: string, stored: Unversioned<StoredOutcomes>): Promise<void> =>
      write(folder, OUTCOMES_NAME, { version: SUMMARY_VERSION, ...stored }),
    writeAnalysis: (folder: string, stored: Unversioned<StoredAnalysis>): Promise<void> =>
      write(folder, ANALYSIS_NAME, { version: SUMMARY_VERSION, ...stored }),
    /** The view of a run, null: none is stored for its journal as it is `now`; and how that was when one was stored. */
    readView: async (
      folder: string,
      app: string,
      runId: string,
      now: readonly JournalStamp[],
    ): Promise<{ readonly view: RunView | null; readonly marks: readonly JournalStamp[] }> => {
      const stored = await read(join(folder, `${runId}${VIEW_SUFFIX}`), storedViewSchema);
      const isCurrent = stored?.app === app && sameStamps(stored.marks, now);
      return { view: isCurrent ? viewOfColumns(stored.view) : null, marks: stored?.marks ?? [] };
    },
    writeView: (folder: string, app: string, stamp: JournalStamp, view: RunView): Promise<void> =>
      write(folder, `${stamp.runId}${VIEW_SUFFIX}`, {
        version: SUMMARY_VERSION,
        app,
        marks: [stamp],
        view: columnsOf(view),
      }),
    /**
     * The result of the study's last regrade, if its journals are unchanged; null: none. No journal has it, so it is read
     * without a checksum too, and refused where it is damaged.
     */
    readRegrade: async (
      folder: string,
      marks: readonly JournalStamp[],
    ): Promise<Result<Regrade | null, Refusal>> => {
      const path = join(folder, REGRADE_NAME);
      const stored = await readSealed(path, storedRegradeSchema);
      if (stored.kind === 'read')
        return ok(sameStamps(stored.value.marks, marks) ? stored.value.regrade : null);
      if (stored.kind === 'missing') return ok(null);
      return failed({
        code: 'conflict',
        message: `The result of the last regrade, ${path}, cannot be used: ${stored.why}.`,
        hint: 'Restore the file from a backup or remove it, and grade the study again: mars2 studies regrade STUDY',
      });
    },
    /** Changes with every stored regrade; null: none. */
    regradeModifiedMs: (folder: string): Promise<number | null> =>
      stat(join(folder, REGRADE_NAME)).then(
        ({ mtimeMs }) => mtimeMs,
        () => null,
      ),
    writeRegrade: (folder: string, stored: Unversioned<z.infer<typeof storedRegradeSchema>>): Promise<void> =>
      write(folder, REGRADE_NAME, { version: SUMMARY_VERSION, ...stored }),
    /** To be called after the journals were changed on purpose: everything stored about them is invalid. */
    forget: async (folder: string): Promise<void> => {
      const views = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(VIEW_SUFFIX));
      for (const name of [OUTCOMES_NAME, ANALYSIS_NAME, REGRADE_NAME, ...views]) {
        await rm(join(folder, name), { force: true });
      }
    },
  };
}
