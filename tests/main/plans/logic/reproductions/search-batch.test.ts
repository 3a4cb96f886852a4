import { expect, test } from 'vitest';
import { nextStudyAction } from '../../../../../main/plans/logic/reproductions/search-batch';
import { sampleStudyView } from '../../../../support/sample-study';

const missing = {
  kind: 'missing',
  message: 'The results are missing.',
  hint: 'Put the folder back.',
} as const;

test.each([
  { halted: false, startedNow: true },
  { halted: true, startedNow: false },
])(
  'a study whose folder is missing waits with the reason, and is neither searched again nor given up',
  (how) => {
    expect(nextStudyAction({ ...sampleStudyView(), state: missing }, how)).toEqual({
      kind: 'paused',
      message: 'The results are missing. Put the folder back.',
    });
  },
);
