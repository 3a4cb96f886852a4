import { execFileSync } from 'node:child_process';
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { prepareRecipe, recipeRequestProblems } from '../../../main/trainings/logic/recipe';
import { recipeRegistry } from '../../../main/trainings/recipe-registry';
import {
  type Recipe,
  recipeSchema,
  type TrainingRequest,
  trainingRequestSchema,
} from '../../../preload/contract';
import { temporaryFolder } from '../../support/temporary-folder';
import { openTrainingBench, type TrainingBench } from '../../support/training-bench';
import { unwrap } from '../../support/unwrap';

const RECIPE = recipeSchema.parse({
  id: 'ours',
  name: 'Ours',
  homepage: 'https://trainer.example/docs',
  about: '',
  fields: [
    { name: 'model', label: 'Model', kind: 'text' },
    { name: 'out', label: 'Output', kind: 'path', default: '/tmp/x' },
    { name: 'rate', label: 'Rate', kind: 'number', default: '0.1' },
    { name: 'mode', label: 'Mode', kind: 'choice', choices: ['fast', 'slow'], default: 'fast' },
    { name: 'note', label: 'Note', kind: 'text', required: false },
    { name: 'config', label: 'Configuration', kind: 'text', required: false },
    { name: 'gpus', label: 'GPUs', kind: 'number', default: '2' },
  ],
  command: [
    ...['printf', '%s\\0', '--model={model}', '--note={note}', '{"mode": "{mode}"}', '--out={out}/a b'],
    ['--config', '{config}'],
  ],
  gpus: 'gpus',
  log: null,
  tensorboard: '{out}/runs',
  keys: {},
  checkpoints: null,
});

function requestWith(values: Record<string, string>, extraArguments = ''): TrainingRequest {
  return trainingRequestSchema.parse({
    name: 'By a recipe',
    machineId: 'local',
    spec: { kind: 'recipe', recipeId: 'ours', values, extraArguments },
  });
}

function prepared(values: Record<string, string>, recipe: Recipe = RECIPE) {
  const request = requestWith(values);
  if (request.spec.kind !== 'recipe') throw new Error('Not by a recipe');
  return prepareRecipe(request, request.spec, recipe);
}

