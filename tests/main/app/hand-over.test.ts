import { expect, test } from 'vitest';
import { startNotices } from '../../../main/app/hand-over';
import { failed, ok } from '../../../main/base/index';

const messages = (...asked: Parameters<typeof startNotices>) =>
  startNotices(...asked).map(({ level, message }) => `${level}: ${message}`);

test('who wanted the service to start with the computer is told where nothing can do that', () => {
  expect(messages(ok({ registration: null }), true)).toEqual([
    expect.stringMatching(
      /^warning: .*does not start with this computer.* After a restart, start it again\.$/,
    ),
  ]);
  expect(messages(ok({ registration: null }), false)).toEqual([]);
  expect(messages(ok({ registration: 'cron' }), true)).toEqual([]);
});

test('a service that did not start is told with its cause', () => {
  const refusal = { code: 'unavailable', message: 'The disk is full.' } as const;
  expect(messages(failed(refusal), true)).toEqual([expect.stringMatching(/^error: .* The disk is full\.$/)]);
});
