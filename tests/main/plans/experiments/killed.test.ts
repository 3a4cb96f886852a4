import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { probeSandbox } from '../../../../main/grading';
import type { ExperimentRequest } from '../../../../preload/contract';
import { saveBasePolicies } from '../../../support/base-policies';
import { bundleScript } from '../../../support/bundled-script';
import { type HostedEnd, type HostedExperiment, hostExperiment } from '../../../support/hosted-experiment';
import { makeTemporaryFolder, temporaryFolder } from '../../../support/temporary-folder';

const families = ['reader', 'tracer'];
const ORDER: ExperimentRequest = {
  name: 'Killed',
  rows: [
    { label: 'Base', method: 'base', families, change: {} },
    { label: 'Heter', method: 'heter-mars2', families, change: {} },
  ],
  seeds: [1, 2, 3],
  training: { updates: 25 },
};

const resources = resolve('resources');
const sandboxProblem = await probeSandbox({ resourcesDir: resources, allowUnsandboxed: false });

let script = '';
beforeAll(async () => {
  const folder = await makeTemporaryFolder();
  script = await bundleScript(resolve('tests/support/experiment-host.ts'), folder.path);
  return folder.dispose;
});

test('an experiment whose workbench is killed again and again begins each training once, and is done', async () => {
  const trainer = resolve('tests/support/pocket-trainer-stand-in.mjs');
  const what: HostedExperiment = {
    script,
    folder: await temporaryFolder(),
    trainer,
    resources,
    order: ORDER,
  };
  let end: HostedEnd | null = null;
  for (const lines of [1, 3, 2, 4]) end ??= await hostExperiment(what, lines);
  end ??= await hostExperiment(what);
  expect(end).toMatchObject({ state: { kind: 'done' }, done: 6 });
  const members = [1, 2, 3].flatMap((seed) => [`Killed: Base, seed ${seed}`, `Killed: Heter, seed ${seed}`]);
  expect([...(end?.names ?? [])].sort()).toEqual([...members].sort());
  // Trainings outlive the workbench: none had to be started again.
  expect(end?.attempts).toEqual(members.map(() => 1));
});

test.skipIf(sandboxProblem !== null)(
  'a tiny experiment of the real trainer with the real sandbox gives the same result when it was killed (skipped where no sandbox starts)',
  async () => {
    const trainer = await bundleScript(resolve('main/trainer/program.ts'), await temporaryFolder());
    const request: ExperimentRequest = {
      ...ORDER,
      seeds: [1],
      training: {
        updates: 3,
        batch: 16,
        treesPerRound: 4,
        problems: 12,
        checkpointEvery: 3,
        evaluation: { split: 'validation', problems: 4, nodes: 8, samples: 4, every: 0 },
      },
    };
    const folder = await temporaryFolder();
    await saveBasePolicies(join(folder, 'checkpoints'), ['reader', 'tracer']);
    const what: HostedExperiment = { script, folder, trainer, resources, order: request };
    await hostExperiment(what, 3);
    const killed = await hostExperiment(what);
    const other = await temporaryFolder();
    await saveBasePolicies(join(other, 'checkpoints'), ['reader', 'tracer']);
    const whole = await hostExperiment({ ...what, folder: other });
    expect(killed).toMatchObject({ state: { kind: 'done' }, done: 2, result: { ok: true } });
    const [first, second] = [killed?.result.value, whole?.result.value];
    expect(first?.cells).toEqual(second?.cells);
    expect(first?.pairs).toEqual(second?.pairs);
    // Machinery alone: nothing is said of who is better.
    expect(first?.cells.map(({ metric }) => metric)).toEqual(
      expect.arrayContaining(['pass@1', 'pass@1(mcts)', 'pass@n', 'zero-advantage']),
    );
    expect(first?.budgets).toMatchObject([{ samplesTotal: 0 }, { samplesTotal: 3 * 16 * 2 }]);
  },
  300_000,
);