/** What the program would be given, word by word. */
function argv(commandLine: string, env: Record<string, string> = {}): string[] {
  const output = execFileSync('/bin/sh', ['-c', commandLine], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return output.split('\0').slice(0, -1);
}

describe('a command', () => {
  test('has an argument for each word of the recipe, with any text in a value', () => {
    const value = fc
      .string({ minLength: 1, unit: 'binary' })
      .filter((text) => !/[\0\n\ud800-\udfff]/.test(text) && text.trim() !== '');
    fc.assert(
      fc.property(value, (model) => {
        const [given] = argv(prepared({ model }).commandLine);
        expect(given).toBe(`--model=${model.trim()}`);
      }),
      { numRuns: 60 },
    );
  });

  test.each(["'; rm -rf /tmp/none #", '$(touch /tmp/none)', '`id`', '$HOME', '{out}', '$&', 'a\\'])(
    'is not changed by a value like %s',
    (model) => {
      expect(argv(prepared({ model }).commandLine)[0]).toBe(`--model=${model}`);
    },
  );

  test('leaves a flag out whose value was left empty', () => {
    expect(argv(prepared({ model: 'm' }).commandLine)).toEqual([
      '--model=m',
      '{"mode": "fast"}',
      '--out=/tmp/x/a b',
    ]);
    expect(argv(prepared({ model: 'm', note: 'n' }).commandLine)[1]).toBe('--note=n');
    expect(argv(prepared({ model: 'm', config: 'c d' }).commandLine).slice(-2)).toEqual(['--config', 'c d']);
  });

  test('takes the GPUs that its field says, and refuses others that are requested', () => {
    const asked = (gpus: string, resources: object = {}) => {
      const request = trainingRequestSchema.parse({ ...requestWith({ model: 'm', gpus }), resources });
      if (request.spec.kind !== 'recipe') throw new Error('Not by a recipe');
      return prepareRecipe(request, request.spec, RECIPE);
    };
    expect(asked('4')).toMatchObject({ gpus: 4, resources: { gpus: 4 }, problems: [] });
    expect(asked('0')).toMatchObject({ gpus: 0, problems: [] });
    expect(asked('2', { gpus: 2, gpuIds: ['a', 'b'] })).toMatchObject({ resources: { gpuIds: ['a', 'b'] } });
    expect(asked('4', { gpus: 2 }).problems).toEqual([expect.stringMatching(/4, but 2 GPUs are requested/)]);
    expect(asked('1.5').problems).toEqual(['"GPUs" must be a whole number from 0 to 64.']);
  });

  test('leaves the home folder to the shell of the machine', () => {
    const { commandLine } = prepared({ model: 'm', out: '~/my runs' });
    expect(argv(commandLine, { HOME: '/home/user 1' })[2]).toBe('--out=/home/user 1/my runs/a b');
  });
});

test.each([
  [{}, /"Model" is empty/],
  [{ model: 'm', rate: 'fast' }, /"Rate" must be a number/],
  [{ model: 'm', mode: 'other' }, /"Mode" must be one of fast, slow/],
  [{ model: 'm', out: 'here' }, /"Output" must begin with/],
  [{ model: 'm\nn' }, /"Model" must be on one line/],
  [{ model: 'm', other: 'x' }, /no field "other"/],
])('the values %j: a problem with a message', (values, message) => {
  expect(
    recipeRequestProblems(RECIPE, { kind: 'recipe', recipeId: 'ours', values, extraArguments: '' }).join(' '),
  ).toMatch(message);
});

test('a product of counts that must be a multiple is a problem where it leaves a remainder', () => {
  const counts = ['batch', 'accumulation', 'group'].map((name) => ({
    ...{ name, label: name, kind: 'number', default: '2' },
  }));
  const recipe = recipeSchema.parse({
    ...{ ...RECIPE, fields: [...RECIPE.fields, ...counts] },
    multiple: { product: ['batch', 'gpus', 'accumulation'], of: 'group' },
  });
  const problemsOf = (values: Record<string, string>, extra = '') =>
    recipeRequestProblems(recipe, {
      ...{ kind: 'recipe', recipeId: 'ours', values: { model: 'm', ...values }, extraArguments: extra },
    });
  expect(problemsOf({ group: '8' })).toEqual([]);
  const short =
    '"batch" (2) times "GPUs" (0 counts as 1) times "accumulation" (2) is 4, which must be a multiple of "group" (8).';
  expect(problemsOf({ group: '8', gpus: '0' })).toEqual([short]);
  expect(problemsOf({ group: '8', gpus: '0' }, '--steps_per_generation 4')).toEqual([]);
  expect(problemsOf({ group: 'x' })).toEqual(['"group" must be a number, not "x".']);
});

describe('the shelf', () => {
  test('holds the recipes of the project, all of which can be ordered', async () => {
    const { recipes, problems } = await recipeRegistry([resolve('resources/recipes')]).load();
    expect(problems).toEqual([]);
    expect(recipes.map(({ id }) => id).sort()).toEqual(['openrlhf-grpo', 'trl-grpo', 'verl-grpo']);
    for (const recipe of recipes) {
      const values = Object.fromEntries(
        recipe.fields
          .filter(({ required, default: own }) => required && own === '')
          .map(({ name, kind }) => [name, kind === 'path' ? '/data/x' : 'x']),
      );
      expect(prepared(values, recipe).problems).toEqual([]);
      expect(prepared(values, recipe).commandLine).not.toMatch(/\{[a-z_]+\}/);
      expect(prepared(values, recipe).notes).toContain(`Checked against ${recipe.checkedWith}.`);
      expect(recipe.checkedWith).toMatch(/\d+\.\d+\.\d+$/);
      expect([recipe.gpus, recipe.fields.find(({ name }) => name === 'seed')?.default]).toEqual([
        'gpus',
        '42',
      ]);
    }
  });

  test('lists invalid recipes, with the reason, next to the valid ones', async () => {
    const folder = await temporaryFolder();
    const put = (name: string, value: unknown) =>
      writeFile(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
    await put('good.json', RECIPE);
    await put('broken.json', '{');
    await put('wide.json', { ...RECIPE, colour: 'red' });
    await put('unknown.json', { ...RECIPE, command: ['run', '--x={nothing}'] });
    await put('twice.json', { ...RECIPE, fields: [...RECIPE.fields, RECIPE.fields[0]] });
    await put('program.json', { ...RECIPE, command: ['{model}'] });
    await put('choice.json', {
      ...RECIPE,
      fields: [{ name: 'mode', label: 'Mode', kind: 'choice', default: 'x' }],
      command: ['run'],
      tensorboard: null,
      gpus: null,
    });
    await put('multiple.json', { ...RECIPE, multiple: { product: ['gpus'], of: 'model' } });
    await put('gpus.json', { ...RECIPE, gpus: 'model' });
    await put('notes.txt', 'not looked at');
    const { recipes, problems } = await recipeRegistry([folder, join(folder, 'absent')]).load();
    expect(recipes.map(({ id }) => id)).toEqual(['ours']);
    const messages = problems.map((problem) => problem.replace(`${folder}/`, ''));
    expect(messages).toEqual([
      'broken.json is not a valid recipe: it is not JSON.',
      'choice.json is not a valid recipe: its field "mode" has no choices.',
      'gpus.json is not a valid recipe: its "gpus" is "model", which is none of its number fields.',
      'multiple.json is not a valid recipe: its "multiple" has "model", which is none of its number fields.',
      'program.json is not a valid recipe: its command begins with a field, so it could run any program.',
      'twice.json is not a valid recipe: it has two fields named "model".',
      'unknown.json is not a valid recipe: it uses the field {nothing}, which it does not define.',
      expect.stringMatching(/^wide\.json is not a valid recipe: it: .*colour/),
    ]);
  });

  test("a lab's own file replaces the recipe with its id", async () => {
    const [first, second] = [await temporaryFolder(), await temporaryFolder()];
    await writeFile(join(first, 'a.json'), JSON.stringify(RECIPE));
    await writeFile(join(second, 'b.json'), JSON.stringify({ ...RECIPE, name: 'The lab’s' }));
    const { recipes } = await recipeRegistry([first, second]).load();
    expect(recipes.map(({ name }) => name)).toEqual(['The lab’s']);
  });
});

describe('a training', () => {
  let bench: TrainingBench;
  beforeEach(async () => {
    bench = await openTrainingBench();
    const recipes = join(bench.folder, 'recipes');
    await mkdir(recipes, { recursive: true });
    const recipe = {
      ...RECIPE,
      fields: [{ name: 'log', label: 'Log', kind: 'path' }],
      command: ['cat', '{log}'],
      gpus: null,
      log: { form: 'pairs', stepKey: 'step' },
      tensorboard: null,
      checkpoints: null,
    };
    await writeFile(join(recipes, 'ours.json'), JSON.stringify(recipe));
  });
  afterEach(() => bench.dispose());

  test('runs the command, and its curves are read from the log by the recipe', async () => {
    const log = join(bench.folder, 'a log');
    await writeFile(log, 'step:1 - actor/pg_loss:0.5\nstep:2 - actor/pg_loss:0.25\n');
    const started = await bench.trainings.start(requestWith({ log }));
    if (!started.ok) throw new Error(started.error.message);
    expect((await bench.ended(started.value.id)).title).toBe('Ours');
    const curves = await bench.trainings.curves(started.value.id, 100);
    const loss = curves.ok ? curves.value.find(({ key }) => key === 'policy-loss') : null;
    expect(loss).toMatchObject({ steps: [1, 2], values: [0.5, 0.25] });
  });

  test('is planned with its variables, secrets hidden, and with what the machine says of Python and package', async () => {
    const venv = join(bench.folder, 'venv');
    execFileSync('python3', ['-m', 'venv', '--without-pip', venv]);
    const [site] = await readdir(join(venv, 'lib'));
    const info = join(venv, 'lib', site ?? '', 'site-packages', 'our_trainer-1.2.dist-info');
    await mkdir(info);
    await writeFile(join(info, 'METADATA'), 'Metadata-Version: 2.1\nName: our-trainer\nVersion: 1.2\n');
    const python = { name: 'python', label: 'Python', kind: 'text', default: 'python3' };
    const recipe = {
      ...{ ...RECIPE, fields: [python], command: ['env', '{python}'], gpus: null, tensorboard: null },
      ...{ package: 'our-trainer', checkedWith: 'Ours 1.2' },
    };
    await writeFile(join(bench.folder, 'recipes', 'ours.json'), JSON.stringify(recipe));
    const planned = async (values: Record<string, string>, change: object = {}) =>
      unwrap(bench.trainings.plan(trainingRequestSchema.parse({ ...requestWith(values), ...change }), true));
    const env = { PLAIN: 'x', OUR_TOKEN: 'hidden-from-plans' };
    const good = await planned({ python: '$OURS/bin/python' }, { env: { ...env, OURS: venv } });
    expect(good.env).toEqual({ PLAIN: 'x', OUR_TOKEN: '•••', OURS: venv });
    expect(good.checks.map(({ found }) => found)).toEqual(['$OURS/bin/python does not run there.']);
    const inVenv = await planned({ python: 'python' }, { setUp: `. '${venv}/bin/activate'` });
    expect(inVenv.setUp).toBe(`. '${venv}/bin/activate'`);
    expect(inVenv.checks).toEqual([
      {
        id: 'python',
        title: 'Python',
        state: 'good',
        found: expect.stringMatching(/^python is Python 3\.\d/),
        todo: null,
      },
      {
        id: 'package',
        title: 'our-trainer',
        state: 'good',
        found: '1.2; the recipe was checked against Ours 1.2.',
        todo: null,
      },
    ]);
    const other = await planned({ python: 'python3' });
    expect(other.checks[1]).toMatchObject({ state: 'bad', found: 'python3 has no our-trainer.' });
    const fails = await planned({}, { setUp: 'false' });
    expect(fails.checks.map(({ found }) => found)).toEqual(['The set-up fails there.']);
  });

  test('keeps its recipe when the file is changed', async () => {
    const log = join(bench.folder, 'log');
    await writeFile(log, '');
    const started = await bench.trainings.start(requestWith({ log }));
    if (!started.ok) throw new Error(started.error.message);
    await bench.ended(started.value.id);
    await cp(resolve('resources/recipes/trl-grpo.json'), join(bench.folder, 'recipes', 'ours.json'));
    const view = bench.trainings.view(started.value.id);
    expect(view.ok && view.value.title).toBe('Ours');
  });

  test('by a recipe that there is not is refused', async () => {
    const request = trainingRequestSchema.parse({
      name: 'x',
      machineId: 'local',
      spec: { kind: 'recipe', recipeId: 'none' },
    });
    const refused = await bench.trainings.start(request);
    expect(refused.ok ? '' : refused.error.message).toBe('There is no recipe "none".');
  });
});
