import type {
  BundleContents,
  CheckedPayload,
  CheckedReport,
  OpenedBundle,
  Refusal,
  ReportPart,
  ReportRequest,
  ReportSource,
  Value,
  WrittenReport,
} from '../../preload/contract/index';
import { ok, type Result } from '../base/index';
import { checkReport } from './check-report';
import type { BundleDeps, BundleOptions } from './deps';
import { openBundle } from './open-bundle';
import { buildDocuments, resolveSource } from './report-source';
import { bundleContents, writeBundle } from './write-bundle';
import { writeCsv, writeExperimentCsv } from './write-csv';
import { writeReport } from './write-report';

/** Writes tables and figures of studies, runs and reproductions to files. */
export type ReportService = {
  /** Tables and figures of a source; empty: nothing has been measured yet. */
  readonly parts: (source: ReportSource) => Promise<Result<ReportPart[], Refusal>>;
  readonly write: (request: {
    readonly request: ReportRequest;
    readonly path: string;
  }) => Promise<Result<WrittenReport, Refusal>>;
  /** One of a study's CSV files, with its manifest. */
  readonly writeCsv: (
    request: CheckedPayload<'export.write'>,
  ) => Promise<Result<Value<'export.write'>, Refusal>>;
  /** The same of an experiment. */
  readonly writeExperimentCsv: (
    request: CheckedPayload<'experiment.export'>,
  ) => Promise<Result<Value<'experiment.export'>, Refusal>>;
  /** Compares an export with its files and journals as they are now. */
  readonly check: (path: string) => Promise<Result<CheckedReport, Refusal>>;
  /** What `writeBundle` would write, for people to read before; refused where that would be. */
  readonly bundleContents: (source: ReportSource) => Promise<Result<BundleContents, Refusal>>;
  /** Writes all data of a source into one file, for another lab. */
  readonly writeBundle: (
    request: { readonly source: ReportSource; readonly path: string },
    options?: BundleOptions,
  ) => Promise<Result<{ path: string; bytes: number }, Refusal>>;
  readonly openBundle: (path: string, options?: BundleOptions) => Promise<Result<OpenedBundle, Refusal>>;
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
    write: (request) => writeReport(request, deps),
    writeCsv: (request) => writeCsv(request, deps),
    writeExperimentCsv: (request) => writeExperimentCsv(request, deps),
    check: (path) => checkReport(path, deps),
    bundleContents: (source) => bundleContents(source, deps),
    writeBundle: (source, options) => writeBundle(source, deps, options),
    openBundle: (path, options) => openBundle(path, deps, options),
  };
}
