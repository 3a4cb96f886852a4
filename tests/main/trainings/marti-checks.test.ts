import { readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DoctorCheck, TrainingRequest } from '../../../preload/contract';
import {
  martiRequest,
  openTrainingBench,
  standInMarti,
  type TrainingBench,
} from '../../support/training-bench';

/** The real Python program asks this computer about a stand-in for MARTI. */
let bench: TrainingBench;
let marti: Awaited<ReturnType<typeof standInMarti>>;
beforeEach(async () => {
  bench = await openTrainingBench();
  marti = await standInMarti(bench.folder);
});
afterEach(() => bench.dispose());

/** The packages that only have names are found by the set-up, as a virtual environment would be. */
const own = () => ({ setUp: `export PYTHONPATH=${JSON.stringify(marti.packages)}; echo noise` });

async function checks(request: TrainingRequest): Promise<readonly DoctorCheck[]> {
  const plan = await bench.trainings.plan(request, true);
  if (!plan.ok) throw new Error(plan.error.message);
  return plan.value.checks;
}

async function check(id: string, request: TrainingRequest): Promise<DoctorCheck | undefined> {
  return (await checks(request)).find((one) => one.id === id);
}

test('a machine that has everything is good in every point', async () => {
  const all = await checks(martiRequest(marti, own()));
  expect(all.filter(({ id, state }) => state !== 'good' && id !== 'dashboard-port')).toEqual([]);
  expect(all.map(({ id }) => id)).toEqual([
    'python',
    'packages',
    'checkout',
    'data-train',
    'data-test',
    `model-${marti.model}`,
    `model-${marti.model}/`,
    'disk',
    'dashboard-port',
    'gpus',
  ]);
});

test('packages are looked for in the environment that the training will have', async () => {
  expect(await check('packages', martiRequest(marti))).toMatchObject({ state: 'good' });
});

test('nothing is made or changed by it', async () => {
  const before = await readdir(bench.folder);
  await checks(martiRequest(marti, own()));
  expect(await readdir(bench.folder)).toEqual(before);
  expect(bench.trainings.list()).toEqual([]);
});

test('missing packages come with the versions that MARTI names', async () => {
  await rm(join(marti.packages, 'deepspeed'), { recursive: true });
  await rm(join(marti.packages, 'treequest'), { recursive: true });
  const found = await check('packages', martiRequest(marti, own()));
  expect(found?.found).toBe('Missing: deepspeed, treequest.');
  expect(found?.todo).toMatch(/-m pip install deepspeed==0\.18\.0 treequest$/);
});

test('without a tree, treequest is not required', async () => {
  await rm(join(marti.packages, 'treequest'), { recursive: true });
  const request = martiRequest(marti, {
    ...own(),
    spec: { preset: 'grpo', agents: [{ model: marti.model }] },
  });
  expect((await check('packages', request))?.state).toBe('good');
});

test('an absent Python is the only finding besides the GPUs', async () => {
  const all = await checks(martiRequest(marti, { spec: { python: '/nowhere/bin/python3' } }));
  expect(all.map(({ id, state }) => [id, state])).toEqual([
    ['python', 'bad'],
    ['gpus', 'good'],
  ]);
});

test('a set-up that fails is reported with its output', async () => {
  const found = await check('set-up', martiRequest(marti, { setUp: 'echo no such environment >&2; false' }));
  expect(found).toMatchObject({ state: 'bad', found: 'It failed: no such environment' });
});

test('rows without a required field are reported with the fields that they have', async () => {
  await writeFile(join(marti.data, 'train.jsonl'), `${JSON.stringify({ question: 'x', label: '{}' })}\n`);
  const found = await check('data-train', martiRequest(marti, own()));
  expect(found).toMatchObject({
    state: 'bad',
    found: 'Rows of train.jsonl lack prompt; they have label, question.',
  });
  const named = martiRequest(marti, { ...own(), flags: { input_key: 'question' } });
  expect((await check('data-train', named))?.state).toBe('good');
});

test('a list in one JSON file is read as well; a file for no split is named', async () => {
  await rm(join(marti.data, 'test.jsonl'));
  const missing = await check('data-test', martiRequest(marti, own()));
  expect(missing?.found).toMatch(/has no file for "test"/);
  const row = { prompt: 'x', label: '{}', extra_info: {} };
  await writeFile(join(marti.data, 'my-test-set.json'), JSON.stringify([row, row], null, 2));
  expect((await check('data-test', martiRequest(marti, own())))?.found).toMatch(
    /^my-test-set\.json, with prompt/,
  );
});

test('a model with an absent path is bad, one of the hub is downloaded', async () => {
  const spec = { agents: [{ model: '/models/none' }, { model: 'someone/some-model-nobody-has' }] };
  const all = await checks(martiRequest(marti, { ...own(), spec }));
  const states = all.filter(({ id }) => id.startsWith('model-')).map(({ state }) => state);
  expect(states).toEqual(['bad', 'warning']);
});

test('a folder without MARTI is not a checkout', async () => {
  const found = await check('checkout', martiRequest(marti, { ...own(), spec: { checkout: marti.data } }));
  expect(found).toMatchObject({ state: 'bad', todo: 'git clone https://github.com/TsinghuaC3I/MARTI' });
});

test('a second Ray on the machine is a problem, unless the training runs on a cluster', async () => {
  const server = createServer();
  const taken = await new Promise<boolean>((done) => {
    server.once('error', () => done(false));
    server.listen(8_265, () => done(true));
  });
  try {
    expect((await check('dashboard-port', martiRequest(marti, own())))?.state).toBe('bad');
    const elsewhere = martiRequest(marti, { ...own(), spec: { rayAddress: 'auto' } });
    expect(await check('dashboard-port', elsewhere)).toBeUndefined();
    expect(await check('gpus', elsewhere)).toBeUndefined();
  } finally {
    if (taken) server.close();
  }
});

test('more GPUs than the machine has are bad, and reported before anything waits for them', async () => {
  const request = martiRequest(marti, {
    ...own(),
    flags: {
      actor_num_gpus_per_node: 8,
      ref_num_gpus_per_node: 8,
      vllm_num_engines: 8,
      train_batch_size: 32,
    },
  });
  expect(await check('gpus', request)).toMatchObject({
    state: 'bad',
    found: 'It requests 16 GPUs, but the machine has 8.',
  });
});
