import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { closedDuringCommand } from '../../../main/app/control/no-connection';
import { experimentHandlers } from '../../../main/app/handlers/experiment-handlers';
import { reportHandlers } from '../../../main/app/handlers/report-handlers';
import { Emitter, ok } from '../../../main/base';
import { CliOptions } from '../../../main/cli/cli-options';
import { experimentRequestOf } from '../../../main/cli/experiment-arguments';
import { duration, experimentLine, experimentText } from '../../../main/cli/experiment-report';
import { experimentResult } from '../../../main/metrics';
import { createExperimentService } from '../../../main/plans';
import { cellsCsv, pairsCsv } from '../../../main/plans/logic/experiments/experiment-csv';
import { createReportService } from '../../../main/reports';
import {
  type CheckedPayload,
  type ExperimentView,
  experimentRequestSchema,
  type WorkbenchEvent,
} from '../../../preload/contract';
import { reportProject } from '../../support/report-project';
import { madeUpTraining } from '../../support/sample-evaluations';
import { TrainingsStandIn } from '../../support/trainings-stand-in';
import { typeCommand } from '../../support/typed-command';

/** The real service and handlers over trainings that stand in, as a command meets them; and what it printed. */
async function host() {
  const trainings = new TrainingsStandIn();
  const experiments = await createExperimentService({
    trainings,
    heldOutProblems: async () => [],
    folder: mkdtempSync(join(tmpdir(), 'experiments ')),
    clock: { now: () => trainings.nowMs },
    newId: () => 'abcdef-1',
    slots: 2,
    onError: ({ error }) => {
      throw error;
    },
  });
  onTestFinished(() => experiments.dispose());
  const { deps } = await reportProject([]);
  const reports = createReportService({ ...deps, experiments });
  const tasks = { run: () => Promise.reject(new Error('No long task')) };
  const handlers = { ...experimentHandlers({ experiments }), ...reportHandlers({ reports, tasks }) };
  let printed = '';
  const window = { isClosed: false, outlivesCommand: true };
  return {
    trainings,
    window,
    printed: () => printed,
    run: async (...args: string[]) => {
      const { code, out, err } = await typeCommand(
        {
          outlivesCommand: window.outlivesCommand,
          call: async (name, payload) => {
            if (window.isClosed) return closedDuringCommand();
            const handler = handlers[name as 'experiment.start'];
            return handler?.(payload as CheckedPayload<'experiment.start'>) ?? ok(null);
          },
          events: new Emitter<WorkbenchEvent>(),
        },
        'experiments',
        ...args,
      );
      printed += out + err;
      return code;
    },
  };
}

test('a preset experiment runs to its end and prints its table and CSV', async () => {
  const { run, trainings, printed } = await host();
  const out = mkdtempSync(join(tmpdir(), 'out '));
  const ending = setInterval(() => {
    for (const training of trainings.going()) trainings.end(training.id, 0);
  }, 20);
  onTestFinished(() => clearInterval(ending));
  expect(await run('start', 'tiny', '--seeds', '3', '--out', out)).toBe(0);
  expect(printed()).toContain('Tiny, to try it out, 3 trainings.');
  expect(printed()).toMatch(/rows written to .*cells\.csv/);
  expect(readdirSync(out).sort()).toEqual([
    ...['cells.csv', 'cells.csv.manifest.json', 'pairs.csv', 'pairs.csv.manifest.json'],
  ]);
  expect(printed()).toContain('Pass@1(MCTS) team');
  expect(printed()).toContain('Pocket scale: ');
  expect(await run('list')).toBe(0);
  expect(printed()).toContain('3 of 3');
  expect(await run('export', 'abc', '--what', 'pairs', '--out', join(out, 'p.csv'))).toBe(0);
  expect(await run('remove', 'abcdef-1')).toBe(0);
  expect(printed()).toContain('with its 3 trainings and checkpoints would be deleted for good.');
  expect(trainings.list()).toHaveLength(3);
  expect(await run('remove', 'abcdef-1', '--yes')).toBe(0);
  expect(printed()).toContain('Deleted "Tiny, to try it out"');
  expect(trainings.list()).toEqual([]);
});

