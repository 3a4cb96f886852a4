// Run: npx vitest run --config tests/bench/training/bench.config.ts watch
// Reading a training's files to their end, and reading on where nothing is new, against one plain pass over the same
// bytes in the same run.
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLocalMachine } from '../../../main/machines';
import { openTrainingWatch } from '../../../main/trainings/watch';
import { pythonEvents } from '../../support/python-events';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';
import { recipeOf, recipeSpec } from '../../support/watch-bench';

const BYTES = 100_000_000;
const ROUNDS = 3;

/** `piece` again and again until there are so many bytes; a watch takes repeated steps for a resumed training. */
async function fill(path: string, piece: Buffer): Promise<number> {
  const block = Buffer.concat(Array.from({ length: Math.ceil(4_000_000 / piece.length) }, () => piece));
  const file = await open(path, 'w');
  for (let size = 0; size < BYTES; size += block.length) await file.write(block);
  await file.close();
  return (await stat(path)).size;
}

async function passMs(path: string): Promise<number> {
  const begin = performance.now();
  let bytes = 0;
  for await (const chunk of createReadStream(path)) bytes += (chunk as Buffer).length;
  expect(bytes).toBeGreaterThanOrEqual(BYTES);
  return performance.now() - begin;
}

async function watched(folder: string, logs: readonly string[], events: readonly string[]) {
  const watch = openTrainingWatch({
    machine: createLocalMachine(join(folder, 'home')),
    spec: recipeSpec,
    agents: [{ id: 'policy', name: 'Policy' }],
    paths: { metrics: null, logs, events, checkpoints: [], workflow: null },
    recipe: recipeOf({ log: { form: 'python-dict', stepKey: null } }),
    clock: { now: () => performance.now() },
  });
  const begin = performance.now();
  let calls = 0;
  for (let isBehind = true; isBehind; calls++) isBehind = (await unwrap(watch.read())).isBehind;
  const readMs = performance.now() - begin;
  const idleBegin = performance.now();
  for (let attempt = 0; attempt < 10; attempt++) expect((await unwrap(watch.read())).changed).toBe(false);
  return { calls, readMs, idleMs: (performance.now() - idleBegin) / 10, points: watch.curves(1_000_000) };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

async function compare(what: string, path: string, logs: readonly string[], events: readonly string[]) {
  const folder = await temporaryFolder();
  const measurements: { pass: number; read: number; idle: number; calls: number }[] = [];
  const before = process.memoryUsage().heapUsed;
  let heap = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const pass = await passMs(path);
    const { readMs, idleMs, calls, points } = await watched(folder, logs, events);
    expect(points.length).toBeGreaterThan(0);
    for (const { steps } of points) expect(steps.length).toBeLessThanOrEqual(4_096);
    heap = Math.max(heap, process.memoryUsage().heapUsed - before);
    measurements.push({ pass, read: readMs, idle: idleMs, calls });
  }
  const of = (pick: (round: (typeof measurements)[number]) => number) => median(measurements.map(pick));
  const megabytes = (await stat(path)).size / 1e6;
  process.stdout.write(
    `${what}, ${megabytes.toFixed(0)} MB: read in ${of(({ calls }) => calls)} calls, ${((megabytes / of(({ read }) => read)) * 1_000).toFixed(0)} MB/s = ${of(({ pass, read }) => read / pass).toFixed(1)} times a plain pass over it; nothing new ${of(({ idle }) => idle).toFixed(1)} ms; heap at most ${(heap / 1e6).toFixed(0)} MB more\n`,
  );
}

test('an event file of 100 MB', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'events.out.tfevents.1.host');
  const piece = pythonEvents(
    Array.from({ length: 5_000 }, (_, at) => ({
      wall: at,
      step: at,
      values: [{ tag: `train/agent_0/${['reward', 'kl', 'policy_loss', 'entropy'][at % 4]}`, value: at / 7 }],
    })),
  );
  await fill(path, piece);
  await compare('event file of single values', path, [], [folder]);
});

test('a console log of 100 MB', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'output.log');
  const lines = Array.from({ length: 1_000 }, (_, at) => [
    `\r  1%|          | ${at}/29790 [${10 + (at % 50)}:59<29:53:31,  3.63s/it]`,
    '\u001b[36m(TaskRunner pid=1064331)\u001b[0m {"a": "sample answer of the model, which is no number"}\n',
    at % 10 === 0
      ? `{'loss': ${at / 7}, 'grad_norm': 0.25, 'reward': ${at / 3}, 'entropy': 0.5, 'clip_ratio/high_mean': 0.0}\n`
      : `INFO 11-21 21:22:31 workflow.py:12] ${'words of a trainer '.repeat(8)}\n`,
  ]).flat();
  await fill(path, Buffer.from(lines.join('')));
  await compare('console log', path, [path], []);
});
