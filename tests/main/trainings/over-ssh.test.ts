import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectedMachine } from '../../support/fleet-bench';
import { hasSshdAccounts, startSshd } from '../../support/sshd';
import { martiRequest, openTrainingBench, standInMarti } from '../../support/training-bench';
import { unwrap } from '../../support/unwrap';

describe.skipIf(!hasSshdAccounts)('a training over ssh (needs root and sshd)', () => {
  test('runs in the home folder of the machine, is checked before, and is watched to its end', async () => {
    const sshd = await startSshd();
    onTestFinished(() => sshd.stop());
    const { machine } = await connectedMachine(sshd);
    const bench = await openTrainingBench({ machine: () => machine });
    onTestFinished(bench.dispose);
    await mkdir(join(sshd.home, 'our things'));
    const marti = await standInMarti(join(sshd.home, 'our things'));
    const spec = {
      checkout: '~/our things/MARTI',
      data: '~/our things/data/',
      output: '~/runs/first one',
      agents: [{ model: '~/our things/model' }, { model: marti.model }],
    };
    const env = { STAND_IN_ARGUMENTS: join(sshd.home, 'arguments.json') };
    const request = martiRequest(marti, { machineId: machine.id, spec, env });
    const plan = await unwrap(bench.trainings.plan(request, true));
    const bad = plan.checks.filter(({ state, id }) => state === 'bad' && id !== 'dashboard-port');
    expect(bad).toEqual([]);
    const { id } = await unwrap(bench.trainings.start(request));
    expect((await bench.ended(id)).state).toMatchObject({ kind: 'exited', code: 0 });
    const args = JSON.parse(await readFile(env.STAND_IN_ARGUMENTS, 'utf8'));
    expect(args).toMatchObject({
      cwd: join(sshd.home, 'runs', 'first one', 'code'),
      prompt_data: `json@${join(sshd.home, 'our things', 'data')}`,
      agents: [{ 0: { pretrain: join(sshd.home, 'our things', 'model') } }, { 1: { pretrain: marti.model } }],
    });
    const curves = await unwrap(bench.trainings.curves(id, 100));
    expect(curves.filter(({ key }) => key === 'reward').map(({ steps }) => steps.length)).toEqual([6, 6]);
    const checkpoints = await unwrap(bench.trainings.checkpoints(id));
    expect(checkpoints.filter(({ canServe }) => canServe)).toHaveLength(6);
  });
});