test('trainings that fail end the command with code 1, and finished trainings are printed', async () => {
  const { run, trainings, printed } = await host();
  const ending = setInterval(() => {
    for (const training of trainings.going())
      trainings.end(training.id, training.name.includes('Heter') ? 1 : 0);
  }, 20);
  onTestFinished(() => clearInterval(ending));
  expect(await run('start', 'tiny', '--seeds', '3')).toBe(1);
  expect(printed()).toContain('Try them again with: mars2 experiments resume abcdef-1');
  expect(printed()).toContain('The experiment is not finished: 2 of 3 trainings count so far.');
});

test('an experiment whose window was closed is followed again by its name, not begun a second time', async () => {
  const { run, window, trainings, printed } = await host();
  const closing = setTimeout(() => {
    window.isClosed = true;
  }, 200);
  onTestFinished(() => clearTimeout(closing));
  expect(await run('start', 'tiny', '--seeds', '3', '--name', 'five')).toBe(3);
  expect(printed()).toContain('mars2 experiments follow abcdef-1');
  expect(printed()).not.toContain('Run the command again');
  window.isClosed = false;
  expect(await run('list')).toBe(0);
  expect(printed()).toContain('running');
  window.outlivesCommand = false;
  expect(await run('list')).toBe(0);
  expect(printed()).toContain('interrupted, goes on when a workbench is opened');
  const ending = setInterval(() => {
    for (const training of trainings.going()) trainings.end(training.id, 0);
  }, 20);
  onTestFinished(() => clearInterval(ending));
  expect(await run('follow', 'five')).toBe(0);
});

test('an experiment that does not exist and an unknown verb are refused', async () => {
  const { run, printed } = await host();
  expect(await run('result', 'nothing')).toBe(1);
  expect(printed()).toContain('There is no experiment "nothing".');
  expect(await run('frobnicate')).toBe(2);
  expect(printed()).toContain("unknown command 'frobnicate'");
  expect(await run('start', 'no-such')).toBe(2);
  expect(printed()).toContain('five-methods, three-families, ablations, tiny');
  expect(await run('start', 'tiny', '--seeds', '1,x')).toBe(2);
  expect(printed()).toContain('--seeds takes whole numbers');
});

test('other updates keep the shares of rows that have fewer', async () => {
  const request = await experimentRequestOf(
    new CliOptions({ updates: '40', problems: '7', split: 'validation' }, ['five-methods']),
  );
  expect(request.training).toMatchObject({
    updates: 40,
    evaluation: { split: 'validation', problems: 7, nodes: 60, samples: 16 },
  });
  expect(request.rows.flatMap(({ change }) => change.updates ?? [])).toEqual([20]);
});

test('a line of progress fits the terminal', () => {
  const view = { done: 3, total: 40, secondsLeft: 725 } as ExperimentView;
  expect(experimentLine(view, 80)).toBe(
    '[##............................] 3 of 40 trainings, about 12 min to go',
  );
  expect(experimentLine(view, 30)).toBe('[#.........] 3 of 40…');
  expect([5, 89, 120, 5_400].map(duration)).toEqual(['5 s', '89 s', '2 min', '1.5 h']);
});

