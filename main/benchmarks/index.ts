/**
 * Benchmarks (lists of problems with limits) and recordings (real outputs of a model for the problems of one benchmark).
 * The library holds those of a data folder, each in its own folder that appears completely or not at all. The
 * importers of published benchmarks are in logic/, registered in logic/row-formats.ts.
 */
export type { BenchmarkImport } from './benchmark-store';
export type { Imported } from './folder-store';
export { type BenchmarkLibrary, createBenchmarkLibrary } from './library';
export { createLibraryReader, type LibraryReader } from './library-reader';
export { problemText } from './logic/problem-text';
export type { RowOfPrograms } from './recorded-programs';
export { createTableReader, type ReadTable } from './table-reader';
export { createTestParser } from './test-parser';
