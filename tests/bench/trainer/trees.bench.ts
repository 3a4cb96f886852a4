import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { ok } from '../../../main/base';
import type { TokenSample } from '../../../main/trainer/models/learner-bodies';
import { modelLearning } from '../../../main/trainer/models/train-model';
import type { Policy } from '../../../main/trainer/policy';
import { TrainingLoop } from '../../../main/trainer/training-loop';
import { type Grade, modelTrainingSchema, type Problem } from '../../../preload/contract';

const problem: Problem = {
  id: 'p',
  title: 'p',
  statement: 'Write a program.',
  entryPoint: null,
  starterCode: '',
  difficulty: null,
  date: null,
  skills: [],
  publicTests: [{ kind: 'stdin', input: '1', expected: '1' }],
  privateTests: [],
  canonicalProgram: null,
};
const grade: Grade = { verdict: 'passed', results: [] };

/** Answers at once, with `tokens` tokens; scores and learns nothing. What is left is the trainer's own work. */
function instantPolicy(id: string, tokens: number, onWrite: () => void): Policy<TokenSample> {
  const zeros = (traces: readonly TokenSample[]) =>
    traces.map((trace) => new Float32Array(trace.tokens.length));
  let written = 0;
  return {
    id,
    hasReference: true,
    write: async () => {
      written += 1;
      onWrite();
      // About three characters a token, as code has.
      const answer = `\`\`\`python\n# ${written}\n${'x=1'.repeat(tokens)}\n\`\`\``;
      const trace = { prompt: new Int32Array(512), tokens: new Int32Array(tokens) };
      return ok({
        answer,
        promptTokens: 512,
        completionTokens: tokens,
        end: 'stop' as const,
        trace,
        rollout: new Float32Array(tokens),
      });
    },
    score: async (traces) => zeros(traces),
    backward: async () => undefined,
    entropy: async () => null,
    step: async () => ({ gradientNorm: 1 }),
    publish: async () => ({}),
    save: async () => ({}),
    restore: async () => undefined,
    exportTo: async () => undefined,
    codec: {
      encode: () => ({}),
      decode: () => ({ trace: { prompt: new Int32Array(), tokens: new Int32Array() }, rollout: [] }),
    },
  };
}

function loopOf(tokens: number, treesPerRound: number, onWrite: () => void): TrainingLoop<TokenSample> {
  const spec = modelTrainingSchema.parse({
    kind: 'model',
    method: 'heter-mars2',
    agents: ['first', 'second'].map((id) => ({ id, model: id, maxTokens: tokens })),
    problems: { benchmarkId: 'b' },
    updates: 1_000,
    batch: 256,
    treesPerRound,
  });
  let asked = 0;
  return new TrainingLoop<TokenSample>({
    learning: modelLearning(spec),
    deps: {
      policies: new Map(spec.agents.map(({ id }) => [id, instantPolicy(id, tokens, onWrite)])),
      environment: {
        benchmarkId: 'b',
        verdicts: {
          publicGrade: async () => grade,
          passes: async () => (asked++ & 1) === 0,
          statistics: { asked: 0, pairs: 0 },
        },
      },
      now: () => performance.now(),
      sleep: async () => undefined,
      signal: new AbortController().signal,
    },
    environment: { problemOf: async () => problem },
    oldFrom: 'recomputed',
    isReproducible: false,
    checkpoints: tmpdir(),
    saved: null,
    passRates: async () => new Map(),
  });
}

test('time of the trainer itself per node, and its memory with 256 trees of long answers in flight', async () => {
  const short = loopOf(256, 64, () => undefined);
  await short.next();
  const began = performance.now();
  const rounds = 5;
  for (let round = 0; round < rounds; round++) await short.next();
  const perNode = (performance.now() - began) / (rounds * 64 * 8);
  let [written, peak] = [0, 0];
  // Asked for at every sixteenth answer: reading it costs more than the trainer's own work.
  const long = loopOf(32_768, 256, () => {
    written += 1;
    if (written % 16 === 0) peak = Math.max(peak, process.memoryUsage.rss());
  });
  await long.next();
  process.stdout.write(
    `trainer's own time: ${perNode.toFixed(2)} ms per node (aim: below 1)\n` +
      `peak memory with 256 trees of 8 nodes of 32,768 tokens: ${(peak / 1e6).toFixed(0)} MB (aim: below 1,000)\n`,
  );
  expect(perNode).toBeGreaterThan(0);
});
