import { expect, it } from 'vitest';
import { ServerStatus } from '../../../main/servers/server-status';

it('a start that another start of the app has seen to its end gets no stage that its log shows only now', () => {
  const status = new ServerStatus(
    { kind: 'starting', stage: '' },
    { now: () => 0, onChange: () => undefined },
  );
  for (const name of ['process up', 'port open', 'one real token']) status.note(name, '2026-01-01T00:00:00Z');
  const seen = status.stages;
  status.setStage('warming up', 'warming up');
  expect(status.stages).toEqual(seen);
  expect(status.state).toEqual({ kind: 'starting', stage: 'warming up' });
  status.restart('launching');
  status.setStage('warming up', 'warming up');
  expect(status.stages.map(({ name }) => name)).toEqual(['warming up']);
});
