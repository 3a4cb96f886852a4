import { expect, test } from 'vitest';
import { costsOfEnds } from '../../../../../main/plans/logic/costs';
import { isTakenOver, noteOf, notStarted } from '../../../../../main/plans/logic/plan-record';
import type { Reproduction } from '../../../../../main/plans/logic/reproductions/record';
import {
  knownAmount,
  notedAmounts,
  withServersInSearches,
} from '../../../../../main/plans/logic/reproductions/taken-over';
import { viewOfReproduction } from '../../../../../main/plans/logic/reproductions/view';
import type { Amount } from '../../../../../preload/contract';
import { DONE, sampleReproduction } from '../../../../support/sample-reproduction';

const CELLS = ['cell:base.pass-1', 'cell:team.pass-1'];
const took = (seconds: number, gpuSeconds: number, tokens: number) => ({
  ...DONE,
  took: { seconds, gpuSeconds, tokens },
});
const REUSED = { state: { kind: 'done', reused: true } } as const;

/** Everything was made for it. */
const whole = sampleReproduction({
  'train:a': { ...took(60, 480, 0), trainingId: 'ta' },
  'train:b': { ...took(30, 240, 0), trainingId: 'tb' },
  'serve:a': took(4, 100, 0),
  'serve:b': took(2, 50, 0),
  'search:a': { ...took(10, 0, 1_000), runId: 'ra' },
  'search:ab': { ...took(20, 0, 3_000), runId: 'rab' },
});

/** The same where these steps take over what the other has made: a search that is not searched needs no servers. */
function takingOver(ids: readonly string[]): Reproduction {
  const noted = notedAmounts([whole]);
  const results = { 'train:a': 'ta', 'train:b': 'tb', 'search:a': 'ra', 'search:ab': 'rab' };
  const notes = Object.entries(results).map(([id, result]) => {
    if (!ids.includes(id)) return [id, noteOf(whole.record, id)] as const;
    const amount = (id.startsWith('train') ? noted.trainings : noted.runs).get(result);
    if (amount === undefined) throw new Error(`Nothing is noted of ${result}`);
    return [id, { ...REUSED, took: amount }] as const;
  });
  const serves = ['serve:a', 'serve:b'].map((id) => [id, noteOf(whole.record, id)] as const);
  const other = sampleReproduction(Object.fromEntries([...notes, ...serves]));
  const steps = other.plan.steps.map((step) =>
    ids.includes(step.id) && step.kind === 'search'
      ? { ...step, needs: step.needs.map((need) => need.replace('serve', 'train')) }
      : step,
  );
  return { ...other, plan: { ...other.plan, steps } };
}

function cellCosts(reproduction: Reproduction): Map<string, Amount> {
  const live = { trainings: new Map(), runs: new Map(), waitsFor: null, studiesAtWork: new Set<string>() };
  const { steps } = viewOfReproduction(reproduction, { ...live, slots: 1 });
  const known = steps.map((step) => ({ ...step, took: knownAmount(step) }));
  return costsOfEnds(withServersInSearches(known), CELLS);
}

test.each([[['train:a']], [['train:a', 'train:b']], [['train:a', 'train:b', 'search:a', 'search:ab']]])(
  'a cell costs the same where %j were there already',
  (ids) => {
    expect(cellCosts(takingOver(ids))).toEqual(cellCosts(whole));
  },
);

test('the cells cost what all steps took, servers among them', () => {
  expect([...cellCosts(whole).values()].reduce((sum, { gpuSeconds }) => sum + (gpuSeconds ?? 0), 0)).toBe(
    480 + 240 + 100 + 50,
  );
});

test('what was taken over before its amount was noted is not known, and not nothing', () => {
  const costs = cellCosts(sampleReproduction({ 'train:a': REUSED, 'search:a': took(10, 0, 1_000) }));
  expect(costs.get('cell:base.pass-1')).toEqual({ seconds: null, gpuSeconds: null, tokens: null });
});

test('work that is taken over no more, and is done again, counts once', () => {
  const note = { ...noteOf(whole.record, 'train:a'), ...REUSED };
  expect(isTakenOver(note)).toBe(true);
  expect(notStarted(note).took.seconds).toBe(0);
  expect(notStarted(noteOf(whole.record, 'train:a')).took.seconds).toBe(60);
});
