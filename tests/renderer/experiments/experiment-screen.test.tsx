import { describe, expect, test } from 'vitest';
import { ExperimentScreen, ExperimentsScreen, NewExperimentScreen } from '../../../renderer/experiments';
import { LineChart } from '../../../renderer/widgets/line-chart';
import { SCENES } from '../../support/preview/scenes';
import { renderScreen } from '../../support/rendered-screen';

test('a curve whose last point is of fewer seeds says of how many it is the mean', async () => {
  const points = { xs: [1, 2], ys: [20, 26.1] };
  const line = {
    id: 'a',
    label: 'Base',
    color: '#000',
    shape: 'circle',
    points,
    raw: null,
    band: null,
  } as const;
  const screen = await renderScreen(
    <LineChart
      {...{ title: 'Pass@1', hint: '', over: 'updates', xEnd: 2, cursor: null, highlighted: null }}
      lines={[{ ...line, counts: [2, 1] }]}
      onCursor={() => undefined}
      formatValue={String}
      formatTick={String}
      formatX={String}
    />,
    {},
  );
  expect(screen.text()).toContain('26.1 (mean of 1)');
});

describe('an experiment', () => {
  test('none of whose trainings is done says when values appear, and exports nothing', async () => {
    const screen = await renderScreen(
      <ExperimentScreen experimentId="experiment-tiny" />,
      SCENES.experiments,
    );
    expect(screen.text()).toContain('Values appear when the first training is done.');
    expect(screen.controls()).not.toContain('Export');
    expect(screen.controls()).toContain('Base, seed 1: evaluating, rollout');
  });

  test('of pocket policies says first that complementarity is built in', async () => {
    await renderScreen(<ExperimentScreen experimentId="experiment-five-methods" />, SCENES.experiments);
    const said = document.querySelector('[aria-label="What can be said"] li');
    expect(said?.textContent).toContain('were made to complement each other');
    expect(said?.textContent).toContain('the lead is built in');
  });

  test('that failed names the training and the reason, and offers to retry', async () => {
    const screen = await renderScreen(<ExperimentScreen experimentId="experiment-three-families" />, {
      ...SCENES.experiments,
      refuse: { 'experiment.result': { code: 'unavailable', message: 'Left out of this test.' } },
    });
    expect(screen.text()).toContain('the disk of this computer is full');
    expect(screen.text()).toContain('The results could not be calculated');
    await screen.click('Retry failed trainings');
    expect(screen.sample.calls).toContain('experiment.resume');
  });

  test('names the trainings whose curves went with them, as the lines are no means over all seeds then', async () => {
    const { training, ...scene } = SCENES.experiments ?? {};
    const ended = training?.experiments?.find(({ id }) => id === 'experiment-ablations');
    const [, gone] = ended?.trainings ?? [];
    const trainings = (training?.trainings ?? []).filter(({ id }) => id !== gone?.trainingId);
    const screen = await renderScreen(<ExperimentScreen experimentId="experiment-ablations" />, {
      ...scene,
      training: { ...training, trainings },
    });
    await screen.until(`Without the curves of ${gone?.label}, seed ${gone?.seed}, which was deleted.`);
    expect(screen.text()).toContain('Lines are means of the trainings that are left.');
  });

  test('that is done says what can be said in a line each, and the paragraph behind a press', async () => {
    await renderScreen(<ExperimentScreen experimentId="experiment-ablations" />, SCENES.experiments);
    const said = [...document.querySelectorAll('[aria-label="What can be said"] > li')];
    expect(said.length).toBeGreaterThan(3);
    for (const line of said) {
      expect(line.querySelector('summary')?.textContent?.length).toBeLessThan(170);
      expect(line.querySelector('details')?.open).toBe(false);
    }
  });

  test('is created only with valid seeds; the message is at the field', async () => {
    const screen = await renderScreen(<NewExperimentScreen preset={null} />, SCENES.experiments);
    expect(screen.text()).toContain('40 trainings 2,496,000 training samples');
    await screen.fill('Seeds', '1 1');
    expect(screen.text()).toContain('Seed 1 is listed twice.');
    await screen.click('Start experiment');
    expect(screen.sample.calls).not.toContain('experiment.start');
    await screen.fill('Seeds', '1 2');
    await screen.click('Start experiment');
    expect(screen.sample.calls).toContain('experiment.start');
  });
});

test('the list of experiments says what one is, and offers a short one to try', async () => {
  const screen = await renderScreen(<ExperimentsScreen />, SCENES.lab);
  expect(screen.text()).toContain('No experiments yet');
  expect(screen.controls()).toEqual(
    expect.arrayContaining(['Compare the five methods', 'Try a tiny experiment']),
  );
});
