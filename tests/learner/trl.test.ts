import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type BatchLoss, batchLoss } from '../../main/objective';
import type { Objective } from '../../preload/contract';
import { PLAIN_OBJECTIVE } from '../../preload/contract/plans';
import { hasTrl, learnerProgram, tinyModel } from '../support/learner';
import { warmPython } from '../support/warm-python';

const numbers = z.array(z.number());
const askedSchema = z.object({
  sequences: z.array(z.object({ current: numbers, old: numbers, reference: numbers, advantage: z.number() })),
});
const foundSchema = z.object({
  names: z.number(),
  ours: z.number(),
  norm: z.number(),
  apart: z.number(),
  loss: z.number(),
});

type Case = {
  readonly ratio: 'token' | 'sequence';
  readonly beta: number;
  readonly clip: number;
  readonly lengths: readonly number[];
};

type Compared = { readonly ours: BatchLoss; readonly theirs: z.infer<typeof foundSchema> };

/** Our objective's slopes, taken by our learner, beside the gradient of TRL's loss on the same model and samples. */
async function compare(cases: readonly Case[]): Promise<readonly Compared[]> {
  const script = resolve('tests/learner/oracles/trl_step.py');
  const paths = [learnerProgram, resolve('tests/learner'), process.env.PYTHONPATH ?? ''];
  const texts = cases.map(({ ratio, beta, clip, lengths }) => [ratio, beta, clip, ...lengths].join());
  const child = spawn(warmPython as string, [script, await tinyModel(1), ...texts], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, PYTHONPATH: paths.join(':') },
  });
  // Other lines are what the libraries print.
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async <T>(schema: z.ZodType<T>): Promise<T> => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error('The script has ended');
      if (value.startsWith('{"')) return schema.parse(JSON.parse(value));
    }
  };
  const compared: Compared[] = [];
  for (const one of cases) {
    const { sequences } = await next(askedSchema);
    const asked = sequences.map((sequence) => ({ ...sequence, rollout: sequence.old }));
    const ours = batchLoss(asked, objectiveOf(one));
    child.stdin.write(`${JSON.stringify({ slopes: ours.slopes.map((slopes) => Array.from(slopes)) })}\n`);
    compared.push({ ours, theirs: await next(foundSchema) });
  }
  child.stdin.end();
  return compared;
}

function objectiveOf({ ratio, beta, clip }: Case): Objective {
  return {
    ...{ ...PLAIN_OBJECTIVE, ratio, importanceCap: null, clip: { low: clip, high: clip } },
    kl: { estimator: 'k3', coefficient: beta },
  };
}

// TRL takes the divergence as a mean over each answer, we over all tokens of the batch: the same where answers are equally
// long. Its advantages divide by the standard deviation plus 1e-4 instead of 1e-9, so both sides are given the same ones.
const cases: readonly [string, Case][] = [
  ['GRPO, answers of different lengths', { ratio: 'token', beta: 0, clip: 0.2, lengths: [9, 4, 1, 7] }],
  ['GRPO with the divergence k3', { ratio: 'token', beta: 0.04, clip: 0.2, lengths: [6, 6, 6, 6] }],
  ['GSPO, answers of different lengths', { ratio: 'sequence', beta: 0, clip: 0.1, lengths: [9, 4, 1, 7] }],
];

describe.skipIf(warmPython === null || !hasTrl())('an update, against TRL’s own', () => {
  let compared: readonly Compared[] = [];
  beforeAll(async () => {
    compared = await compare(cases.map(([, one]) => one));
  });

  it.each(cases.map(([name], i) => [name, i] as const))(
    'has the loss and the gradient of its compute_loss: %s',
    (_, i) => {
      const { ours, theirs } = compared[i] as Compared;
      expect(ours.clipped01).toBeGreaterThan(0);
      expect(ours.clipped01).toBeLessThan(1);
      expect(theirs.names).toBe(theirs.ours);
      expect(theirs.norm).toBeGreaterThan(1e-3);
      expect(theirs.loss).toBeCloseTo(ours.loss, 5);
      expect(theirs.apart).toBeLessThan(1e-5);
    },
  );
});
