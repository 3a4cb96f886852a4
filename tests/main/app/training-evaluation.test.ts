import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { dispatcher } from '../../../main/app/dispatch';
import { trainingHandlers } from '../../../main/app/handlers/training-handlers';
import { Emitter, ok } from '../../../main/base';
import { createExperimentService } from '../../../main/plans';
import { sealed } from '../../../main/storage';
import type { TrainingService } from '../../../main/trainings';
import {
  type ExperimentResult,
  type TrainingSpec,
  trainingEvaluationViewSchema,
  trainingRequestSchema,
  type WorkbenchEvent,
} from '../../../preload/contract';
import { COMPLEMENT_SHORT, percentText } from '../../../preload/contract/plans';
import { evaluationRows } from '../../../renderer/training/evaluation-rows';
import { eventually } from '../../support/eventually';
import { madeUpEvaluation } from '../../support/sample-evaluations';
import { temporaryFolder } from '../../support/temporary-folder';
import { openTrainingBench } from '../../support/training-bench';
import { TrainingsStandIn } from '../../support/trainings-stand-in';
import { typeCommand } from '../../support/typed-command';
import { unwrap } from '../../support/unwrap';

type Trainings = Pick<TrainingService, 'list' | 'view' | 'evaluation'>;

/** The workbench as window and terminal ask it, over these trainings. */
function hostOf(trainings: Trainings) {
  const unused = {} as never;
  const all = trainings as TrainingService;
  const call = dispatcher(
    {
      'job.probe': async () => ok([]),
      ...trainingHandlers({ trainings: all, servers: unused, registry: unused, studies: unused }),
    },
    (error) => {
      throw error;
    },
  );
  return { call, events: new Emitter<WorkbenchEvent>() };
}

async function evaluationOf(trainings: Trainings, trainingId: string) {
  const answer = await hostOf(trainings).call('training.evaluation', { trainingId }, 'window');
  if (!answer.ok) throw new Error(answer.error.message);
  return trainingEvaluationViewSchema.parse(answer.value);
}

/** A training of reader and tracer that is over, and the experiment that is made of it alone. */
async function experimentOfOne() {
  const standIn = new TrainingsStandIn();
  const trainings = Object.assign(standIn, {
    view: ((id) => ok(standIn.views.get(id))) as TrainingService['view'],
  });
  const experiments = await createExperimentService({
    trainings,
    heldOutProblems: async () => [],
    folder: await temporaryFolder(),
    clock: { now: () => standIn.nowMs },
    newId: () => 'experiment',
    slots: 2,
    onError: ({ error }) => {
      throw error;
    },
  });
  onTestFinished(() => experiments.dispose());
  const { id } = await unwrap(
    experiments.start({
      name: 'One training',
      rows: [{ label: 'Heter', method: 'heter-mars2', families: ['reader', 'tracer'], change: {} }],
      seeds: [3],
      training: { updates: 10, batch: 8 },
    }),
  );
  const trainingId = await eventually('the training', () => standIn.going()[0]?.id ?? null);
  standIn.end(trainingId, 0);
  await eventually('the end', () => experiments.list()[0]?.state.kind === 'done');
  return { trainings, trainingId, result: await unwrap(experiments.result(id)) };
}

test('the evaluation of a training has the values and intervals of an experiment of it alone, everywhere', async () => {
  const { trainings, trainingId, result } = await experimentOfOne();
  const cellOf = (metric: string, part: string, agentId: string | null = null) => {
    const cell = result.cells.find(
      (one) => one.metric === metric && one.part === part && one.agentId === agentId,
    ) as ExperimentResult['cells'][number];
    const { value, low, high, problems } = cell;
    return { value, low, high, problems };
  };
  const expected = [
    ...['reader', 'tracer'].map((agent) => ({
      passOne: cellOf('pass@1', 'agent', agent),
      passOneSearch: cellOf('pass@1(mcts)', 'agent', agent),
      passAny: cellOf('pass@n', 'agent', agent),
    })),
    {
      passOne: cellOf('pass@1', 'alone'),
      passOneSearch: cellOf('pass@1(mcts)', 'team'),
      passAny: cellOf('pass@n', 'team'),
    },
  ];
  const evaluation = await evaluationOf(trainings, trainingId);
  expect(evaluation.rates).toEqual(expected);
  // Else equal intervals would be those of no width.
  expect(expected[2]?.passOneSearch).not.toMatchObject({ low: expected[2]?.passOneSearch.value });

  const rows = evaluationRows(evaluation, trainings.list()[0]?.agents ?? []);
  expect(rows.map(({ passOne, passOneSearch, passAny }) => ({ passOne, passOneSearch, passAny }))).toEqual(
    expected,
  );
  const { out } = await typeCommand(hostOf(trainings), 'trainings', 'evaluation', trainingId);
  for (const { value, low, high } of expected.flatMap((rates) => Object.values(rates)))
    expect(out).toContain(`${percentText(value)} [${percentText(low)}, ${percentText(high)}]`);
  const json = await typeCommand(hostOf(trainings), 'trainings', 'evaluation', trainingId, '--json');
  expect(JSON.parse(json.out).rates).toEqual(expected);
});

