/**
 * Exports. Report: a table or figure as data, rendered to bytes; equal data give equal bytes. Manifest: what a written file
 * was made of. Bundle: all data of a source, for another lab to open and to recompute.
 */

export { createProblemReader, openBenchmarkOutlines } from './benchmark-outlines';
export type { BundleDeps } from './deps';
export { createFigureWorker } from './figure-worker';
export type { ReportFigure } from './logic/report-figure';
export type { ReportCell, ReportTable } from './logic/report-table';
export { renderTable } from './render-table';
export { createReportService, type ReportService } from './report-service';
