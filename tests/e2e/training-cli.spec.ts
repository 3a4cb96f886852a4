import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { runCli } from './support/cli';
import { temporaryPocketData } from './support/pocket-data';

test.describe.configure({ mode: 'serial' });

let data: Awaited<ReturnType<typeof temporaryPocketData>>;
test.beforeAll(async () => {
  data = await temporaryPocketData();
});
test.afterAll(() => data.remove());

const cli = (...args: string[]) => runCli([...args, '--data', data.dataDir]);
const SIZE = [
  '--updates',
  '6',
  '--batch',
  '16',
  '--split',
  'validation',
  '--problems',
  '4',
  '--samples',
  '2',
];

type Listed = { readonly id: string; readonly name: string; readonly state: { readonly kind: string } };
function listed(name: string): Listed {
  const { stdout } = cli('trainings', 'list', '--json');
  const found = (JSON.parse(stdout) as Listed[]).find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no training ${name} in ${stdout}`);
  return found;
}

test('the terminal plans a training with its exact command, and starts nothing', () => {
  const planned = cli('trainings', 'plan', 'pocket', '--method', 'heter-mars2', ...SIZE);
  expect(planned.status, planned.stderr).toBe(0);
  expect(planned.stdout).toContain('pocket-trainer.js --spec');
  expect(JSON.parse(cli('trainings', 'list', '--json').stdout)).toEqual([]);
});

test('a training is followed to its end, and its curves are CSV', async () => {
  const order = ['pocket', '--method', 'heter-mars2', '--families', 'reader,tracer', '--name', 'Team'];
  const started = cli('trainings', 'start', ...order, ...SIZE, '-f');
  expect(started.status, started.stderr).toBe(0);
  const { id } = listed('Team');
  const path = join(data.path, 'curves.csv');
  expect(cli('trainings', 'curves', id, '--out', path).status).toBe(0);
  const rows = (await readFile(path, 'utf8')).trim().split('\n');
  expect(rows.filter((row) => /reader/.test(row) && /(^|,)reward(,|$)/.test(row))).toHaveLength(6);
  expect(cli('trainings', 'evaluation', id).stdout).toMatch(/Pass@1\(MCTS\)/);
});

test('its checkpoints become a study: each alone, and as a team', () => {
  const { id } = listed('Team');
  const checkpoints = ['reader-000006', 'tracer-000006'].map((one) => `${id}:${one}`);
  const size = ['--problems', '3', '--nodes', '4', '--samples', '2'];
  const order = ['--benchmark', 'pocket-test-1-60', ...size, '--out', join(data.path, 'evaluated')];
  const evaluated = cli('trainings', 'evaluate', ...checkpoints, '--team', ...order);
  expect(evaluated.status, evaluated.stderr).toBe(0);
  expect(evaluated.stdout).toMatch(/Team/);
  expect(cli('studies', 'list').stdout).toMatch(/finished/);
});

test('wrong orders say what was expected', () => {
  const none = cli('trainings', 'start', 'pocket', '--method', 'better');
  expect([none.status, none.stderr]).toEqual([2, expect.stringContaining('heter-mars2')]);
  const nothing = cli('trainings', 'show', 'nothing');
  expect(nothing.status).not.toBe(0);
  expect(nothing.stderr).toMatch(/no training/i);
});

test('a small experiment prints its table with intervals, and writes it', async () => {
  const out = join(data.path, 'results');
  const ran = cli('experiments', 'start', 'tiny', '--seeds', '1', '--out', out);
  expect(ran.status, ran.stderr).toBe(0);
  expect(ran.stdout).toMatch(/Heter-MARS² +\d/);
  expect(ran.stdout).toContain('Pocket scale');
  const cells = (await readFile(join(out, 'cells.csv'), 'utf8')).split('\n');
  expect(cells[0]).toMatch(/value/);
  expect(cells.some((row) => row.includes('pass@1(mcts)') && row.includes('team'))).toBe(true);
});