test.each<[string, { readonly families: string[] } | { readonly kind: 'model' }, boolean]>([
  ['a team of two families', { families: ['reader', 'tracer'] }, true],
  ['two of one family', { families: ['reader', 'reader'] }, false],
  ['one family alone', { families: ['reader'] }, false],
  ['language models', { kind: 'model' }, false],
])('the caution on complementarity stands beside %s: %s', async (_name, change, isSaid) => {
  const { trainings, trainingId } = await experimentOfOne();
  const training = await unwrap(trainings.view(trainingId));
  const agents = 'families' in change ? change.families : ['reader', 'tracer'];
  const alone = Object.fromEntries(agents.map((agent, at) => [`${agent}-${at}`, 0.3]));
  const changed: Trainings = {
    ...trainings,
    view: () => ok({ ...training, spec: { ...training.spec, ...change } as TrainingSpec }),
    evaluation: async () => ok(madeUpEvaluation(1, { alone, searched: 0.2, team: 0.6 }, 5)),
  };
  const evaluation = await evaluationOf(changed, trainingId);
  expect(evaluation.caution).toBe(isSaid ? `${COMPLEMENT_SHORT}.` : null);
  const { out } = await typeCommand(hostOf(changed), 'trainings', 'evaluation', trainingId);
  expect(out.includes(COMPLEMENT_SHORT)).toBe(isSaid);
});

test('an evaluation with one changed digit is named, and nothing of it is shown or exported', async () => {
  const bench = await openTrainingBench();
  onTestFinished(() => bench.dispose());
  const { id } = await unwrap(
    bench.trainings.start(
      trainingRequestSchema.parse({
        name: 'Reader and tracer',
        machineId: 'local',
        spec: { kind: 'pocket', method: 'heter-mars2', families: ['reader', 'tracer'], updates: 4 },
      }),
    ),
  );
  await bench.ended(id);
  const path = join(bench.trainings.folderOf(id), 'evaluation.json');
  const whole = {
    ...madeUpEvaluation(1, { alone: { reader: 0.4, tracer: 0.3 }, searched: 0.2, team: 0.6 }, 5),
    before: [{ problemId: 'problem-0', samples: [{ agentId: 'reader', count: 16, passed: 1 }] }],
  };
  const type = (...words: string[]) => typeCommand(hostOf(bench.trainings), 'trainings', ...words);

  // As earlier versions wrote it.
  await writeFile(path, JSON.stringify(whole));
  expect(await bench.trainings.evaluation(id)).toEqual(ok(whole));
  await writeFile(path, JSON.stringify(sealed(whole)));
  expect(await bench.trainings.evaluation(id)).toEqual(ok(whole));
  expect((await type('evaluation', id, '--csv')).out).toContain('problem-0');

  await writeFile(path, (await readFile(path, 'utf8')).replace('"passed":1', '"passed":9'));
  const refusal = {
    message: `The evaluation of "Reader and tracer" is damaged (${path}: its content does not match its checksum).`,
    hint: expect.stringMatching(/backup/),
  };
  expect(
    await hostOf(bench.trainings).call('training.evaluation', { trainingId: id }, 'window'),
  ).toMatchObject({
    ok: false,
    error: refusal,
  });
  for (const words of [[], ['--csv'], ['--json']]) {
    const { code, out, err } = await type('evaluation', id, ...words);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(refusal.message);
  }
  expect((await type('show', id)).out).toContain(refusal.message);

  await writeFile(path, JSON.stringify(sealed(whole)));
  await appendFile(path, '}');
  expect(await bench.trainings.evaluation(id)).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining(`${path}: it is not JSON`) },
  });
});
