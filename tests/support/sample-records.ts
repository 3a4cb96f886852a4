import type { Analysis, Benchmark, Recording } from '../../preload/contract';

const IMPORTED_AT = '2026-01-01T00:00:00.000Z';

/** A benchmark's record with nothing special about it. */
export function sampleBenchmark(change: Partial<Benchmark> = {}): Benchmark {
  return {
    id: 'benchmark',
    name: 'Benchmark',
    scale: 'paper',
    problems: 100,
    digest: 'd',
    source: 's',
    importedAt: IMPORTED_AT,
    limits: { cpuSeconds: 1, wallSeconds: 5, memoryBytes: 1e9, processes: 8, outputBytes: 1e6 },
    notes: [],
    rules: 'plain',
    version: null,
    licence: null,
    marks: [],
    ...change,
  };
}

export function sampleRecording(change: Partial<Recording> = {}): Recording {
  return {
    id: 'recording',
    name: 'Recording',
    benchmarkId: 'benchmark',
    problems: 100,
    samples: 1_000,
    refinements: 0,
    fewestSamples: 10,
    mostSamples: 10,
    digest: 'd',
    source: 's',
    importedAt: IMPORTED_AT,
    ...change,
  };
}

/** An analysis of nothing. */
export function sampleAnalysis(change: Partial<Analysis> = {}): Analysis {
  return {
    studyId: 's',
    rows: [],
    curves: [],
    pairs: [],
    groupings: [],
    breakdowns: [],
    partPairs: [],
    stability: [],
    costs: [],
    differingVerdicts: 0,
    sentences: [],
    method: 'm',
    methodNotes: [],
    complete: true,
    ...change,
  };
}
