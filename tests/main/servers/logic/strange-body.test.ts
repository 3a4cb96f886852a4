import { expect, test } from 'vitest';
import { startOf } from '../../../../main/servers/logic/chat-answer';

test('a strange answer that echoes a key is shown without it', () => {
  expect(startOf('{"error": "no such user",\n "sent": "Authorization: Bearer abcdefgh12345"}')).toBe(
    '{"error": "no such user", "sent": "Authorization: Bearer •••"}',
  );
});
