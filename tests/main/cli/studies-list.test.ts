import { expect, test } from 'vitest';
import { Emitter, ok } from '../../../main/base';
import type { StudyView, WorkbenchEvent } from '../../../preload/contract';
import { exhibitLosses, exhibitOfRuns } from '../../../preload/contract/plans';
import { endedViews, sampleComparison } from '../../support/sample-comparison';
import { sampleHeadline, sampleStudy, sampleStudyView } from '../../support/sample-study';
import { TRAINED_FIGURE } from '../../support/sample-trained-figure';
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

test('a study whose journal is damaged is listed so, with what to do, after a look at changed journals', async () => {
  const asked: unknown[] = [];
  const damage = [
    { runId: 'one.single.1', message: 'Damaged at line 3.', hint: 'Repair it.', repairable: true },
  ];
  const call = async (...command: unknown[]) => {
    asked.push(command.slice(0, 2));
    return ok([{ ...sampleStudyView({ id: 'one' }), state: { kind: 'finished' }, damage }]) as never;
  };
  const host = { call, events: new Emitter<WorkbenchEvent>() };
  const { out, err } = await typeCommand(host, 'studies', 'list');
  expect(asked).toEqual([['study.list', { checked: true }]]);
  expect(out).toMatch(/one +damaged /);
  expect(err).toBe('Damaged at line 3. Repair it.\n');
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

test('the table of a study says again what its numbers must not be read without', async () => {
  const study = sampleStudy({ id: 'one', problems: 12 });
  const views = endedViews(study);
  const compared = sampleComparison(
    study.runs.map(({ id }) => ({ runId: id })),
    {
      studies: [study],
      viewOf: (_studyId, runId) => views.get(runId) ?? null,
      prices: { currency: 'EUR', perGpuHour: null, perMillionTokens: null },
    },
  );
  const warning = { id: 'missing-packages', configuration: null, text: 'A package was missing: numpy.' };
  const listed = [{ ...sampleStudyView({ id: 'one', problems: 12 }), study, warnings: [warning] }];
  const call = async (command: string) => (command === 'study.list' ? ok(listed) : compared) as never;
  const host = { call, events: new Emitter<WorkbenchEvent>() };
  const { err } = await typeCommand(host, 'studies', 'show', 'one');
  expect(err).toContain('Warning: A package was missing: numpy.');
});

test('a study goes to the trash, and the command says what brings it back and which exhibits it fills', async () => {
  const asked: unknown[] = [];
  const table = exhibitOfRuns({ id: 'one', name: 'What we have', configurations: ['single'] });
  const exhibits = [TRAINED_FIGURE, { ...TRAINED_FIGURE, exhibit: table }];
  const call = async (...command: unknown[]) => {
    asked.push(command.slice(0, 2));
    return ok(command[0] === 'exhibit.list' ? { exhibits, problems: [] } : null) as never;
  };
  const host = { call, events: new Emitter<WorkbenchEvent>() };
  const { code, err } = await typeCommand(host, 'studies', 'remove', 'one');
  expect(asked[0]).toEqual(['study.remove', { studyId: 'one' }]);
  expect(err).toBe(
    'one is in the trash: mars2 studies restore one brings it back.\nIt fills cells or lines of Table 1 \u00b7 What we have (what-we-have), which stay empty without it.\n',
  );
  expect(code).toBe(0);
  expect(exhibitLosses({ kind: 'study', id: 'other' }, exhibits)).toBe('');
  expect(exhibitLosses({ kind: 'training', id: 'training-grpo-11' }, exhibits)).toMatch(
    /^It fills lines of Figure 2 .* \(our-figure\), which stay empty without it\.$/,
  );
});
