// Run: npx vitest run --config tests/bench/training/bench.config.ts experiment
// A whole experiment without the app, e.g. the one of docs/pocket.md: what is done already is not done again.
import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { experimentText } from '../../../main/cli/experiment-report';
import { type DoneTraining, experimentResult } from '../../../main/metrics';
import { cellsCsv, pairsCsv } from '../../../main/plans/logic/experiments/experiment-csv';
import { pocketTrainingOf } from '../../../main/plans/logic/experiments/experiment-record';
import { trainingAgents } from '../../../main/trainings/logic/titles';
import {
  type ExperimentRequest,
  type ExperimentRow,
  experimentFromPreset,
  experimentPresetOf,
  trainingEvaluationSchema,
} from '../../../preload/contract';
import { bundleScript } from '../../support/bundled-script';

/**
 * Settings by environment: EXPERIMENT (five-methods), SEEDS (its own), SPLIT (test), UPDATES (its own), PROBLEMS (100),
 * AT_ONCE (2), GRADED (sandbox; interpreter: the same bytes in less time), OUT (a folder that is kept).
 */
const setting = (name: string, otherwise: string): string => process.env[name] ?? otherwise;
const out = resolve(setting('OUT', '/tmp/pocket-experiment'));
const graded = setting('GRADED', 'sandbox');

function requestFromSettings(): ExperimentRequest {
  const ready = experimentPresetOf(setting('EXPERIMENT', 'five-methods'));
  if (ready === null) throw new Error('There is no such experiment');
  const seeds = process.env.SEEDS?.split(',').map(Number);
  const request = experimentFromPreset(ready, seeds);
  const updates = Number(setting('UPDATES', String(request.training.updates)));
  const share = updates / (request.training.updates ?? updates);
  const split = setting('SPLIT', 'test') === 'test' ? 'test' : 'validation';
  const evaluation = {
    split,
    problems: Number(setting('PROBLEMS', '100')),
    nodes: 60,
    samples: 16,
    every: 0,
  } as const;
  const rows = request.rows.map((row) =>
    row.change.updates === undefined
      ? row
      : { ...row, change: { ...row.change, updates: Math.round(row.change.updates * share) } },
  );
  return {
    ...request,
    rows,
    training: { ...request.training, updates, checkpointEvery: updates, evaluation },
  };
}

type Task = { readonly row: ExperimentRow; readonly seed: number; readonly folder: string };

async function train(script: string, request: ExperimentRequest, { row, seed, folder }: Task): Promise<void> {
  const spec = pocketTrainingOf(request, row, seed);
  const text = JSON.stringify({ spec, agents: trainingAgents(spec) });
  const path = join(folder, 'spec.json');
  const [known, done] = await Promise.all(
    [path, join(folder, 'cost.json')].map((file) => readFile(file, 'utf8').catch(() => null)),
  );
  if (done !== null && known === text) return;
  await mkdir(folder, { recursive: true });
  await writeFile(path, text);
  const args = [script, path, folder, join(out, 'checkpoints'), resolve('resources'), graded];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  const code = await new Promise((ended) => child.on('close', ended));
  if (code !== 0) throw new Error(`${row.label}, seed ${seed} ended with code ${code}`);
  console.log(
    `${new Date().toISOString()} ${row.label}, seed ${seed}: ${await readFile(join(folder, 'cost.json'), 'utf8')}`,
  );
}

async function doneTraining({ row, seed, folder }: Task): Promise<DoneTraining> {
  const read = (name: string) => readFile(join(folder, name), 'utf8');
  const evaluation = trainingEvaluationSchema.parse(JSON.parse(await read('evaluation.json')));
  const { seconds } = JSON.parse(await read('cost.json')) as { seconds: number };
  const shares = new Map<string, number[]>();
  for (const line of (await read('metrics.jsonl')).split('\n').filter((one) => one !== '')) {
    const { agent, part, values } = JSON.parse(line) as {
      agent: string;
      part?: string;
      values: Record<string, number>;
    };
    const share = values['zero-advantage'];
    if (part === 'evaluation' || share === undefined) continue;
    shares.set(agent, [...(shares.get(agent) ?? []), share]);
  }
  const zeroAdvantage = [...shares].map(([agentId, all]) => ({
    agentId,
    share: all.reduce((sum, one) => sum + one, 0) / all.length,
  }));
  return { label: row.label, seed, evaluation, zeroAdvantage, seconds };
}

test('an experiment from its first training to its table', { timeout: 86_400_000 }, async () => {
  const request = requestFromSettings();
  await mkdir(out, { recursive: true });
  const script = await bundleScript(resolve('tests/bench/training/train-one.ts'), out);
  const tasks = request.seeds.flatMap((seed) =>
    request.rows.map((row, at): Task => ({ row, seed, folder: join(out, `seed-${seed}`, `row-${at}`) })),
  );
  const waiting = [...tasks];
  const worker = async (): Promise<void> => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift())
      await train(script, request, task);
  };
  await Promise.all(Array.from({ length: Number(setting('AT_ONCE', '2')) }, worker));
  const done = await Promise.all(tasks.map(doneTraining));
  const result = experimentResult({
    experimentId: request.name,
    request,
    done,
    trainingOf: (row) => pocketTrainingOf(request, row, request.seeds[0] ?? 0),
  });
  expect(result.complete).toBe(true);
  await writeFile(join(out, 'result.json'), `${JSON.stringify(result, null, 1)}\n`);
  await writeFile(join(out, 'cells.csv'), cellsCsv(request, result, done).text);
  await writeFile(join(out, 'pairs.csv'), pairsCsv(request, result, done).text);
  await writeFile(join(out, 'table.txt'), experimentText(result));
  console.log(experimentText(result));
});
