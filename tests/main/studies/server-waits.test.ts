import { expect, test } from 'vitest';
import { serverWaitWarnings } from '../../../main/studies/logic/server-waits';

test('a study names the server that it waits for, with its state', () => {
  const views = [
    { model: 'a', state: { kind: 'ready', baseUrl: '' } },
    { model: 'b', state: { kind: 'starting', stage: 'the machine does not answer' } },
    { model: 'c', state: { kind: 'failed', message: 'It ended.', hint: 'Starts again in 2 s (1 of 5).' } },
  ] as const;
  expect(
    serverWaitWarnings([{ model: 'b' }, { model: 'c' }, { model: 'd' }], views).map(({ text }) => text),
  ).toEqual([
    'Waiting for the server of "b": the machine does not answer',
    'Waiting for the server of "c": It ended. Starts again in 2 s (1 of 5).',
    'Waiting for the server of "d".',
  ]);
});
