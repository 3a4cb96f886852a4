import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { controlSocketPath, openWorkbench, privateFolder } from '../../../main/app';
import { environmentSecrets } from '../../../main/app/secrets';
import { heldBy } from '../../bench/soak/held';
import { makeBenchmark, openSoakWork } from '../../bench/soak/soak-work';
import { eventually } from '../../support/eventually';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

// tests/bench/soak does the same for minutes, and watches memory too.
test('events, studies, terminals and rotations of logs leave no listener, file handle or child process', async () => {
  const dataDir = join(await temporaryFolder(), 'data');
  await mkdir(dataDir);
  await makeBenchmark(dataDir);
  const workbench = await unwrap(
    openWorkbench({
      dataDir,
      project: resolve('.'),
      appVersion: 'test',
      kind: 'terminal',
      nodeRuntime: { command: process.execPath, env: {} },
      secrets: environmentSecrets({}),
      reconnects: false,
    }),
  );
  onTestFinished(() => workbench.close());
  const sockets = await unwrap(privateFolder(process.env));
  const rounds = await openSoakWork(workbench, dataDir);
  const work = async (): Promise<void> => {
    const terminal = createConnection(controlSocketPath(sockets, dataDir));
    await once(terminal, 'connect');
    await rounds.events(60);
    await rounds.studies(2);
    await rounds.appLogRotations(50);
    await rounds.jobLogRotations(4);
    terminal.destroy();
    await once(terminal, 'close');
  };
  await work();
  const { heapBytes: _, ...before } = heldBy(workbench);
  for (let round = 0; round < 3; round++) await work();
  // What other tests of this process left may end meanwhile: then less is held.
  const held = () => heldBy(workbench);
  await eventually(
    `no more to be held than ${JSON.stringify(before)}`,
    () => {
      const { listeners, fileHandles, childProcesses } = held();
      return (
        listeners <= before.listeners &&
        fileHandles <= before.fileHandles &&
        childProcesses <= before.childProcesses
      );
    },
    20_000,
    held,
  );
  expect(before.listeners).toBeGreaterThan(0);
});
