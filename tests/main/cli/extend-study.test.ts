import { expect, test } from 'vitest';
import { Emitter, failed, ok } from '../../../main/base';
import type { StudyExtension, WorkbenchEvent } from '../../../preload/contract';
import { typeCommand } from '../../support/typed-command';

const extension: StudyExtension = {
  at: '2026-01-05T09:30:00.000Z',
  afterResults: true,
  seeds: [4, 5],
  problems: 20,
  nodes: { before: 24, since: 60 },
  configurations: ['alone'],
};

async function type(...words: readonly string[]) {
  return typeTo({ extension, programs: 1_200 }, 'paused', ...words);
}

async function typeTo(answer: unknown, kind: 'paused' | 'running' | 'finished', ...words: readonly string[]) {
  const asked: unknown[] = [];
  const call = (async (name: string, payload: unknown) => {
    if (name === 'study.list') return ok([{ study: { id: 'one' }, state: { kind } }]);
    asked.push([name, payload]);
    return ok(answer);
  }) as never;
  const typed = await typeCommand(
    { call, events: new Emitter<WorkbenchEvent>() },
    'studies',
    'extend',
    ...words,
  );
  return { ...typed, asked };
}

test('studies extend says what it would add, with the caution about looking again, and does it with --yes', async () => {
  const options = ['one', '--seeds', '4-5', '--problems', '60', '--nodes', '60'];
  const shown = await type(...options);
  expect(shown.asked).toEqual([
    ['study.extend', { studyId: 'one', apply: false, seeds: [4, 5], problems: 60, nodes: 60 }],
  ]);
  expect(shown.err).toContain(
    'This would add 2 seeds (4, 5), 20 problems, 60 nodes per tree instead of 24, 1 configuration ("alone"): at most 1,200 programs to write.',
  );
  expect(shown.err).toContain('they do not account for looking 2 times');
  expect(shown.err).toContain('repeat the command with --yes');
  const done = await type(...options, '--yes');
  expect(done.asked).toMatchObject([['study.extend', { apply: true }]]);
  expect(done.err).toContain('mars2 resume one');
});

test('studies extend sets limits of trees, and says that a study that runs goes on', async () => {
  const limits: StudyExtension = {
    ...{ ...extension, seeds: [], problems: 0, configurations: [] },
    ...{ nodes: { before: 60, since: 24 }, tokens: { before: null, since: 4_000 }, by: 'terminal' },
  };
  const typed = await typeTo(
    { extension: limits, programs: -900 },
    'running',
    ...['one', '--nodes', '24', '--tree-tokens', '4000', '--tree-seconds', 'max', '--yes'],
  );
  expect(typed.asked).toMatchObject([['study.extend', { nodes: 24, tokens: 4_000, seconds: null }]]);
  expect(typed.err).toContain(
    'Set 24 nodes per tree instead of 60, at most 4000 tokens per tree instead of no limit: at most 900 programs fewer.',
  );
  expect(typed.err).toContain('The study goes on with it.');
});

test('studies extend adds configurations with a strategy of their own, and prints its answer as JSON', async () => {
  const { asked, out } = await type(
    ...['one', '--configuration', 'alone=pocket:reader', '--strategy', 'repeated', '--json'],
  );
  expect(asked).toMatchObject([
    [
      'study.extend',
      { configurations: [{ configuration: 'alone', search: { strategy: { kind: 'repeated' } } }] },
    ],
  ]);
  expect(JSON.parse(out)).toEqual({ applied: false, extension, programs: 1_200 });
});

test('studies extend takes agents as run does, and takes its last extension back', async () => {
  const agents = 'checkpointless=url:http://127.0.0.1:8000/v1#newcomer{temperature=0.2},pocket:weak';
  expect((await type('one', '--configuration', agents)).asked).toMatchObject([
    [
      'study.extend',
      { configurations: [{ team: { servers: [{ model: 'newcomer' }, { family: 'weak' }] } }] },
    ],
  ]);
  const back: StudyExtension = {
    ...{ ...extension, seeds: [], problems: 0, nodes: null },
    ...{ agents: ['newcomer'], takesBack: 'unsearched' },
  };
  const options = ['one', '--take-back'];
  const shown = await typeTo({ extension: back, programs: -40 }, 'paused', ...options);
  expect(shown.asked).toEqual([['study.extend', { studyId: 'one', apply: false, takeBack: true }]]);
  expect(shown.err).toContain(
    'This would take back 1 configuration ("alone"), 1 agent new to it (newcomer): at most 40 programs fewer.',
  );
  expect(shown.err).not.toContain('looking');
  const done = await typeTo({ extension: back, programs: -40 }, 'finished', ...options, '--yes');
  expect(done.err).toContain('Took back 1 configuration');
  expect(done.err).toContain('The study is finished.');
  expect(done.err).not.toContain('mars2 resume one');
});

test('studies extend refuses a strategy of nothing, and passes the reason of a refusal on', async () => {
  expect(await type('one', '--strategy', 'repeated')).toMatchObject({ code: 2 });
  const call = (async () =>
    failed({ code: 'conflict', message: 'A running study cannot be extended.' })) as never;
  const refused = await typeCommand(
    { call, events: new Emitter<WorkbenchEvent>() },
    ...['studies', 'extend', 'one', '--seeds', '2'],
  );
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringContaining('A running study cannot be extended.'),
  });
});

test('studies set changes how many requests a study has at once, and "max" takes the limit away', async () => {
  const asked: unknown[] = [];
  const call = (async (name: string, payload: unknown) => {
    asked.push([name, payload]);
    return ok({});
  }) as never;
  const host = { call, events: new Emitter<WorkbenchEvent>() };
  const set = await typeCommand(host, 'studies', 'set', 'one', '--parallel', '4');
  expect(set.err).toContain('Requests at once: 4 to each server');
  await typeCommand(host, 'studies', 'set', 'one', '--parallel', 'max');
  expect(asked).toEqual([
    ['study.set', { studyId: 'one', parallel: 4 }],
    ['study.set', { studyId: 'one', parallel: null }],
  ]);
  expect((await typeCommand(host, 'studies', 'set', 'one', '--parallel', '0')).code).toBe(2);
});
