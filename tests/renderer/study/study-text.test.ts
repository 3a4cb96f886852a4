import { describe, expect, it } from 'vitest';
import type { StudyView } from '../../../preload/contract/study';
import { timeText } from '../../../renderer/study/study-text';
import { stoppedText } from '../../../renderer/text/studies';
import { sampleStudy } from '../../support/sample-study';

const view = (state: StudyView['state'], remainingMs: number | null) => ({
  state,
  progress: {
    nodesDone: 1,
    nodesTotal: 2,
    gradedDone: 1,
    problemsDone: 1,
    problemsTotal: 2,
    elapsedMs: 125_000,
    remainingMs,
  },
});

describe('the time of a study in words', () => {
  it.each<[string, StudyView['state'], number | null, string]>([
    [
      'a running study says how long it will take',
      { kind: 'running' },
      60_000,
      '2 min 5 s so far, about 1 min left',
    ],
    [
      'an unknown rest is said to be unknown',
      { kind: 'running' },
      null,
      '2 min 5 s so far, time left unknown',
    ],
    ['a paused study promises no end', { kind: 'paused' }, 60_000, '2 min 5 s so far'],
    ['a finished study took its time and goes on no more', { kind: 'finished' }, null, 'took 2 min 5 s'],
  ])('%s', (_, state, remainingMs, text) => {
    expect(timeText(view(state, remainingMs))).toBe(text);
  });
});

it('a study that failed after an extension says how to go on without what that added', () => {
  const state = { kind: 'failed', message: 'nomodel does not answer.', hint: 'Start it again.' } as const;
  const study = sampleStudy();
  expect(stoppedText({ state, study })).toEqual(state);
  const added = { at: '2026-11-30T17:22:00Z', seeds: [], problems: 0, nodes: null, afterResults: true };
  const extensions = [{ ...added, configurations: ['nomodel'] }];
  expect(stoppedText({ state, study: { ...study, extensions } })?.hint).toBe(
    'Start it again. To go on without what its last extension added: More > Extend > Take it back.',
  );
});
