import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { passAtK } from '../../main/metrics/index';
import { project, temporaryData } from './support/app';
import { runCli } from './support/cli';
import { readCsv } from './support/csv';

/** Real problems and real model outputs, kept outside of the project. */
const shared = join(project, '..', 'shared', 'data');
const files = {
  problems: join(shared, 'humaneval', 'HumanEval.jsonl.gz'),
  codegen: join(shared, 'codet-codegen16b', 'samples.jsonl.gz'),
  gpt: join(shared, 'agentcoder-gpt35', 'samples.jsonl.gz'),
};

test.skip(!Object.values(files).every(existsSync), 'the shared data is not beside this checkout');
test.describe.configure({ mode: 'serial' });

let data: Awaited<ReturnType<typeof temporaryData>>;
const inData = (): string[] => ['--data', join(data.path, 'data')];

test.beforeAll(async () => {
  data = await temporaryData();
});
test.afterAll(() => data.remove());

function mustRun(args: readonly string[], timeoutMs?: number): string {
  const done = runCli([...args, ...inData()], timeoutMs);
  expect(done.status, done.stderr.slice(-2_000)).toBe(0);
  return done.stdout;
}

test('HumanEval and both recordings import', () => {
  mustRun(['benchmarks', 'import', files.problems, '--id', 'humaneval']);
  mustRun(['recordings', 'import', files.codegen, '--benchmark', 'humaneval', '--id', 'codegen-16b']);
  mustRun(['recordings', 'import', files.gpt, '--benchmark', 'humaneval', '--id', 'gpt-3.5']);
  const benchmarks = JSON.parse(mustRun(['benchmarks', 'list', '--json'])) as { problems: number }[];
  expect(benchmarks.map(({ problems }) => problems)).toEqual([164]);
  const recordings = JSON.parse(mustRun(['recordings', 'list', '--json'])) as {
    id: string;
    samples: number;
    mostSamples: number;
  }[];
  expect(recordings.map(({ id, samples, mostSamples }) => [id, samples, mostSamples])).toEqual([
    ['codegen-16b', 16_400, 100],
    ['gpt-3.5', 820, 5],
  ]);
});

test('20 recorded CodeGen samples of all 164 problems give Pass@1 and Pass@10 of the same verdicts', async () => {
  const out = join(data.path, 'codegen');
  const stdout = mustRun([
    'run',
    '--benchmark',
    'humaneval',
    '--configuration',
    'codegen=recorded:codegen-16b',
    '--strategy',
    'repeated',
    '--nodes',
    '20',
    '--out',
    out,
    '--json',
  ]);
  const { analysis } = JSON.parse(stdout) as {
    analysis: {
      rows: Array<{ scale: string; cells: Array<{ metric: string; value: number; problems: number }> }>;
    };
  };
  const cell = (metric: string) => analysis.rows[0]?.cells.find((one) => one.metric === metric);
  const nodes = readCsv(await readFile(join(out, 'nodes.csv'), 'utf8'));
  expect(nodes).toHaveLength(164 * 20);
  const passed = new Map<string, number>();
  for (const node of nodes) {
    const won = node.private_verdict === 'passed' ? 1 : 0;
    passed.set(node.problem ?? '', (passed.get(node.problem ?? '') ?? 0) + won);
  }
  expect(passed.size).toBe(164);
  const mean = (k: number): number =>
    [...passed.values()].reduce((sum, count) => sum + (passAtK(20, count, k) ?? Number.NaN), 0) / 164;
  expect(cell('pass@1')?.value).toBeCloseTo(mean(1), 12);
  expect(cell('pass@10')?.value).toBeCloseTo(mean(10), 12);
  expect(analysis.rows[0]?.scale).toBe('recorded');
  // The published checker gives 22.1 and 50.4 with all 100 samples; 20 of them, drawn at random, lie close by.
  expect(Math.abs(mean(1) - 0.221)).toBeLessThan(0.01);
  expect(Math.abs(mean(10) - 0.504)).toBeLessThan(0.02);
});

test('two recorded agents search as a heterogeneous team; a recording that runs out ends its share alone', async () => {
  test.setTimeout(600_000);
  const out = join(data.path, 'team');
  const teams = ['gpt=recorded:gpt-3.5', 'both=recorded:codegen-16b,recorded:gpt-3.5'];
  mustRun(
    [
      'run',
      '--benchmark',
      'humaneval',
      ...teams.flatMap((team) => ['--configuration', team]),
      '--problems',
      '20',
      '--nodes',
      '16',
      '--samples',
      '0',
      '--out',
      out,
    ],
    550_000,
  );
  const nodes = readCsv(await readFile(join(out, 'nodes.csv'), 'utf8'));
  const of = (configuration: string, agent: string): number =>
    nodes.filter((node) => node.configuration === configuration && node.agent === agent).length;
  expect(of('gpt', 'gpt-3.5')).toBe(20 * 5); // five samples a problem, then the tree ends
  expect(of('both', 'gpt-3.5')).toBeLessThanOrEqual(20 * 5);
  expect(of('both', 'codegen-16b') + of('both', 'gpt-3.5')).toBe(20 * 16);
});
