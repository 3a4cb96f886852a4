import { expect, test } from 'vitest';
import { ok, orThrow } from '../../../../main/base';
import type { Reproduction } from '../../../../main/plans/logic/reproductions/record';
import { serverSpec } from '../../../../main/plans/logic/reproductions/team';
import { studyOfBatch } from '../../../../main/plans/reproductions/batch-study';
import type { Scale } from '../../../../preload/contract';
import {
  knownBenchmark,
  LAB,
  LOCATIONS,
  liveCodeBench,
  planOf,
  requestOf,
  twoModels,
} from '../../../support/plan-inputs';

test.each<[string, ReturnType<typeof liveCodeBench>, number | undefined, Scale]>([
  ["the paper's problems", liveCodeBench(), undefined, 'paper'],
  ['five of them', liveCodeBench(), 5, 'own'],
  ['problems of another number', knownBenchmark(40, { rules: 'livecodebench' }), undefined, 'own'],
])('a reproduction at paper scale on %s is of its scale', async (_, known, problems, scale) => {
  const exhibit = twoModels();
  const order = { only: ['r.base'], paper: LOCATIONS, ...(problems === undefined ? {} : { problems }) };
  const inputs = { ...LAB, benchmarks: [known] };
  const planned = planOf(exhibit, 'paper', { order, inputs });
  const request = requestOf({ ...order, exhibitId: exhibit.id, scale: 'paper' });
  const { plan, work } = planned;
  const reproduction = { record: { exhibit, order: request }, plan, work } as unknown as Reproduction;
  const searches = plan.steps.filter(({ kind }) => kind === 'search');
  const study = orThrow(
    await studyOfBatch(
      reproduction,
      searches,
      { studyId: 's', createdAt: '', batches: 1 },
      {
        library: {
          list: () => [known.benchmark],
          find: async () => ok(known.benchmark),
          outline: async () => ok(known.problems.map((problem) => ({ ...problem }) as never)),
          ensurePocket: async () => ok(known.benchmark),
        },
        specOf: async (_reproduction, server) => ok(serverSpec(server, null)),
      },
    ),
  );
  expect(study.runs.length).toBeGreaterThan(0);
  expect([study.scale, ...new Set(study.runs.map((run) => run.scale))]).toEqual([scale, scale]);
});
