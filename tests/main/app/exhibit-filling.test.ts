import { expect, test } from 'vitest';
import { exhibitFilling } from '../../../main/app/exhibit-filling';
import { failed, ok } from '../../../main/base';
import { exhibitEntrySchema } from '../../../preload/contract';
import { sampleExhibit } from '../../support/sample-exhibits';
import { sampleStudyView } from '../../support/sample-study';
import { TrainingsStandIn } from '../../support/trainings-stand-in';

test('a study that is not finished, or not there, fills nothing and says what to do', async () => {
  const view = sampleStudyView({ id: 'half', name: 'Half' });
  const fill = exhibitFilling({
    exhibits: {
      get: async () =>
        ok(
          exhibitEntrySchema.parse({ exhibit: sampleExhibit('scaling-law'), origin: 'built-in', digest: '' }),
        ),
    },
    studies: {
      list: () => [{ ...view, state: { kind: 'paused' } }],
      inTrash: async () => [{ studyId: 'gone', name: 'Old', createdAt: '', bytes: 0 }],
    },
    trainings: new TrainingsStandIn(),
    comparison: {
      viewsOf: async () => failed({ code: 'internal', message: 'It was read all the same' }),
      diversity: async () => failed({ code: 'internal', message: 'It was measured all the same' }),
    },
  });
  const row = { configurationId: 'single-base', configuration: 'single' };
  const refusal = async (studyId: string, filled = [row]) => {
    const answer = await fill({ exhibitId: 'scaling-law', studyId, filled });
    return answer.ok ? null : answer.error.message;
  };
  expect(await refusal('half')).toBe('"Half" is not finished. Resume it, then fill the exhibit.');
  // Names first: a study need not be finished for them.
  expect(await refusal('half', [{ ...row, configurationId: 'single' }])).toContain(
    'has no configuration "single". Of untrained models it has: single-base',
  );
  expect(await refusal('half', [{ ...row, configuration: 'alone' }])).toBe(
    '"Half" has no configuration "alone". It has: single, homogeneous, heterogeneous.',
  );
  expect(await refusal('none')).toBe('There is no study none.');
  expect(await refusal('gone')).toBe('"Old" is in the trash. Restore it: Studies, Trash.');
});
