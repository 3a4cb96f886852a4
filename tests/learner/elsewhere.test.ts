import { execFileSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { trainingRequestSchema } from '../../preload/contract';
import { bundleScript } from '../support/bundled-script';
import { eventually } from '../support/eventually';
import { connectedMachine } from '../support/fleet-bench';
import { isAlive } from '../support/is-alive';
import { learnerProgram, learnerPython, tinyModel } from '../support/learner';
import { hasSshdAccounts, startSshd } from '../support/sshd';
import { temporaryFolder } from '../support/temporary-folder';
import { openTrainingBench } from '../support/training-bench';
import { unwrap } from '../support/unwrap';
import { warmPython } from '../support/warm-python';

/** Loads the exported model as anybody would, and lets it score a token. */
const LOAD = resolve('tests/learner/oracles/load_export.py');

const tests = [{ kind: 'stdin', input: '0\n', expected: '0\n' }];
const rows = ['a', 'b', 'c'].map((id) => ({
  ...{ id, title: id, statement: `Read zero and print zero (${id}).`, entryPoint: null, starterCode: '' },
  ...{ difficulty: null, date: null, skills: [], publicTests: tests, privateTests: tests },
  canonicalProgram: null,
}));

test.skipIf(learnerPython === null || !hasSshdAccounts)(
  'over ssh a model training survives kill -9, and its checkpoint is fetched whole (needs root, sshd and torch)',
  async () => {
    const sshd = await startSshd();
    onTestFinished(() => sshd.stop());
    const { machine } = await connectedMachine(sshd);
    const trainerScript = await bundleScript('main/trainer/program.ts', await temporaryFolder());
    const bench = await openTrainingBench({ machine: () => machine, trainerScript });
    onTestFinished(bench.dispose);
    const file = join(bench.folder, 'zero.jsonl');
    await writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const { value: benchmark } = await unwrap(bench.benchmarks.importBenchmark({ path: file, id: 'zero' }));
    const order = (python: string) =>
      trainingRequestSchema.parse({
        name: 'Elsewhere',
        machineId: machine.id,
        spec: {
          kind: 'model',
          method: 'rs2',
          agents: [{ id: 'tiny', model, maxTokens: 1, extraction: 'whole' }],
          lora: { rank: 4, alpha: 8 },
          problems: { benchmarkId: benchmark.id },
          python,
          device: 'cpu',
          threads: 1,
          updates: 4,
          batch: 16,
          treesPerRound: 4,
          nodes: 4,
          rate: 0.005,
          checkpointEvery: 4,
          evaluation: { problems: 1, nodes: 2, samples: 2 },
        },
      });
    const model = await tinyModel(1);
    const home = await unwrap(machine.home());

    // What is missing there is said before anything starts.
    const refused = await bench.trainings.start(order('/usr/bin/python3'));
    expect(refused.ok ? null : refused.error).toMatchObject({
      hint: expect.stringContaining(`mars2 machines prepare ${machine.id} --learner`),
    });
    expect(bench.trainings.list()).toEqual([]);
    const planned = await unwrap(bench.trainings.plan(order(learnerPython as string), true));
    expect(planned.problems).toEqual([]);
    expect(planned.expected?.join('\n')).toMatch(
      /^Takes .*\nMemory: about [\d.]+ GB of the [\d.]+ GB of the machine/,
    );
    expect(planned.memory).toMatchObject({ device: 'processor', agents: [{ id: 'tiny' }] });

    const { id } = await unwrap(bench.trainings.start(order(learnerPython as string)));
    const there = join(home, 'trainings', id);
    const read = (path: string) => readFile(join(there, path), 'utf8').catch(() => '');
    await eventually('the first updates', async () => (await read('metrics.jsonl')).split('\n').length > 2);
    await eventually('a saved state', async () => (await read('state.json')) !== '');
    const learner = Number(JSON.parse(await read('learners/tiny/address.json')).pid);
    process.kill(JSON.parse(await read('workbench.lock')).pid, 'SIGKILL');
    await eventually('the learner’s end', () => !isAlive(learner));
    const done = await bench.ended(id);
    expect(done.state).toMatchObject({ kind: 'exited', code: 0 });
    expect(await readdir(join(home, 'jobs', done.jobId ?? ''))).toContain('attempt-2');
    const steps = (await read('metrics.jsonl'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .flatMap(({ step, part }) => (part === undefined ? [step] : []));
    expect(steps).toEqual([1, 2, 3, 4]);
    expect((await unwrap(bench.trainings.evaluation(id)))?.teams).toHaveLength(1);

    const [listed] = await unwrap(bench.trainings.checkpoints(id));
    expect(listed).toMatchObject({ id: 'tiny-000004', path: join(there, 'checkpoints', 'tiny-000004') });
    expect(listed?.copy).toBeUndefined();
    const path = await unwrap(bench.trainings.fetchCheckpoint(id, 'tiny-000004'));
    expect((await unwrap(bench.trainings.checkpoints(id)))[0]?.copy).toBe(path);
    expect((await readdir(path)).sort()).toEqual(
      (await readdir(join(there, 'checkpoints', 'tiny-000004'))).sort(),
    );
    const env = { ...process.env, PYTHONPATH: learnerProgram };
    const loaded = execFileSync(warmPython as string, [LOAD, path], { env, encoding: 'utf8' });
    expect(loaded).toMatch(/^\d+ \d+\n$/);
    await unwrap(bench.trainings.erase(id, { checkpoints: true }));
    expect(await readdir(join(home, 'trainings'))).not.toContain(id);
  },
);
