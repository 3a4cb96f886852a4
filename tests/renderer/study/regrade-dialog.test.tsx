import { expect, test } from 'vitest';
import { RegradeDialog } from '../../../renderer/study/regrade-dialog';
import { renderScreen } from '../../support/rendered-screen';
import { sampleRegrade } from '../../support/sample-regrade';
import { sampleStudy } from '../../support/sample-study';

test('a first re-grade names what is chosen, and points at no choice that is not there yet', async () => {
  const screen = await renderScreen(<RegradeDialog study={sampleStudy()} onClose={() => undefined} />);
  for (const label of ['Tests', 'Programs', 'Grading mode']) expect(screen.text()).toContain(label);
  expect(screen.field('Programs')).toBe('all; the result is kept');
  expect(screen.text()).toContain('Once it is done, choose here whether it counts.');
  expect(screen.text()).not.toContain('above');
});

test('says what a re-grade of all programs changed, and that a check of some keeps nothing', async () => {
  const screen = await renderScreen(<RegradeDialog study={sampleStudy()} onClose={() => undefined} />);
  await screen.click('Grade again');
  await screen.until(/\d+ verdicts changed\. [\d,]+ different programs graded ?\. It is kept; choose above/);
  const check = await renderScreen(<RegradeDialog study={sampleStudy()} onClose={() => undefined} />);
  await check.choose('Programs', '200; a check, not kept');
  await check.click('Grade again');
  await check.until(/Every verdict is the same\. 200 different programs graded ?\. Nothing is kept of it\./);
});

test('says of the chosen re-grade what it changed, how it ran the programs otherwise, and lets it count', async () => {
  const study = sampleStudy();
  const kept = {
    ...sampleRegrade(study, 'regrade-1', 'fixed'),
    differs: ['Python 3.12.1 instead of 3.11.2', 'in the sandbox instead of without the sandbox'],
  };
  const screen = await renderScreen(
    <RegradeDialog study={{ ...study, regrades: [kept] }} onClose={() => undefined} />,
  );
  await screen.until(/As first graded \(counts\)/);
  expect(screen.text()).toMatch(
    /Re-graded on \S+ with tests fixed \(\w+\), Python \S+: \d+ verdicts changed, [\d,]+ different programs · regrade-1/,
  );
  expect(screen.text()).toContain(
    "did not run the programs as the search's own grading did: Python 3.12.1 instead of 3.11.2; in the sandbox instead of without the sandbox.",
  );
  await screen.until(/\d+ of its verdicts differ from the first grading:/);
  await screen.click('Use this grading');
  expect(screen.sample.calls).toContain('study.countRegrade');
});
