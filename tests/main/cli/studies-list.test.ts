import { expect, test } from 'vitest';
import { Emitter, ok } from '../../../main/base';
import type { StudyView, WorkbenchEvent } from '../../../preload/contract';
import { sampleHeadline, sampleStudy, sampleStudyView } from '../../support/sample-study';
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
  const running = { ...bare, study: { ...study, id: 'two', name: '2nd one' }, state: { kind: 'running' } };
  const call = async () => ok([view, running]) as never;
  const { out } = await typeCommand({ call, events: new Emitter<WorkbenchEvent>() }, 'studies', 'list');
  expect(out).toBe(
    [
      'study  state     searches  best result                           scale   name',
      '-----  --------  --------  ------------------------------------  ------  -------',
      'one    finished  60 of 60  Pass@N 91.7 %, N = 24, heterogeneous  pocket  First',
      'two    running   60 of 60  -                                     pocket  2nd one',
      '',
    ].join('\n'),
  );
});

test('a study that was killed is listed as its journals are, not as it was last saved', async () => {
  const view = sampleStudyView({ id: 'one' });
  const killed = { ...view, state: { kind: 'interrupted' } };
  let searches = 68;
  const call = async (command: string) => {
    if (command === 'study.outcomes') searches = 77;
    return ok([{ ...killed, progress: { ...PROGRESS, problemsDone: searches } }]) as never;
  };
  const { out } = await typeCommand({ call, events: new Emitter<WorkbenchEvent>() }, 'studies', 'list');
  expect(out).toContain('77 of 60');
});

test('a study goes to the trash, and the command says what brings it back', async () => {
  const asked: unknown[] = [];
  const call = async (...command: unknown[]) => {
    asked.push(command.slice(0, 2));
    return ok(null) as never;
  };
  const host = { call, events: new Emitter<WorkbenchEvent>() };
  const { code, err } = await typeCommand(host, 'studies', 'remove', 'one');
  expect(asked).toEqual([['study.remove', { studyId: 'one' }]]);
  expect(err).toBe('one is in the trash: mars2 studies restore one brings it back.\n');
  expect(code).toBe(0);
});
