import { expect, test } from 'vitest';
import { startTrainings } from '../../../main/app/start-trainings';
import { failed } from '../../../main/base';
import { trainingRequestSchema } from '../../../preload/contract';
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
