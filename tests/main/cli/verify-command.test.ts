import { expect, test } from 'vitest';
import { Emitter, ok } from '../../../main/base';
import type { CheckedReport, Verification, WorkbenchEvent } from '../../../preload/contract';
import { typeCommand } from '../../support/typed-command';

const REPLAYED: Verification = {
  ...{ trees: 2, nodes: 24, values: 96, withoutDraws: 0, mismatches: [], regraded: null },
  verdicts: {
    ...{ kind: 'graded', programs: 600, graded: 500, seed: 1, seconds: 10, faults: 0, changed: [] },
  },
};
const CHECKED: CheckedReport = {
  manifest: 't.csv.manifest.json',
  files: [{ name: 't.csv', state: 'same' }],
  runs: [{ runId: 'a', state: 'same' }],
  models: [{ path: '/data/one.json', state: 'same' }],
  unknown: [],
};

/** What the command prints of this verification; `asked`: what it asked for. */
async function verify(
  change: Partial<Verification>,
  {
    words = [],
    checked = CHECKED,
  }: { readonly words?: readonly string[]; readonly checked?: CheckedReport } = {},
) {
  const asked: unknown[] = [];
  const answers: Record<string, unknown> = {
    'study.verify': { ...REPLAYED, ...change },
    'report.check': checked,
    'study.outcomes': { studyId: 's', runs: [] },
  };
  const call = async (name: string, payload: unknown) => {
    if (name === 'study.verify') asked.push(payload);
    return ok(answers[name] ?? null) as never;
  };
  const host = { outlivesCommand: true, call, events: new Emitter<WorkbenchEvent>() };
  const { code, out, err } = await typeCommand(host, 'verify', 's', ...words);
  return { code, asked, lines: `${out}${err}`.trim().split('\n') };
}

const graded = (change: object) => ({
  verdicts: { ...(REPLAYED.verdicts as object), ...change } as Verification['verdicts'],
});

test('a study whose sample comes back says how many, what all would take, and how sure that makes', async () => {
  const { code, lines, asked } = await verify({});
  expect(code).toBe(0);
  expect(asked).toEqual([{ studyId: 's' }]);
  expect(lines).toEqual([
    '2 search trees and sets of samples replayed: 24 nodes are those that the seeds give, 96 draws and bounds are the same to the last bit.',
    '500 of 600 different programs, drawn with seed 1, graded again in 10 s; all would take about 12 s (--all). Equal programs of a problem are graded once.',
    'Every verdict was confirmed: with 95 % certainty at most 0.6 % of them are wrong.',
    'The journals replay.',
  ]);
});

test('--all asks for every program, and then no share of them is left in doubt', async () => {
  const all = graded({ graded: 600, seed: null });
  const { code, lines, asked } = await verify(all, { words: ['--all'] });
  expect(code).toBe(0);
  expect(asked).toEqual([{ studyId: 's', programs: 'all' }]);
  expect(lines.slice(1, 3)).toEqual([
    '600 different programs graded again in 10 s. Equal programs of a problem are graded once.',
    'Every verdict was confirmed.',
  ]);
  const both = await verify({}, { words: ['--all', '--programs', '5'] });
  expect(both).toMatchObject({ code: 2, asked: [], lines: ['Give --all or --programs.'] });
});

test('a forged verdict is named with its node, and the study is not proven', async () => {
  const node = { runId: 'a', problemId: 'p0', part: 'search', index: 3 };
  const { code, lines } = await verify(
    graded({ changed: [{ ...node, before: 'passed', after: 'wrong-answer' }] }),
  );
  expect(code).toBe(1);
  expect(lines).toEqual(
    expect.arrayContaining([
      'a  p0  search  node 3: the journal says passed, its tests say wrong-answer',
      '1 verdict could not be confirmed in three gradings.',
      'The trees replay, but not every verdict is true.',
    ]),
  );
});

test('what could not be graded proves nothing, and says so', async () => {
  const without = await verify({ verdicts: null });
  expect([without.code, without.lines.at(1)]).toEqual([
    0,
    'No program was graded again, so no verdict was checked.',
  ]);
  const unproven = await verify({ verdicts: { kind: 'unproven', message: 'The benchmark is gone.' } });
  expect([unproven.code, ...unproven.lines.slice(1)]).toEqual([
    3,
    'No verdict was checked. The benchmark is gone.',
    'The journals replay, but whether the verdicts are true is not proven.',
  ]);
  const faults = await verify(graded({ faults: 500 }));
  expect([faults.code, faults.lines.at(2)]).toEqual([3, 'On 500 of them the sandbox or the grader failed.']);
});

test('a table that was computed from other journals is told', async () => {
  const words = ['--table', 't.csv'];
  const same = await verify({}, { words });
  expect([same.code, same.lines.at(-1)]).toEqual([
    0,
    'The export is unchanged and comes from 1 journal of this study.',
  ]);
  const checked: CheckedReport = {
    ...CHECKED,
    files: [{ name: 't.csv', state: 'altered' }],
    runs: [
      { runId: 'a', state: 'altered' },
      { runId: 'b', state: 'missing' },
      { runId: 'c', state: 'longer' },
    ],
    models: [{ path: '/data/one.json', state: 'altered' }],
    unknown: ['/data/origins.json is damaged.'],
  };
  const other = await verify({}, { words, checked });
  expect(other.code).toBe(1);
  expect(other.lines.slice(-6)).toEqual([
    't.csv is altered: it is not what t.csv.manifest.json says.',
    'The journal of a has changed since t.csv.manifest.json was written: its table was computed from other data.',
    'The journal of b, from which t.csv.manifest.json was written, is not here.',
    'The model file /data/one.json has changed since it answered: searching again would ask another model.',
    'Whether the models changed cannot be checked: /data/origins.json is damaged.',
    '1 journal only got longer since then.',
  ]);
});
