import { expect, test } from 'vitest';
import { shortText } from '../../../main/base';

test('a long text is cut between words, with an ellipsis', () => {
  const line = "bash -c 'for i in 1 2 3; do echo line $i; sleep 1; done; exit 3'";
  expect(shortText(line, 60)).toBe("bash -c 'for i in 1 2 3; do echo line $i; sleep 1; done;…");
  expect(shortText('true', 60)).toBe('true');
  expect(shortText('x'.repeat(70), 60)).toBe(`${'x'.repeat(59)}…`);
});
