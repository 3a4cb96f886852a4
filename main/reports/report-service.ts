import type {
  OpenedBundle,
  Refusal,
  ReportPart,
  ReportRequest,
  ReportSource,
  WrittenReport,
} from '../../preload/contract/index';
import { ok, type Result } from '../base/index';
import type { BundleDeps, BundleOptions } from './deps';
import { openBundle } from './open-bundle';
import { buildDocuments, resolveSource } from './report-source';
import { writeBundle } from './write-bundle';
import { writeReport } from './write-report';

/** Tables and figures of studies, of any runs, and of reproductions, as files. */
export type ReportService = {
  /** What can be written of a source; empty: nothing has been measured yet. */
  readonly parts: (source: ReportSource) => Promise<Result<ReportPart[], Refusal>>;
  readonly write: (what: {
    readonly order: ReportRequest;
    readonly path: string;
  }) => Promise<Result<WrittenReport, Refusal>>;
  /** All of a source for another lab, in one file. */
  readonly writeBundle: (
    what: { readonly source: ReportSource; readonly path: string },
    waiting?: BundleOptions,
  ) => Promise<Result<{ path: string; bytes: number }, Refusal>>;
  readonly openBundle: (path: string, waiting?: BundleOptions) => Promise<Result<OpenedBundle, Refusal>>;
};

export function createReportService(deps: BundleDeps): ReportService {
  return {
    parts: async (source) => {
      const content = resolveSource(source, deps);
      if (!content.ok) return content;
      const documents = await buildDocuments(content.value, deps);
      if (!documents.ok) return documents;
      const { tables, figures } = documents.value;
      return ok([
        ...tables.map(({ id, title }): ReportPart => ({ id, title, kind: 'table' })),
        ...figures.map(({ id, title }): ReportPart => ({ id, title, kind: 'figure' })),
      ]);
    },
    write: (what) => writeReport(what, deps),
    writeBundle: (what, waiting) => writeBundle(what, deps, waiting),
    openBundle: (path, waiting) => openBundle(path, deps, waiting),
  };
}
