import { expect, test } from 'vitest';
import { StatementText } from '../../../../renderer/shared/problems/problem-text';
import { renderScreen } from '../../../support/rendered-screen';

test('code in a statement is code, fenced or between backticks; other backticks stay', async () => {
  const text = 'Return `x + 1`.\n```python\ndef solve(x):\n    ...\n```\nIt costs 3` and `` is ``` empty.';
  await renderScreen(<StatementText text={text} />);
  expect(document.querySelector('code')?.textContent).toBe('x + 1');
  expect(document.querySelector('pre')?.textContent).toBe('def solve(x):\n    ...');
  expect(document.body.textContent).toContain('It costs 3` and `` is ``` empty.');
});
