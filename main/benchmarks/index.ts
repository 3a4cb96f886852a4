/**
 * Problems and recorded answers. Benchmark: a list of problems with its limits. Recording: the real outputs of a
 * model for the problems of one benchmark. Library: all of them that a data folder has, each in a folder of its
 * own that appears whole or not at all.
 */
export type { BenchmarkImport, NewBenchmark } from './benchmark-store';
export type { ImportProgress } from './import-benchmark';
export type { HubImport } from './import-hub';
export { type BenchmarkLibrary, createBenchmarkLibrary } from './library';
export type { ProblemOutline } from './problem-index';
export type { Imported } from './folder-store';
