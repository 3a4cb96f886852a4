import { join } from 'node:path';
import { expect, test } from 'vitest';
import { restoreConnections } from '../../../main/app/restore-connections';
import { Emitter } from '../../../main/base';
import { openRegistry } from '../../../main/storage';
import type { Connection, MachineSpec } from '../../../preload/contract';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

/** A fleet of two machines whose connections the test decides. */
function playedFleet() {
  const changed = new Emitter<string>();
  const states = new Map<string, Connection>();
  const calls: string[] = [];
  const specs: MachineSpec[] = [
    { kind: 'local', id: 'local', name: 'here' },
    { kind: 'ssh', id: 'a', name: 'a', host: 'a' },
    { kind: 'ssh', id: 'b', name: 'b', host: 'b' },
  ];
  return {
    asked: calls,
    specs: () => specs,
    connection: (id: string): Connection => states.get(id) ?? { kind: 'off' },
    onConnection: (listener: (id: string) => void) => changed.on(listener),
    connect: (id: string) => void calls.push(id),
    become: (id: string, connection: Connection) => {
      states.set(id, connection);
      changed.emit(id);
    },
  };
}

const CONNECTED: Connection = { kind: 'connected', since: '2026-01-01T00:00:00.000Z' };

test('what was connected is connected again at the next start, and what was left is not', async () => {
  const path = join(await temporaryFolder(), 'registry.json');
  const first = await unwrap(openRegistry(path));
  const fleet = playedFleet();
  const listening = restoreConnections(fleet, first);
  expect(fleet.asked).toEqual([]);
  for (const id of ['local', 'a', 'b']) fleet.become(id, CONNECTED);
  fleet.become('a', {
    kind: 'unreachable',
    since: '',
    lastSeenAt: null,
    message: 'no route',
    nextTryAt: null,
  });
  fleet.become('b', { kind: 'off' });
  await first.update((data) => data);
  listening.dispose();
  // The app's own end disconnects everything, and says nothing of what the user wants.
  fleet.become('a', { kind: 'off' });

  const next = playedFleet();
  restoreConnections(next, await unwrap(openRegistry(path)));
  expect(next.asked).toEqual(['a']);
});
