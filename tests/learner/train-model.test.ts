import { spawn } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { randomStream } from '../../main/base';
import { openSandboxGrader } from '../../main/grading';
import { learnerWriter } from '../../main/trainer/models/engines/writer';
import type { RunningLearner } from '../../main/trainer/models/learner-process';
import { PROBLEMS_FILE } from '../../main/trainer/models/model-input';
import { modelPolicy } from '../../main/trainer/models/model-policy';
import { type ModelTrainerOptions, modelLearning, openLearners } from '../../main/trainer/models/train-model';
import { openProblemFile } from '../../main/trainer/problem-file';
import { train } from '../../main/trainer/trainer';
import type { Verdicts } from '../../main/trainer/training-environment';
import type { PassCount } from '../../preload/contract';
import { bundleScript } from '../support/bundled-script';
import { eventually } from '../support/eventually';
import { isAlive } from '../support/is-alive';
import { learnerProgram } from '../support/learner';
import { temporaryFolder } from '../support/temporary-folder';
import { warmPython } from '../support/warm-python';
import { zeroTraining } from '../support/zero-training';

type Line = { step: number; agent: string | null; part?: string; values: Record<string, number> };

/** Alone on two cores each takes less than a minute. */
const PATIENCE = { timeout: 1_200_000 };

/** The whole trainer: real learners with tiny models of random weights, real trees, real programs in the sandbox. */
describe.skipIf(warmPython === null)('training language models', () => {
  const linesOf = async (out: string): Promise<Line[]> =>
    (await readFile(join(out, 'metrics.jsonl'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

  /** Rewards of an agent's updates, which rise. */
  const expectLearnt = (lines: readonly Line[]) => {
    for (const id of ['first', 'second']) {
      const updates = lines
        .filter(({ agent, part }) => agent === id && part === undefined)
        .map((line) => line.values);
      const rewards = updates.map(({ reward }) => reward as number);
      expect(rewards).toHaveLength(12);
      const mean = (from: number, to: number) =>
        rewards.slice(from, to).reduce((sum, reward) => sum + reward, 0) / (to - from);
      expect(mean(9, 12) - mean(0, 3), `${id}: ${rewards}`).toBeGreaterThanOrEqual(0.3);
      expect(updates[0]).toMatchObject({ kl: expect.any(Number), 'gradient-norm': expect.any(Number) });
    }
  };

  it(
    'two agents in shared trees learn what the sandbox rewards, over kill -9, with every update made once and no process left behind',
    PATIENCE,
    async () => {
      const { input, out } = await zeroTraining({
        seed: 1,
        problems: { benchmarkId: 'own', choose: { measured: 2, samples: 16, from: 0.01, to: 0.99 } },
        evaluation: { problems: 1, nodes: 4, samples: 16, before: true },
      });
      const spec = join(out, 'spec.json');
      await writeFile(spec, JSON.stringify(input));
      const script = await bundleScript('main/trainer/program.ts', await temporaryFolder());
      const folders = ['--out', out, '--checkpoints', out, '--resources', resolve('resources')];
      const start = () =>
        spawn(process.execPath, [script, '--spec', spec, ...folders], {
          stdio: ['ignore', 'ignore', 'inherit'],
        });
      const killed = start();
      await eventually(
        'three updates',
        async () => (await linesOf(out).catch(() => [])).length >= 6 || null,
        600_000,
      );
      const pids = await Promise.all(
        input.spec.agents.map(async ({ id }) =>
          Number(JSON.parse(await readFile(join(out, 'learners', id, 'address.json'), 'utf8')).pid),
        ),
      );
      killed.kill('SIGKILL');
      await eventually('the learners’ end', () => (pids.some(isAlive) ? null : true), 240_000);
      const again = start();
      expect(await new Promise((resolve) => again.once('close', resolve))).toBe(0);
      const lines = (await linesOf(out)).filter(({ part }) => part === undefined);
      expectLearnt(lines);
      for (const id of ['first', 'second']) {
        const steps = lines.filter(({ agent }) => agent === id).map(({ step }) => step);
        expect(steps).toEqual(Array.from({ length: 12 }, (_, at) => at + 1));
        expect(await readdir(join(out, 'checkpoints', `${id}-000012`))).toEqual(
          expect.arrayContaining(['config.json', 'model.safetensors', 'tokenizer.json']),
        );
      }
      const evaluation = JSON.parse(await readFile(join(out, 'evaluation.json'), 'utf8'));
      expect(evaluation.teams).toHaveLength(3);
      // What the untrained models did: asked alone, on the problems of each part.
      const counted = JSON.parse(await readFile(join(out, 'measured-problems.json'), 'utf8'));
      for (const [counts, ids] of [
        [counted.problems, ['a', 'b']],
        [evaluation.before, ['c']],
      ]) {
        expect(counts.map(({ problemId }: PassCount) => problemId).toSorted()).toEqual(ids);
        for (const { samples } of counts as PassCount[]) {
          expect(samples.map(({ agentId, count }) => [agentId, count])).toEqual([
            ['first', 16],
            ['second', 16],
          ]);
        }
      }
    },
  );

  it('they do not when rewards are dealt at random within trees', PATIENCE, async () => {
    const opened = await openSandboxGrader({
      resourcesDir: resolve('resources'),
      allowUnsandboxed: false,
      concurrency: 2,
    });
    if (!opened.ok) throw new Error(opened.error.message);
    const grader = opened.value;
    const options: ModelTrainerOptions = {
      ...(await zeroTraining({ updates: 10, evaluation: { problems: 0 } })),
      ...{ learnerProgram, grader, now: Date.now, stop: { aborted: false }, saveEveryMs: 0 },
      ...{ signal: new AbortController().signal, onLearnerLine: () => undefined },
    };
    const { input, out } = options;
    const learners: RunningLearner[] = [];
    const random = randomStream('permuted');
    const passed: boolean[] = [];
    try {
      const learning = modelLearning(input.spec);
      const loop = {
        ...options,
        learning,
        oldFrom: 'recomputed',
        isReproducible: false,
        sleep: pause,
      } as const;
      await train(loop, async () => {
        await openLearners(options, (learner) => learners.push(learner));
        const environment = await openProblemFile({
          path: join(out, PROBLEMS_FILE),
          spec: input.spec,
          grader,
        });
        const passes: Verdicts['passes'] = async (...candidate) => {
          passed.push((await environment.verdicts.passes(...candidate)) === true);
          return random.uniform() < 0.35; // as often as untrained models are right
        };
        const policies = learners.map(({ client, agentId }) =>
          modelPolicy({
            id: agentId,
            client,
            writer: learnerWriter(client, 4_096),
            hasReference: true,
          }),
        );
        policies.sort((one, other) => (one.id < other.id ? -1 : 1));
        return { policies, environment: { ...environment, verdicts: { ...environment.verdicts, passes } } };
      });
    } finally {
      await Promise.all(learners.map((learner) => learner.dispose()));
      await grader.dispose();
    }
    const quarter = Math.floor(passed.length / 4);
    const rate = (those: readonly boolean[]): number => those.filter(Boolean).length / those.length;
    expect(rate(passed.slice(-quarter)) - rate(passed.slice(0, quarter))).toBeLessThan(0.2);
  });
});
