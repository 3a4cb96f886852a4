import { expect, test } from 'vitest';
import { startTrainings } from '../../../main/app/start-trainings';
import { readSweepTable } from '../../../main/app/training-sweep';
import { failed, ok } from '../../../main/base';
import { type TrainingView, trainingRequestSchema } from '../../../preload/contract';
import { TrainingsStandIn } from '../../support/trainings-stand-in';
import { unwrap } from '../../support/unwrap';

const requests = ['first', 'second'].map((name) =>
  trainingRequestSchema.parse({
    name,
    machineId: 'local',
    spec: { kind: 'pocket', method: 'rs2', families: ['reader'] },
  }),
);

test('trainings are started together, in their order', async () => {
  const trainings = new TrainingsStandIn();
  const started = await unwrap(startTrainings(requests, trainings));
  expect(started.trainings.map(({ name }) => name)).toEqual(['first', 'second']);
  expect(started.refused).toEqual([]);
});

test('none is started where one of them has a problem', async () => {
  const trainings = new TrainingsStandIn();
  const plan = trainings.plan;
  trainings.plan = async (request, ask) => {
    trainings.planProblems = request.name === 'second' ? ['The rate is no number.'] : [];
    return plan(request, ask);
  };
  expect(await startTrainings(requests, trainings)).toEqual(
    failed({ code: 'bad-input', message: 'None was started. "second": The rate is no number.' }),
  );
  expect(trainings.started).toEqual([]);
});

test('one that could not be started is named beside those that were', async () => {
  const trainings = new TrainingsStandIn();
  const startMany = trainings.startMany;
  trainings.startMany = async (all) => [
    failed({ code: 'unavailable', message: 'The disk is full.' }),
    ...(await startMany(all.slice(1))),
  ];
  const started = await unwrap(startTrainings(requests, trainings));
  expect(started.trainings.map(({ name }) => name)).toEqual(['second']);
  expect(started.refused).toEqual([{ name: 'first', message: 'The disk is full.' }]);
});

test('those of a sweep by MARTI are a table over their seeds, and one that has not ended well is missing in it', async () => {
  const trainings = new TrainingsStandIn();
  const seeds = [1, 2, 3, 4].map((seed) =>
    trainingRequestSchema.parse({
      ...{ name: `Mine, seed ${seed}`, machineId: 'local' },
      spec: {
        ...{
          kind: 'marti',
          preset: 'single',
          checkout: '/marti',
          data: '/data',
          output: `/runs/seed-${seed}`,
        },
        ...{ agents: [{ model: '/m' }], flags: { seed } },
      },
    }),
  );
  const ids = (await unwrap(startTrainings([...seeds, ...requests], trainings))).trainings.map(
    ({ id }) => id,
  );
  for (const [at, code] of [0, 0, 1].entries()) trainings.end(ids[at] ?? '', code);
  const host = {
    list: trainings.list,
    view: (id: string) => ok(trainings.views.get(id) as TrainingView),
    curves: async (id: string) =>
      ok([
        {
          ...{
            agentId: null,
            key: 'pass@1',
            part: 'evaluation' as const,
            steps: [1],
            samples: null,
            seconds: null,
          },
          values: [id === ids[0] ? 0.25 : 0.75],
        },
      ]),
  };
  const table = await unwrap(readSweepTable(ids[1] ?? '', host));
  expect(table).toMatchObject({
    name: 'Mine',
    rows: [
      {
        label: 'Mine',
        missing: [
          { seed: 3, why: 'has failed' },
          { seed: 4, why: 'is not done yet' },
        ],
      },
    ],
    cells: [
      { of: 'last', value: 0.5, seeds: 2 },
      { of: 'best', value: 0.5, seeds: 2 },
    ],
  });
  expect(await unwrap(readSweepTable(ids.at(-1) ?? '', host))).toBeNull();
});
