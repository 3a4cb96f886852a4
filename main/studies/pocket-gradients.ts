import { readFile } from 'node:fs/promises';
import type { Study } from '../../preload/contract/index';
import type { BenchmarkLibrary } from '../benchmarks/index';
import type { VectorsOf } from '../metrics/index';
import {
  addGradient,
  encodePrompt,
  loadPolicy,
  logProbability,
  type PocketPolicy,
  parseCheckpoint,
  parseProgram,
  readPrompt,
} from '../pocket/index';
import type { PocketCheckpoints } from './pocket-checkpoints';

/** Gradients of programs under one small proxy model, the same for all configurations of a study. */
export type StudyGradients = {
  /** The model, in words. */
  readonly name: string;
  /** null: the model cannot read this problem. */
  readonly vectorsFor: (problemId: string) => VectorsOf | null;
};

/** The first pocket policy of the study, before any training, as the proxy; null where a study has none. */
export async function studyGradients(
  study: Pick<Study, 'runs'>,
  deps: {
    readonly library: Pick<BenchmarkLibrary, 'problems'>;
    readonly checkpoints: Pick<PocketCheckpoints, 'ensure'>;
    readonly signal: AbortSignal;
  },
): Promise<StudyGradients | null> {
  const server = study.runs
    .flatMap(({ team }) => team.servers)
    .flatMap((spec) => (spec.kind === 'pocket' ? [spec] : []))[0];
  const benchmarkId = study.runs[0]?.benchmarkId;
  if (server === undefined || benchmarkId === undefined) return null;
  const problems = await deps.library.problems(benchmarkId);
  const path = await deps.checkpoints.ensure(server.family, server.checkpointSeed, deps.signal);
  if (!problems.ok || !path.ok) return null;
  const checkpoint = parseCheckpoint(await readFile(path.value, 'utf8'));
  const policy = checkpoint.ok ? loadPolicy(checkpoint.value) : checkpoint;
  if (!policy.ok) return null;
  const statements = new Map(problems.value.map(({ id, statement }) => [id, statement]));
  return {
    name: `the pocket policy ${server.family}, base checkpoint of seed ${server.checkpointSeed}`,
    vectorsFor: (problemId) => pocketGradients(policy.value, statements.get(problemId) ?? ''),
  };
}

/**
 * Exact gradients of the log-likelihood of programs as first attempts at this problem; null for a program that no policy
 * can write. Weights on which none of the programs depends are left out. null for a statement that is not of a pocket problem.
 */
export function pocketGradients(policy: PocketPolicy, statement: string): VectorsOf | null {
  const prompt = readPrompt([{ role: 'user', content: statement }]);
  if (prompt === null) return null;
  const encoded = encodePrompt(prompt);
  return (programs) => {
    const full = programs.map((text): Float64Array | null => {
      const parsed = parseProgram(text);
      if (parsed === null || logProbability(policy, encoded, parsed.program) === Number.NEGATIVE_INFINITY)
        return null;
      const gradient = new Float64Array(policy.weights.length);
      addGradient(policy, encoded, parsed.program, 1, gradient);
      return gradient;
    });
    const used = usedIndices(full, policy.weights.length);
    return full.map((gradient) => (gradient === null ? null : pick(gradient, used)));
  };
}

function usedIndices(gradients: ReadonlyArray<Float64Array | null>, width: number): number[] {
  const used = new Uint8Array(width);
  for (const gradient of gradients) {
    if (gradient === null) continue;
    for (let i = 0; i < width; i++) if (gradient[i] !== 0) used[i] = 1;
  }
  return Array.from(used.keys()).filter((i) => used[i] === 1);
}

function pick(gradient: Float64Array, indices: readonly number[]): Float64Array {
  return Float64Array.from(indices, (i) => gradient[i] as number);
}
