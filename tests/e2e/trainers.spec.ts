import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { hasTrl, learnerPython, tinyModel } from '../support/learner';
import { type App, launchApp, project, temporaryData } from './support/app';
import { cliEntry } from './support/cli';
import { picture } from './support/page';

// The learner's Python, as `npm test` sets it up, has TRL; without it nothing here can run.
test.skip(learnerPython === null || !hasTrl(), 'needs a Python with TRL: MARS2_LEARNER_PYTHON');

const ROUNDS = 3;

let app: App;
let page: Page;
let data: Awaited<ReturnType<typeof temporaryData>>;
let grader: Awaited<ReturnType<typeof startGrader>>;

test.beforeAll(async () => {
  data = await temporaryData();
  grader = await startGrader(join(data.path, 'token'));
  app = await launchApp(join(data.path, 'data'));
  page = app.page;
});

test.afterAll(async () => {
  await app?.close();
  await grader?.stop();
  await data?.remove();
});

/** `mars2 grader serve`, once it listens. */
async function startGrader(tokenFile: string) {
  const words = [
    'grader',
    'serve',
    '--workers',
    '2',
    '--token-file',
    tokenFile,
    '--data',
    `${tokenFile}-data`,
  ];
  const child = spawn(process.execPath, [cliEntry, ...words]);
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  let output = '';
  const address = new Promise<string>((listens, fail) => {
    const read = (piece: Buffer): void => {
      output += piece.toString();
      const found = /Grader service on (\S+) .*\n/.exec(output)?.[1];
      if (found !== undefined) listens(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void ended.then(() => fail(new Error(`It ended: ${output}`)));
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  return { address: await address, tokenFile, stop };
}

/** Rows whose answers are the rest of a program: a model of pieces of Python writes some that print what they should. */
async function dataset(folder: string): Promise<string> {
  await mkdir(folder);
  const tests = [0, 1].map((number) => ({ kind: 'stdin', input: `${number}\n`, expected: `${number}\n` }));
  const truth = JSON.stringify({ extraction: 'whole', tests });
  const row = JSON.stringify({ prompt: 'print(', ground_truth: truth });
  await writeFile(join(folder, 'train.jsonl'), `${row}\n`.repeat(ROUNDS));
  return folder;
}

const trainer = () => page.getByRole('region', { name: 'Trainer', exact: true });
const choose = async (name: string, option: string): Promise<void> => {
  await trainer().getByRole('combobox', { name, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

test('TRL trains a tiny model on processors with our rewards, from the form to its curve', async () => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Training' }).click();
  await page.getByRole('button', { name: 'New training' }).click();
  await page.getByText('Other trainer', { exact: true }).click();
  await choose('Recipe', 'TRL, GRPO');
  await expect(trainer().getByText('Checked against TRL 1.13.0 and 1.16.0.')).toBeVisible();
  const output = join(data.path, 'output');
  const typed = {
    Python: learnerPython as string,
    GPUs: '0',
    'Accelerate configuration': '',
    Model: await tinyModel(1),
    Dataset: await dataset(join(data.path, 'rows')),
    'Reward function': 'mars2_reward.reward_func',
    'Output folder': output,
    'Answers per process and step': '8',
    'Steps of gradient accumulation': '1',
    'Weight of the KL': '0',
    'Longest answer, tokens': '1',
    'Checkpoint every so many steps': '2',
  };
  for (const [label, text] of Object.entries(typed))
    await trainer().getByLabel(label, { exact: true }).fill(text);
  await choose('Generate with vLLM', 'False');
  await choose('On processors', 'True');
  await choose('Event files', 'none');
  const variables = {
    PYTHONPATH: join(project, 'resources', 'grader-clients'),
    MARS2_GRADER_URL: grader.address,
    MARS2_GRADER_TOKEN_FILE: grader.tokenFile,
    OMP_NUM_THREADS: '1',
    HF_HUB_OFFLINE: '1',
  };
  for (const [at, [name, value]] of Object.entries(variables).entries()) {
    await page.getByRole('button', { name: 'Add a variable' }).click();
    await page.getByLabel(`Name of variable ${at + 1}`).fill(name);
    await page.getByLabel(`Value of variable ${at + 1}`).fill(value);
  }
  await picture(page, 'recipe-form');
  await page.getByRole('button', { name: 'Start training' }).click();
  await expect(page.getByText('Done', { exact: true }).first()).toBeVisible({ timeout: 200_000 });
  const reward = page.getByRole('figure', { name: 'Reward', exact: true });
  await expect(reward.getByRole('listitem', { name: /^policy: / })).toBeVisible();
  await picture(page, 'recipe-curves');

  const curves = await page.evaluate(async () => {
    const trainings = await window.workbench.call('training.list', {});
    const id = trainings.ok ? (trainings.value[0]?.id ?? '') : '';
    const found = await window.workbench.call('training.curves', { trainingId: id, points: 100 });
    return found.ok ? found.value : [];
  });
  const values = curves.find(({ key }) => key === 'reward')?.values ?? [];
  expect(curves.find(({ key }) => key === 'reward')?.steps).toEqual([1, 2, 3]);
  expect(Math.max(...values)).toBeGreaterThan(0);
  expect(Math.min(...values)).toBeLessThan(1);
  await page
    .getByRole('navigation', { name: 'Parts of the training' })
    .getByRole('link', { name: /^Checkpoints/ })
    .click();
  await expect(page.getByText('checkpoint-3').first()).toBeVisible();
});
