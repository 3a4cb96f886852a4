import { expect, test } from 'vitest';
import { FirstStart } from '../../../renderer/home/first-start';
import { renderScreen } from '../../support/rendered-screen';

test('where this computer cannot grade, the first screen says why and offers another machine', async () => {
  const screen = await renderScreen(<FirstStart />, {
    played: 'empty',
    sandboxProblem: 'The sandbox exists on Linux only.',
  });
  expect(screen.text()).toContain('The sandbox exists on Linux only.');
  expect(screen.control('Grade on another machine').getAttribute('href')).toBe('#/settings');
  expect(screen.controls()).not.toContain('Run the quickstart study');
});
