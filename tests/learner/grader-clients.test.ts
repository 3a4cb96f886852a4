import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openSandboxGrader, probeSandbox } from '../../main/grading';
import { startService } from '../main/grader-service/started';
import { LIMITS, RESOURCES } from '../main/grading/sandbox';
import { hasTrl, tinyModel } from '../support/learner';
import { unwrap } from '../support/unwrap';
import { warmPython } from '../support/warm-python';

const foundSchema = z.object({
  seen: z.array(z.object({ program: z.string(), reward: z.number() })),
  logged: z.array(z.number()),
});
const TESTS = [0, 1].map(
  (number) => ({ kind: 'stdin', input: `${number}\n`, expected: `${number}\n` }) as const,
);

const sandboxProblem = await probeSandbox({ resourcesDir: RESOURCES, allowUnsandboxed: false });
const isLeftOut = warmPython === null || !hasTrl() || sandboxProblem !== null;

describe.skipIf(isLeftOut)('TRL’s GRPOTrainer with the rewards of a grader service', () => {
  it('learns from the verdicts of our sandbox', async () => {
    const { address, tokenPath } = await startService();
    const script = resolve('tests/learner/oracles/trl_reward.py');
    const words = [script, await tinyModel(1), resolve('resources/grader-clients')];
    const variables = { MARS2_GRADER_URL: address, MARS2_GRADER_TOKEN_FILE: tokenPath };
    const env = { ...process.env, ...variables, OMP_NUM_THREADS: '1' };
    const { stdout } = await promisify(execFile)(warmPython as string, words, { env });
    // Other lines are what the libraries print.
    const line = stdout.split('\n').find((text) => text.startsWith('{"seen"'));
    const { seen, logged } = foundSchema.parse(JSON.parse(line ?? ''));

    const options = { resourcesDir: RESOURCES, allowUnsandboxed: false, concurrency: 2 };
    const grader = await unwrap(openSandboxGrader(options));
    const scores = await Promise.all(
      seen.map(async ({ program }) => {
        const request = {
          program,
          entryPoint: null,
          tests: TESTS,
          limits: LIMITS,
          stopAtFirstFailure: false,
        };
        const { results } = await unwrap(grader.grade(request));
        return results.filter(({ verdict }) => verdict === 'passed').length / TESTS.length;
      }),
    );
    await grader.dispose();
    expect(seen.map(({ reward }) => reward)).toEqual(scores);
    expect(new Set(scores).size).toBeGreaterThan(1);
    expect(logged).toEqual([
      expect.closeTo(scores.reduce((sum, score) => sum + score, 0) / scores.length, 5),
    ]);
  });
});
