import { expect, test } from 'vitest';
import { serverWaitMessages } from '../../../main/studies/logic/server-waits';

test('a study says which server it waits for, and what that one says of itself', () => {
  const views = [
    { model: 'a', state: { kind: 'ready', baseUrl: '' } },
    { model: 'b', state: { kind: 'starting', stage: 'the machine does not answer' } },
    { model: 'c', state: { kind: 'failed', message: 'It ended.', hint: 'Starts again in 2 s (1 of 5).' } },
  ] as const;
  expect(serverWaitMessages([{ model: 'b' }, { model: 'c' }, { model: 'd' }], views)).toEqual([
    'Waits for the server of "b": the machine does not answer',
    'Waits for the server of "c": It ended. Starts again in 2 s (1 of 5).',
    'Waits for the server of "d".',
  ]);
});
