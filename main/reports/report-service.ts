import type {
  OpenedBundle,
  Refusal,
  ReportOrder,
  ReportPart,
  ReportSource,
  WrittenReport,
} from '../../preload/contract/index';
import { ok, type Result } from '../base/index';
import type { BundleSurroundings, BundleWaiting } from './around';
import { openBundle } from './open-bundle';
import { contentOf, documentsOf } from './source-reading';
import { writeBundle } from './write-bundle';
import { writeReport } from './write-report';

/** Tables and figures of studies, of any runs, and of reproductions, as files. */
export type ReportService = {
  /** What can be written of a source; empty: nothing has been measured yet. */
  readonly parts: (source: ReportSource) => Promise<Result<ReportPart[], Refusal>>;
  readonly write: (what: {
    readonly order: ReportOrder;
    readonly path: string;
  }) => Promise<Result<WrittenReport, Refusal>>;
  /** All of a source for another lab, in one file. */
  readonly writeBundle: (
    what: { readonly source: ReportSource; readonly path: string },
    waiting?: BundleWaiting,
  ) => Promise<Result<{ path: string; bytes: number }, Refusal>>;
  readonly openBundle: (path: string, waiting?: BundleWaiting) => Promise<Result<OpenedBundle, Refusal>>;
};

export function createReportService(around: BundleSurroundings): ReportService {
  return {
    parts: async (source) => {
      const content = contentOf(source, around);
      if (!content.ok) return content;
      const documents = await documentsOf(content.value, around);
      if (!documents.ok) return documents;
      const { tables, figures } = documents.value;
      return ok([
        ...tables.map(({ id, title }): ReportPart => ({ id, title, kind: 'table' })),
        ...figures.map(({ id, title }): ReportPart => ({ id, title, kind: 'figure' })),
      ]);
    },
    write: (what) => writeReport(what, around),
    writeBundle: (what, waiting) => writeBundle(what, around, waiting),
    openBundle: (path, waiting) => openBundle(path, around, waiting),
  };
}
