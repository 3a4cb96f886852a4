import { expect, test } from 'vitest';
import { progressOf } from '../../../main/studies/logic/progress';
import { singleTeam } from '../../../preload/contract';
import { sampleConfig, sampleGrade, sampleNode, sampleView } from '../../support/sample-run';

const config = sampleConfig();
const study = { id: 's', name: 's', createdAt: '', scale: 'pocket' as const, runs: [config] };

test('a problem is done when its tree is searched and every node graded', () => {
  const searched = {
    kind: 'tree-searched',
    at: 1,
    problemId: 'p0',
    part: 'search',
    reason: 'budget',
  } as const;
  const nodes = [sampleNode('p0', 0), sampleNode('p0', 1), sampleGrade('p0', 0, true)];
  const open = sampleView(config, [...nodes, searched]);
  const done = sampleView(config, [...nodes, searched, sampleGrade('p0', 1, false)]);
  expect(progressOf(study, new Map([[config.id, open]]), 0, null).problemsDone).toBe(0);
  expect(progressOf(study, new Map([[config.id, done]]), 0, null)).toMatchObject({
    problemsDone: 1,
    problemsTotal: 2,
    nodesDone: 2,
    nodesTotal: 4,
    gradedDone: 2,
  });
});

test('the estimate comes from this session alone, and counts grading as work', () => {
  const nodes = [sampleNode('p0', 0), sampleNode('p0', 1), sampleNode('p1', 0)];
  const views = new Map([[config.id, sampleView(config, [...nodes, sampleGrade('p0', 0, true)])]]);
  // 4 of 8 pieces of work are done, 2 of them in this session of 500 ms: 4 more take 1000 ms.
  expect(progressOf(study, views, 99_000, { startedWork: 2, elapsedMs: 500 }).remainingMs).toBe(1_000);
  expect(progressOf(study, views, 99_000, { startedWork: 4, elapsedMs: 500 }).remainingMs).toBeNull();
});

test.each(['exhausted', 'solved', 'tokens', 'seconds'] as const)(
  'a tree that ended early (%s) shortens the plan',
  (reason) => {
    const view = sampleView(config, [
      sampleNode('p0', 0),
      { kind: 'tree-searched', at: 1, problemId: 'p0', part: 'search', reason },
    ]);
    expect(progressOf(study, new Map([[config.id, view]]), 0, null).nodesTotal).toBe(3);
  },
);

test('a recording plans no more programs than it has', () => {
  const server = {
    kind: 'recorded',
    id: 'rec',
    model: 'rec',
    recordingId: 'answers',
    latencyMs: 0,
    maxInFlight: 2,
  } as const;
  const recorded = { ...config, team: singleTeam(server) };
  const search = { ...recorded.search, nodes: 10, samplesPerAgent: 0 };
  const run = { ...recorded, search, problemIds: ['p0', 'p1'] };
  const plan = (recordings: Parameters<typeof progressOf>[4]) =>
    progressOf({ ...study, runs: [run] }, new Map(), 0, null, recordings).nodesTotal;
  expect(plan([])).toBe(20);
  expect(plan([{ id: 'answers', mostSamples: 3, refinements: 0 }])).toBe(6);
  // Refinements come on top of the samples, so nothing is known before the tree has grown.
  expect(plan([{ id: 'answers', mostSamples: 3, refinements: 5 }])).toBe(20);
});
