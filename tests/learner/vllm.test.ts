import { execFileSync, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { bundleScript } from '../support/bundled-script';
import { eventually } from '../support/eventually';
import { isAlive } from '../support/is-alive';
import { learnerPython } from '../support/learner';
import { openLearningEngine, vllmPython } from '../support/learning-engine';
import { temporaryFolder } from '../support/temporary-folder';
import { zeroTraining } from '../support/zero-training';

type Line = { readonly step: number; readonly values: Readonly<Record<string, number>> };

/** Alone on two cores each takes a minute, of which an engine's start is half; beside other work several times that. */
const PATIENCE = { timeout: 1_800_000 };

/** For an engine whose start and end are not what is tested: it takes less than half of the work to start. */
const forkingEngine = { PYTHONPATH: resolve('tests/learner/forking') };

describe.skipIf(learnerPython === null || vllmPython === null)(
  'a real vLLM writes what a learner trains',
  () => {
    it(
      'reloads all weights with proof, also after an update of 1e-6, and a lost reload is noticed',
      PATIENCE,
      async () => {
        vi.stubEnv('PYTHONPATH', forkingEngine.PYTHONPATH);
        onTestFinished(() => void vi.unstubAllEnvs());
        const engine = await openLearningEngine({ publish: 'reload' });
        try {
          // Together they are longer than what vLLM reads at once by default.
          expect(await engine.writeTogether(24, 250)).toBe(24);
          for (const rate of [0.01, 1e-6]) {
            const { gap, ends } = await engine.update(rate);
            expect(gap).toBeLessThan(1e-3);
            // The end token belongs to the answer.
            for (const token of ends) expect(engine.endIds).toContain(token);
            const values = await engine.publish();
            expect(values).toMatchObject({ 'publish-proven': 1 });
            expect(values['publish-slope']).toBeCloseTo(1, 1);
          }
          await engine.update(1e-6);
          engine.loseWeights();
          await expect(engine.publish()).rejects.toThrow(/still answers with other weights/);
        } finally {
          await engine.dispose();
        }
      },
    );

    it(
      'a training by adapters goes on after kill -9, which leaves no process of vLLM behind',
      PATIENCE,
      async () => {
        const { input, out } = await zeroTraining({
          ...{
            python: learnerPython,
            method: 'rs2',
            lora: { rank: 4, alpha: 8 },
            updates: 4,
            evaluation: { problems: 0 },
          },
          writer: { engine: 'vllm', publish: 'adapter', python: vllmPython },
        });
        const spec = join(out, 'spec.json');
        await writeFile(
          spec,
          JSON.stringify({ ...input, spec: { ...input.spec, agents: input.spec.agents.slice(0, 1) } }),
        );
        const script = await bundleScript('main/trainer/program.ts', await temporaryFolder());
        const folders = [
          '--spec',
          spec,
          '--out',
          out,
          '--checkpoints',
          out,
          '--resources',
          resolve('resources'),
        ];
        const start = (env = {}) =>
          spawn(process.execPath, [script, ...folders], {
            stdio: ['ignore', 'ignore', 'inherit'],
            env: { ...process.env, ...env },
          });
        const linesOf = async (): Promise<Line[]> =>
          (await readFile(join(out, 'metrics.jsonl'), 'utf8').catch(() => ''))
            .split('\n')
            .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
        const killed = start();
        await eventually('an update', async () => ((await linesOf()).length > 0 ? true : null), 1_200_000);
        const engines = descendants(killed.pid as number);
        expect(engines.length).toBeGreaterThanOrEqual(4);
        killed.kill('SIGKILL');
        await eventually(
          'the end of learner and engine',
          () => (engines.some(isAlive) ? null : true),
          240_000,
        );
        const again = start(forkingEngine);
        expect(await new Promise((ended) => again.once('close', ended))).toBe(0);
        const lines = await linesOf();
        expect(lines.map(({ step }) => step)).toEqual([1, 2, 3, 4]);
        const published = lines.flatMap(({ values }) => values['publish-proven'] ?? []);
        expect(published.length).toBeGreaterThan(0);
        expect(published.every((share) => share === 1)).toBe(true);
        expect(Math.max(...lines.map(({ values }) => values['logp-gap'] as number))).toBeLessThan(1e-3);
      },
    );
  },
);

/** Processes that this one has started, and those that they have. */
function descendants(pid: number): number[] {
  const table = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const childrenOf = (parent: number): number[] =>
    table.flatMap(([child, of]) => (of === parent ? [child as number, ...childrenOf(child as number)] : []));
  return childrenOf(pid);
}
