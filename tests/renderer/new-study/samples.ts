import type { Benchmark, Recording } from '../../../preload/contract';
import type { Library } from '../../../renderer/new-study/agents';
import { checkDraft } from '../../../renderer/new-study/check';
import { draftOf, type Touched } from '../../../renderer/new-study/draft';

function benchmark(id: string, scale: Benchmark['scale'], problems: number): Benchmark {
  return {
    id,
    name: id,
    scale,
    problems,
    digest: 'd',
    source: 's',
    importedAt: '2026-01-01T00:00:00.000Z',
    limits: { cpuSeconds: 1, wallSeconds: 5, memoryBytes: 1e9, processes: 8, outputBytes: 1e6 },
    notes: [],
  };
}

export function recording(id: string, samples: number, change: Partial<Recording> = {}): Recording {
  return {
    id,
    name: id,
    benchmarkId: 'real',
    problems: 100,
    samples: 100 * samples,
    fewestSamples: samples,
    mostSamples: samples,
    digest: 'd',
    source: 's',
    importedAt: '2026-01-01T00:00:00.000Z',
    ...change,
  };
}

export const pocket = benchmark('pocket', 'pocket', 60);
export const real = benchmark('real', 'paper', 100);
export const library: Library = {
  benchmarks: [pocket, real],
  recordings: [recording('large', 80), recording('small', 5)],
};

export function composed(touched: Touched = {}, within: Library = library) {
  const draft = draftOf(touched, within);
  if (draft === null) throw new Error('There is no benchmark to compose a study over.');
  const over = within.benchmarks.find(({ id }) => id === draft.benchmarkId);
  if (over === undefined) throw new Error(`There is no benchmark ${draft.benchmarkId}.`);
  return { draft, benchmark: over, ...checkDraft(draft, over, within) };
}

export function row(key: number, ...agents: readonly string[]) {
  return {
    key,
    name: '',
    agents: agents.map((word) => {
      if (word === 'reader' || word === 'tracer') return { kind: 'pocket', family: word } as const;
      if (word.startsWith('http')) return { kind: 'url', baseUrl: word, model: 'gpt' } as const;
      return { kind: 'recorded', recordingId: word } as const;
    }),
    rolePrompts: ['Plan.', 'Repair.'] as const,
  };
}
