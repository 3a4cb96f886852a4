import { expect, test } from 'vitest';
import { createLaunches } from '../../../renderer/state/launches';
import { createNotices } from '../../../renderer/state/notices';

test('the notice of a refused launch says in its title what could not be done', async () => {
  const notices = createNotices({ reportProblem: () => undefined, showInFolder: () => undefined });
  const error = { code: 'bad-input', message: 'It requests 1 GPU, but the machine has 0.' } as const;
  const client = { call: async () => ({ ok: false, error }) };
  const launches = createLaunches(client as never, notices, {} as never);
  expect(await launches.launch('launch-1')).toBe(false);
  expect(notices.store.getState()).toMatchObject([
    { level: 'error', title: 'Could not launch the server', message: error.message },
  ]);
});