test('the table shows intervals, tests and budgets', async () => {
  const request = await experimentRequestOf(new CliOptions({ seeds: '1,2,3' }, ['tiny']));
  const skills = [0.1, 0.2, 0.6];
  const done = request.seeds.flatMap((seed) =>
    request.rows.map(({ label }, at) => {
      const alone = { reader: skills[at] ?? 0, tracer: skills[at] ?? 0 };
      return madeUpTraining(label, seed, { alone, searched: 0.1, team: 0.5 }, at === 0 ? null : 0.4);
    }),
  );
  const text = experimentText(
    experimentResult({
      experimentId: 'e',
      request,
      done,
      trainingOf: () => ({ updates: 4, batch: 16 }),
    }),
  );
  expect(text).toMatch(/Heter-MARS² {2,}\d+\.\d \[\d+\.\d, \d+\.\d\]/);
  expect(text).toMatch(/Pass@1 alone: Heter-MARS² - Base {2,}\d+\.\d \[\d+\.\d, \d+\.\d\]/);
  expect(text).toMatch(/odds ratio {2,}p over problems {2,}p over seeds {2,}p \(Holm\)$/m);
  expect(text).toMatch(
    /Pass@1 alone: Heter-MARS² - Base .* ∞ \[7\.64, ∞\] {2,}< 0\.0001 {2,}0\.0007 {2,}0\.0014$/m,
  );
  // Significant over the problems alone: p over the seeds is 0.15.
  expect(text).not.toContain('Pass@1(MCTS) alone: Vanilla GRPO - Base');
  expect(text).toContain('p over problems: sign-flip test');
  expect(text).toContain('Odds ratio of A minus B: problems on which A does better');
  expect(text).toMatch(/Heter-MARS² {2,}4 {2,}64 {2,}128/);
  // A base has no samples to be without a gradient.
  expect(text.split('\n').find((line) => line.startsWith('Base'))).toContain('  -  ');
});

test('one seed has no interval of no width, in text and files, and DA@K says its K', async () => {
  const request = await experimentRequestOf(new CliOptions({ seeds: '1' }, ['tiny']));
  const done = request.rows.map(({ label }) =>
    madeUpTraining(label, 1, { alone: { reader: 0.2, tracer: 0.3 }, searched: 0.1, team: 0.5 }, 0.4),
  );
  const trainingOf = () => ({ updates: 4, batch: 16 });
  const result = experimentResult({ experimentId: 'e', request, done, trainingOf });
  const text = experimentText(result);
  expect(text).toContain('[95 % interval over problems; with one seed the chance of training is not in it;');
  expect(text).toMatch(/^Vanilla GRPO .* 45\.0 {2,}1 {2,}30$/m);
  expect(text).not.toMatch(/\[([\d.]+), \1\]/);
  expect(text).toContain('DA@10 team');
  expect(text).toContain('No pair is tested: that takes three seeds.');
  // No head of a table without rows.
  expect(text).not.toMatch(/^pair +difference/m);
  const { text: csv } = cellsCsv(request, result, done);
  expect(csv).toMatch(/,zero-advantage,alone,,0\.45\d*,,,1,/);
  expect(csv).toMatch(/,da@10,team,,/);
  expect(`${text}${csv}${pairsCsv(request, result, done).text}`).not.toMatch(/da@k/i);
});

const MODELS = {
  name: 'Two small models',
  machineId: 'cluster',
  spec: {
    kind: 'model',
    method: 'heter-mars2',
    agents: [
      { id: 'small', model: '/models/a' },
      { id: 'large', model: '/models/b' },
    ],
    problems: { benchmarkId: 'mbpp' },
    updates: 20,
  },
  resources: { gpus: 2 },
};

test("a preset's rows are trained with the language models of a training in a file", async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'training ')), 'training.json');
  writeFileSync(path, JSON.stringify(MODELS));
  const request = await experimentRequestOf(new CliOptions({ training: path, seeds: '1-3' }, ['ablations']));
  expect(experimentRequestSchema.parse(request)).toEqual(request);
  expect(request).toMatchObject({
    seeds: [1, 2, 3],
    training: {},
    models: { machineId: 'cluster', resources: { gpus: 2 } },
  });
  const unshaped = request.rows.find(({ label }) => label === 'Heter-MARS², no shaping');
  expect(unshaped).toMatchObject({
    families: ['small', 'large'],
    change: { objective: { shaping: { strength: 0 } } },
  });
  const half = await experimentRequestOf(new CliOptions({ training: path }, ['five-methods']));
  expect(half.rows.flatMap(({ change }) => change.updates ?? [])).toEqual([10]);
  const both = new CliOptions({ training: path, updates: '5' }, ['ablations']);
  await expect(experimentRequestOf(both)).rejects.toThrow('--updates is for pocket policies');
});
