import type { Benchmark, ProblemOutline, Recording } from '../../../preload/contract';
import { checkStudy } from '../../../renderer/new-study/check-study';
import { draftOf, type StudyEdits } from '../../../renderer/new-study/study-draft';
import {
  type AgentChoice,
  type AgentDetails,
  type Library,
  NO_DETAILS,
} from '../../../renderer/shared/agents/agents';
import { sampleBenchmark, sampleRecording } from '../../support/sample-records';

function benchmark(id: string, scale: Benchmark['scale'], problems: number): Benchmark {
  return sampleBenchmark({ id, name: id, scale, problems });
}

export function recording(id: string, samples: number, change: Partial<Recording> = {}): Recording {
  return sampleRecording({
    id,
    name: id,
    benchmarkId: 'real',
    samples: 100 * samples,
    fewestSamples: samples,
    mostSamples: samples,
    ...change,
  });
}

export const pocket = benchmark('pocket', 'pocket', 60);
export const real = benchmark('real', 'paper', 100);
export const library: Library = {
  benchmarks: [pocket, real],
  recordings: [recording('large', 80), recording('small', 5)],
  launches: [],
  trainings: [],
};

export function composed(
  touched: StudyEdits = {},
  within: Library = library,
  outlines: readonly ProblemOutline[] | null = null,
) {
  const draft = draftOf(touched, within);
  if (draft === null) throw new Error('There is no benchmark to compose a study over.');
  const over = within.benchmarks.find(({ id }) => id === draft.benchmarkId);
  if (over === undefined) throw new Error(`There is no benchmark ${draft.benchmarkId}.`);
  return { draft, benchmark: over, ...checkStudy(draft, over, within, outlines) };
}

export function row(key: number, ...agents: readonly string[]) {
  return {
    key,
    name: '',
    agents: agents.map((word): AgentChoice => {
      if (word === 'reader' || word === 'tracer') return { kind: 'pocket', family: word };
      if (word.startsWith('http')) return { kind: 'url', baseUrl: word, model: 'gpt' };
      return { kind: 'recorded', recordingId: word };
    }),
    preset: null as string | null,
  };
}

export function withDetails(choice: AgentChoice, details: Partial<AgentDetails>): AgentChoice {
  return { ...choice, details: { ...NO_DETAILS, ...details } };
}
