import { expect, test } from 'vitest';
import { QUICKSTART, quickstartPlan, quickstartStudy } from '../../../main/studies/index';
import { candidateCount, runConfigSchema, studySchema } from '../../../preload/contract/index';
import { sampleBenchmark } from '../../support/sample-records';

const context = {
  studyId: 's1',
  createdAt: '2026-01-01T00:00:00.000Z',
  benchmark: sampleBenchmark({ id: 'pocket-test-1', name: 'Pocket', scale: 'pocket', problems: 80 }),
  problemIds: Array.from({ length: 80 }, (_, i) => `p${i}`),
};

test('the quickstart compares the teams with each member alone on at least 40 problems with at least 24 nodes', () => {
  const study = quickstartStudy({ seed: 1 }, context);
  expect(studySchema.parse(study)).toEqual(study);
  expect(study.runs.map((run) => run.team.kind)).toEqual([
    'single',
    'single',
    'homogeneous',
    'heterogeneous',
  ]);
  const [reader, tracer, , heterogeneous] = study.runs.map(({ team }) => team.servers);
  expect([...(reader ?? []), ...(tracer ?? [])]).toEqual(heterogeneous);
  for (const run of study.runs) {
    expect(runConfigSchema.parse(run)).toEqual(run);
    expect(run.problemIds.length).toBeGreaterThanOrEqual(40);
    expect(run.search.nodes).toBeGreaterThanOrEqual(24);
    expect(run.scale).toBe('pocket');
  }
});

test('homogeneous agents share one server, heterogeneous agents have one each', () => {
  const [, , homogeneous, heterogeneous] = quickstartStudy({ seed: 1 }, context).runs;
  expect(new Set(homogeneous?.team.agents.map((agent) => agent.serverId)).size).toBe(1);
  expect(homogeneous?.team.agents).toHaveLength(2);
  expect(new Set(heterogeneous?.team.agents.map((agent) => agent.serverId)).size).toBe(2);
});

test('the plan counts exactly the candidates that the study will make', () => {
  const study = quickstartStudy({ seed: 1 }, context);
  const plan = quickstartPlan({ candidatesPerSecond: 100, dataDir: '/d', sandboxProblem: null });
  expect(plan.candidates).toBe(study.runs.reduce((sum, run) => sum + candidateCount(run), 0));
  expect(plan.problems).toBe(QUICKSTART.problems);
});

test('the same options give the same study', () => {
  expect(quickstartStudy({ seed: 3, nodes: 5 }, context)).toEqual(
    quickstartStudy({ seed: 3, nodes: 5 }, context),
  );
});
