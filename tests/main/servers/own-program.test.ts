import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ok } from '../../../main/base';
import { createLocalMachine, type Machine } from '../../../main/machines';
import { ownServerJob } from '../../../main/servers/own-program';
import type { MachineSpec } from '../../../preload/contract';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

const lab: MachineSpec = { kind: 'ssh', id: 'lab', name: 'Lab', host: 'lab' };

/** A machine whose probe for Node prints this. */
async function machineWith(nodeOutput: string): Promise<Machine> {
  const machine = createLocalMachine(await temporaryFolder(), lab);
  return { ...machine, run: async () => ok({ code: 0, stdout: nodeOutput, stderr: '' }) };
}

async function jobOn(machine: Machine) {
  const folder = await temporaryFolder();
  const file = { path: join(folder, 'weights.json'), digest: 'a'.repeat(64), knownProblemId: null };
  const script = { path: join(folder, 'script.js'), digest: 'b'.repeat(64) };
  await writeFile(file.path, '{}');
  await writeFile(script.path, '');
  return ownServerJob({
    machine,
    spec: {
      kind: 'pocket',
      id: 'p',
      model: 'pocket',
      family: 'reader',
      checkpointSeed: 1,
      latencyMs: 0,
      maxInFlight: 1,
    },
    file,
    script,
    nodeRuntime: { command: '/here/electron', env: { ELECTRON_RUN_AS_NODE: '1' } },
    key: 'k',
    owner: null,
    serverId: 's',
  });
}

test('elsewhere the Node of that machine runs copies that are named by their digests', async () => {
  const machine = await machineWith('@mars2-node@22.3.0 /opt/node/bin/node\n');
  const home = await unwrap(machine.home());
  const { spec } = await unwrap(jobOn(machine));
  expect(spec).toMatchObject({ machineId: 'lab', env: {} });
  expect(spec.command).toMatchObject({
    program: '/opt/node/bin/node',
    args: expect.arrayContaining([
      `${home}/tools/model-server-bbbbbbbbbbbbbbbb.mjs`,
      `${home}/models/aaaaaaaaaaaaaaaa.json`,
    ]),
  });
  expect(await unwrap(machine.listFolder(`${home}/models`))).toEqual(['aaaaaaaaaaaaaaaa.json']);
});

test.each([
  ['', /Node was not found/],
  ['@mars2-node@16.1.0 /usr/bin/node\n', /it has Node 16\.1\.0/],
])('a machine without a new Node is refused with what to install (%j)', async (look, message) => {
  const refused = await jobOn(await machineWith(look));
  expect(refused).toMatchObject({
    ok: false,
    error: { message: expect.stringMatching(message), hint: expect.stringContaining('conda install') },
  });
});
