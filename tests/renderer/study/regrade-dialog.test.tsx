import { expect, test } from 'vitest';
import { RegradeDialog } from '../../../renderer/study/regrade-dialog';
import { renderScreen } from '../../support/rendered-screen';
import { sampleStudy } from '../../support/sample-study';

test('a first re-grade names what is chosen, and points at no choice that is not there yet', async () => {
  const screen = await renderScreen(<RegradeDialog study={sampleStudy()} onClose={() => undefined} />);
  for (const label of ['Tests', 'Programs', 'Grading mode']) expect(screen.text()).toContain(label);
  expect(screen.field('Programs')).toBe('all; the result is kept');
  expect(screen.text()).toContain('Once it is done, choose here whether it counts.');
  expect(screen.text()).not.toContain('above');
});
