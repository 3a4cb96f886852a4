import { describe, expect, it } from 'vitest';
import {
  betaQuantile,
  measureComparedSteps,
  type ProblemFacts,
  runComparisonSteps,
} from '../../../../main/metrics';
import { runGroupsOf } from '../../../../main/metrics/configuration-metrics';
import { type RunView, runComparisonSchema } from '../../../../preload/contract';
import { finished } from '../../../support/finished';
import { teamWith, treesOf, urlServerNamed } from '../../../support/team-views';

const [a, b] = [urlServerNamed('model-a'), urlServerNamed('model-b')];

const DATES = [
  '2024-09-30',
  '2024-10-01',
  '2024-10-20T08:00:00',
  '2024-10-31',
  '2024-11-01',
  '2024-12',
  null,
];
const facts = new Map<string, ProblemFacts>(DATES.map((date, at) => [`q${at}`, { difficulty: null, date }]));

function run(
  configuration: string,
  team: ReturnType<typeof teamWith>,
  solved: readonly number[],
  seed = 1,
): RunView {
  const agent = team.agents[0]?.id ?? '';
  const problems = DATES.map((_, at) => [`q${at}`, [[agent, -1, solved.includes(at) ? 'p' : 'w']]] as const);
  return treesOf(Object.fromEntries(problems) as Parameters<typeof treesOf>[0], {
    ...{ id: `${configuration}.${seed}`, configuration, team, seed },
  });
}

const placed = (view: RunView) => ({ studyId: 's', view });

/** Views of one name are the seeds of one configuration. */
function split(
  views: readonly RunView[],
  cutoffs: Record<string, string>,
  known: ReadonlyMap<string, ProblemFacts> = facts,
) {
  const comparison = finished(
    runComparisonSteps({
      configurations: runGroupsOf(views).map(([first, ...others]) =>
        finished(measureComparedSteps([placed(first), ...others.map(placed)], null)),
      ),
      problems: [],
      missing: [],
      priced: false,
      seed: 1,
      facts: known,
      cutoffs: new Map(Object.entries(cutoffs)),
    }),
  );
  expect(runComparisonSchema.omit({ hues: true }).parse(comparison)).toEqual(comparison);
  return comparison.cutoffs;
}

const alone = run('alone', teamWith(a), [0, 1, 2, 4]);

describe('results before and after the training cut-off', () => {
  it('count problems of the month of the cut-off as before, and leave out those without a date', () => {
    const [own] = split([alone], { 'model-a': '2024-10' });
    expect(own).toMatchObject({ cutoff: '2024-10', undated: 1 });
    const part = own?.parts.find(({ metric }) => metric === 'pass@n');
    // q0 to q3: three of four; q4 and q5 (of which only the month is known): one of two.
    expect(part?.before).toMatchObject({ value: 3 / 4, problems: 4 });
    expect(part?.after).toMatchObject({ value: 1 / 2, problems: 2 });
    expect(part?.difference?.value).toBeCloseTo(-1 / 4, 12);
  });

  it('count problems of the day of the cut-off as before', () => {
    const [own] = split([alone], { 'model-a': '2024-10-20' });
    const part = own?.parts.find(({ metric }) => metric === 'pass@n');
    expect([part?.before?.problems, part?.after?.problems]).toEqual([3, 3]);
    // All three before are solved: the interval is the exact one.
    expect(part?.before?.low).toBeCloseTo(betaQuantile(0.025, 3, 1), 9);
    expect(part?.before?.high).toBe(1);
  });

  it('have a difference whose interval is made of the two intervals', () => {
    const part = split([alone], { 'model-a': '2024-10-20' })[0]?.parts[0];
    const { before, after, difference } = part ?? {};
    if (!before || !after || !difference) throw new Error('one of both sides is missing');
    // The far ends squared, added, and the root taken (Newcombe 1998).
    const down = Math.sqrt((after.value - after.low) ** 2 + (before.high - before.value) ** 2);
    const up = Math.sqrt((after.high - after.value) ** 2 + (before.value - before.low) ** 2);
    expect(difference.low).toBeCloseTo(after.value - before.value - down, 12);
    expect(difference.high).toBeCloseTo(after.value - before.value + up, 12);
  });

  it('of a team are split at its latest cut-off, a month being later than its days', () => {
    const team = run('team', teamWith(a, b), [0]);
    const cutoffOf = (cutoffs: Record<string, string>) => split([team], cutoffs)[0]?.cutoff;
    expect(cutoffOf({ 'model-a': '2024-10', 'model-b': '2024-12-01' })).toBe('2024-12-01');
    expect(cutoffOf({ 'model-a': '2024-10-31', 'model-b': '2024-10' })).toBe('2024-10');
    // Not known of one: it may be later.
    expect(split([team], { 'model-a': '2024-10' })).toEqual([
      {
        configuration: 'team',
        models: [
          { model: 'model-a', cutoff: '2024-10' },
          { model: 'model-b', cutoff: null },
        ],
        ...{ cutoff: null, parts: [], undated: 1 },
      },
    ]);
  });

  it('of several seeds have their spread, before, after and between', () => {
    const seeds = [run('alone', teamWith(a), [0, 1, 4]), run('alone', teamWith(a), [0, 1, 2, 3], 2)];
    const part = split(seeds, { 'model-a': '2024-10' })[0]?.parts.find(({ metric }) => metric === 'pass@n');
    // 2 and 4 of four before, 1 and 0 of two after.
    const spread = (min: number, max: number) => ({
      min,
      max,
      sd: expect.closeTo((max - min) / Math.SQRT2, 12),
    });
    expect(part?.before?.seedSpread).toEqual(spread(0.5, 1));
    expect(part?.after?.seedSpread).toEqual(spread(0, 0.5));
    expect(part?.difference?.seedSpread).toEqual(spread(-1, 0));
    expect(split([alone], { 'model-a': '2024-10' })[0]?.parts[0]?.before?.seedSpread).toBeUndefined();
  });

  it('have no difference where all problems are on one side', () => {
    const [early] = split([alone], { 'model-a': '2023-01' });
    expect(early?.parts[0]).toMatchObject({ before: null, after: { problems: 6 }, difference: null });
  });

  it('do not exist where no problem has a date', () => {
    const undated = new Map([...facts].map(([id, fact]) => [id, { ...fact, date: null }]));
    expect(split([alone], { 'model-a': '2024-10' }, undated)).toEqual([]);
  });
});
