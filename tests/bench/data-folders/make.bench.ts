// Makes a data folder of this version for tests/main/app/earlier-data-folders.test.ts, and writes down what this version
// shows of it. In it: a pocket training of two agents, a study of its checkpoints, alone and as a team, one of whose
// verdicts is a fault of the grader, a training of a language model (its learner is a stand-in), and a study from the
// bundle of another lab.
//
// Run: FOLDER=2026-11-27 npx vitest run --config tests/bench/data-folders/bench.config.ts
import { execFileSync } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { rewriteLine } from '../../../main/storage/journal-line';
import { trainingRequestSchema } from '../../../preload/contract';
import { saveBasePolicies } from '../../support/base-policies';
import { buildWorkbench } from '../../support/built-workbench';
import { eventually } from '../../support/eventually';
import { scriptedModelFile, scriptedPython } from '../../support/scripted-learners';
import { shownDataFolder } from '../../support/shown-data-folder';
import { makeTemporaryFolder } from '../../support/temporary-folder';
import { openPackedDataFolder, openWorkbenchBench, type WorkbenchBench } from '../../support/workbench-bench';

const NAME = process.env.FOLDER ?? 'folder';
const HERE = resolve('tests', 'fixtures', 'data-folders');
/** The lab whose study comes in a bundle. */
const OTHER_LAB = { archive: 'c6a87f5.tar.gz', studyId: '2026-11-24-49bf5680-w1' };
const PATIENCE_MS = 600_000;

test('a data folder of this version', async () => {
  const project = await buildWorkbench();
  const scratch = await makeTemporaryFolder();
  const bundle = join(scratch.path, 'bundle.zip');
  const other = await openPackedDataFolder(project, join(HERE, OTHER_LAB.archive));
  await other.ask('bundle.write', { source: { kind: 'study', studyId: OTHER_LAB.studyId }, path: bundle });
  await other.dispose();

  const bench = await openWorkbenchBench(project, []);
  await bench.ask('bundle.open', { path: bundle });
  await saveBasePolicies(join(bench.dataDir, 'checkpoints'), ['weak'], 1);
  const trainingId = await trained(bench, {
    ...{ kind: 'pocket', method: 'heter-mars2', families: ['weak', 'weak'], seed: 1, updates: 1, batch: 4 },
    ...{ treesPerRound: 2, nodes: 4, problems: 4, evaluation: { problems: 2, nodes: 4, samples: 2 } },
  });
  const checkpoints = (await bench.ask('training.checkpoints', { trainingId })).map(({ id }) => ({
    trainingId,
    checkpointId: id,
  }));
  const { studyId } = await bench.ask('training.evaluate', {
    ...{ name: 'Checkpoints', checkpoints, team: true, benchmarkId: 'pocket-test-1-4' },
    ...{ problems: 2, nodes: 4, samples: 2, start: true },
  });
  await eventually(
    'the study',
    async () =>
      (await bench.ask('study.list', {})).some(
        ({ study, state }) => study.id === studyId && state.kind === 'finished',
      ),
    PATIENCE_MS,
  );
  const python = await scriptedPython(scratch.path);
  const model = await scriptedModelFile(scratch.path, 'small');
  await trained(bench, {
    ...{
      kind: 'model',
      method: 'grpo',
      agents: [{ id: 'small', model, maxTokens: 100, extraction: 'whole' }],
    },
    ...{
      problems: { benchmarkId: 'pocket-test-1-4' },
      python,
      updates: 2,
      batch: 4,
      treesPerRound: 2,
      nodes: 4,
    },
    evaluation: { problems: 1, nodes: 4, samples: 2, every: 1 },
  });
  for (const { id } of await bench.ask('server.list', {})) await bench.ask('server.stop', { serverId: id });
  await bench.workbench.close();
  await plantGraderFault(join(bench.dataDir, 'studies', studyId));
  await keepSmall(bench.dataDir);
  await renamePaths(bench.dataDir, [
    [project, '/home/lab/mars2-workbench'],
    [bench.dataDir, '/home/lab/mars2-data'],
    [scratch.path, '/home/lab/models'],
  ]);

  const archive = join(HERE, `${NAME}.tar.gz`);
  const fixed = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=2026-11-27'];
  execFileSync('tar', ['-C', join(bench.dataDir, '..'), ...fixed, '-I', 'gzip -9', '-cf', archive, 'data']);
  const again = await openPackedDataFolder(project, archive);
  expect(again.workbench.damage).toBeNull();
  const shown = await shownDataFolder(again);
  expect(shown.faults[studyId]).toBeGreaterThan(0);
  await writeFile(join(HERE, `${NAME}.json`), `${JSON.stringify(shown, null, 1)}\n`);
  await again.dispose();
  await rm(join(bench.dataDir, '..'), { recursive: true });
  await scratch.dispose();
});

/** Starts a training on this computer, and waits until it has ended well. */
async function trained({ ask }: WorkbenchBench, spec: Readonly<Record<string, unknown>>): Promise<string> {
  const name = `A training of the kind ${String(spec.kind)}`;
  const { id } = await ask('training.start', trainingRequestSchema.parse({ name, machineId: 'local', spec }));
  const ended = await eventually(
    `${name} to end`,
    async () => {
      const view = (await ask('training.list', {})).find((one) => one.id === id);
      return view?.state.kind === 'exited' || view?.state.kind === 'lost' ? view : null;
    },
    PATIENCE_MS,
  );
  expect(ended.state).toMatchObject({ kind: 'exited', code: 0 });
  return id;
}

/** The last verdict of the first run becomes a fault of the grader: nothing that can be asked for brings one about. */
async function plantGraderFault(folder: string): Promise<void> {
  const names = (await readdir(folder)).sort();
  for (const name of names) if (!name.endsWith('.jsonl')) await rm(join(folder, name), { recursive: true });
  const path = join(folder, names.find((name) => name.endsWith('.jsonl')) ?? '');
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  const at = lines.findLastIndex((line) => line.startsWith('{"kind":"node-graded"'));
  const changed = rewriteLine(Buffer.from(lines[at] ?? ''), (json) =>
    json.replace(/("privateVerdict":)"[a-z-]+"/, '$1"grader-fault"'),
  ).toString();
  expect(changed).toContain('grader-fault');
  await writeFile(path, `${lines.with(at, changed).join('\n')}\n`);
}

/** Of this computer nothing stays in records and scripts. Journals, which have checksums, name no places. */
async function renamePaths(
  dataDir: string,
  places: readonly (readonly [from: string, to: string])[],
): Promise<void> {
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const text = await readFile(path, 'latin1');
    const renamed = places.reduce((all, [from, to]) => all.replaceAll(from, to), text);
    if (renamed === text) continue;
    expect(path).not.toMatch(/studies.*\.jsonl$/);
    await writeFile(path, renamed, 'latin1');
  }
}

/** What can be made again, or is only needed to continue what is done. */
async function keepSmall(dataDir: string): Promise<void> {
  await rm(join(dataDir, 'checkpoints'), { recursive: true });
  for (const training of await readdir(join(dataDir, 'trainings')))
    for (const name of ['learners', 'state.json'])
      await rm(join(dataDir, 'trainings', training, name), { recursive: true, force: true });
}
