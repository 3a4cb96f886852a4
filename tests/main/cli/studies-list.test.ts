import { expect, test } from 'vitest';
import { Emitter, ok } from '../../../main/base';
import type { StudyView, WorkbenchEvent } from '../../../preload/contract';
import { sampleHeadline, sampleStudy } from '../../support/sample-study';
import { typeCommand } from '../../support/typed-command';

const PROGRESS: StudyView['progress'] = {
  nodesDone: 10,
  nodesTotal: 10,
  gradedDone: 10,
  problemsDone: 60,
  problemsTotal: 60,
  elapsedMs: 1,
  remainingMs: null,
};

test('the list of studies has the best Pass@N of those that have one', async () => {
  const study = sampleStudy({ id: 'one', name: 'First' });
  const view: StudyView = {
    study,
    state: { kind: 'finished' },
    progress: PROGRESS,
    warnings: [],
    finishedAt: '2026-01-05T10:00:00.000Z',
    headline: { ...sampleHeadline(study), value: 0.917 },
    hues: [0, 1, 2],
  };
  const { headline: _none, ...bare } = view;
  const running = { ...bare, study: { ...study, id: 'two', name: 'Second' }, state: { kind: 'running' } };
  const call = async () => ok([view, running]) as never;
  const { out } = await typeCommand({ call, events: new Emitter<WorkbenchEvent>() }, 'studies', 'list');
  expect(out).toBe(
    'one  finished  60 of 60 searches  Pass@N 91.7 %, N = 24, heterogeneous  pocket  First\n' +
      'two  running  60 of 60 searches  -  pocket  Second\n',
  );
});
