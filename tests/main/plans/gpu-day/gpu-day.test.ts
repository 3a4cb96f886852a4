import { writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { probeSandbox } from '../../../../main/grading';
import type { GpuDay, GpuDayStep, Payload } from '../../../../preload/contract';
import { buildWorkbench } from '../../../support/built-workbench';
import { eventually } from '../../../support/eventually';
import { scriptedEngine, scriptedModelFile, scriptedPython } from '../../../support/scripted-learners';
import { openWorkbenchBench, type WorkbenchBench } from '../../../support/workbench-bench';

// Learner, engine and vLLM are stand-ins; trainings, jobs, servers, search and sandbox are real. Of real ones: docs/training.md.

const problem = await probeSandbox({ resourcesDir: resolve('resources'), allowUnsandboxed: false });
/** A day takes some seconds alone. */

describe.skipIf(problem !== null)('a GPU day, rehearsed', () => {
  let bench: WorkbenchBench;
  let order: Payload<'machine.gpuDay'>;

  beforeAll(async () => {
    bench = await openWorkbenchBench(await buildWorkbench(), []);
    const folder = dirname(bench.dataDir);
    const benchmark = resolve('resources/benchmarks/first-functions.jsonl');
    await bench.ask('import.benchmark', { path: benchmark });
    const vllm = join(folder, 'vllm');
    order = {
      ...{ machineId: 'local', benchmarkId: 'first-functions', rehearse: true },
      model: await scriptedModelFile(folder, 'model'),
      python: await scriptedPython(folder),
      vllm,
      ...{ updates: 3, batch: 8, problems: 2, maxTokens: 64 },
    };
    // Weights are damaged where the engine reloads them, and only there.
    const writer = await scriptedEngine(folder, 'model', 'garbage');
    const server = `'${process.execPath}' '${resolve('tests/support/vllm-stand-in.mjs')}'`;
    await writeFile(
      vllm,
      `#!/bin/sh\ncase "$*" in\n-c*) printf '@mars2-model@vllm 0.32.0\\n@mars2-model@end\\n'; exit;;\n*--uds*) exec '${writer}' "$@";;\nesac\nexec ${server} "$@"\n`,
      {
        mode: 0o700,
      },
    );
  });
  afterAll(() => bench?.dispose());

  const stepsOf = (day: GpuDay): Record<string, GpuDayStep> =>
    Object.fromEntries(day.steps.map((step) => [step.id, step]));

  test('goes on behind what is done when it was stopped; a step that fails ends nothing else', async () => {
    const first = bench.workbench.call('machine.gpuDay', order, 'terminal');
    await eventually('the second step', async () =>
      (await bench.ask('training.list', {})).length === 2 ? true : null,
    );
    await bench.workbench.call('task.cancel', { task: 'gpu-day' }, 'terminal');
    expect(await first).toMatchObject({ ok: false, error: { code: 'cancelled' } });

    const day = await bench.ask('machine.gpuDay', order);
    const { learner, restart, reload, adapter, teams } = stepsOf(day);
    expect(day.steps.map(({ id, state }) => `${id} ${state}`)).toEqual([
      ...['learner done', 'restart done', 'reload failed', 'adapter done', 'teams done'],
    ]);
    expect(reload?.why).toContain('reports log-probabilities 7.00 nats a token from the learner’s');
    // What was done was not done again, and what had begun was resumed.
    const names = (await bench.ask('training.list', {})).map(({ name }) => name);
    expect(names).toHaveLength(4);
    expect(new Set(names).size).toBe(4);
    expect(learner?.values).toMatchObject({ updates: 3, 'logp-gap': 0 });
    expect(learner?.values).not.toHaveProperty('publish-slope');
    for (const step of [restart, adapter])
      expect(step?.values).toMatchObject({ 'publish-proven': 1, 'publish-slope': expect.closeTo(1, 3) });
    for (const team of ['Single', 'Homogeneous', 'Heterogeneous'])
      expect(teams?.values).toHaveProperty(`${team} pass@1`);
    expect(await bench.ask('machine.gpuDayResults', { machineId: 'local' })).toEqual(day);
    // Nothing of it runs on, and it leaves no launch behind.
    expect((await bench.ask('server.list', {})).every(({ state }) => state.kind === 'stopped')).toBe(true);
    expect(await bench.ask('launch.list', {})).toEqual([]);
    // A lab can send it.
    expect(JSON.stringify(day)).not.toContain(dirname(bench.dataDir));
  });

  test('what could only fail after an hour is refused at once', async () => {
    const refusal = async (change: Partial<typeof order>): Promise<string> => {
      const answer = await bench.workbench.call('machine.gpuDay', { ...order, ...change }, 'terminal');
      return answer.ok ? '' : answer.error.message;
    };
    expect(await refusal({ rehearse: false })).toBe('This computer has no GPU.');
    expect(await refusal({ problems: 90 })).toMatch(/none are left to train on/);
    // All that is missing at once.
    expect(await refusal({ model: '/nowhere/model', vllm: '/nowhere/python' })).toBe(
      '/nowhere/model is not there. /nowhere/python does not run there.',
    );
    expect(await refusal({ benchmarkId: 'nothing' })).toMatch(/nothing/);
    expect(await refusal({ machineId: '../x' })).toMatch(/no machine/i);
  });

  test('results of another lab are taken, and damaged ones refused', async () => {
    const own = await bench.ask('machine.gpuDayResults', { machineId: 'local' });
    const sent = { ...own, model: { ...own?.model, name: 'theirs' } };
    await bench.ask('machine.takeGpuDay', { machineId: 'local', text: JSON.stringify(sent) });
    expect((await bench.ask('machine.gpuDayResults', { machineId: 'local' }))?.model.name).toBe('theirs');
    const none = { ...sent, steps: own?.steps.map((step) => ({ ...step, state: 'failed' })) };
    const useless = await bench.workbench.call(
      'machine.takeGpuDay',
      { machineId: 'local', text: JSON.stringify(none) },
      'terminal',
    );
    expect(useless).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('nothing to take') },
    });
    for (const text of ['', '{}', '['.repeat(100_000), JSON.stringify({ ...sent, steps: [{ id: 'x' }] })]) {
      const answer = await bench.workbench.call(
        'machine.takeGpuDay',
        { machineId: 'local', text },
        'terminal',
      );
      expect(answer).toMatchObject({
        ok: false,
        error: { message: 'This file holds no results of a GPU day.' },
      });
    }
    await writeFile(join(bench.dataDir, 'gpu-days', 'local.json'), '{');
    const read = await bench.workbench.call('machine.gpuDayResults', { machineId: 'local' }, 'terminal');
    expect(read).toMatchObject({ ok: false, error: { message: expect.stringContaining('cannot be read') } });
  });
});
