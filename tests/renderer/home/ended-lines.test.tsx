import { expect, test } from 'vitest';
import { EndedTraining } from '../../../renderer/home/ended-lines';
import { renderScreen } from '../../support/rendered-screen';
import { samplePocketTraining } from '../../support/sample-trainings';

test('the mean of a training is of its agents: the row of their team is none of them', async () => {
  const rate = (agentId: string | null, value: number) => ({
    agentId,
    key: 'pass@1',
    part: 'evaluation' as const,
    value,
  });
  const latest = [rate('reader', 0.2), rate('tracer', 0.3), rate(null, 0.25)];
  const { text } = await renderScreen(<EndedTraining training={samplePocketTraining({ latest }, 60)} />);
  expect(text()).toMatch(/25\.0 % Pass@1, mean of 2 agents/);
});
