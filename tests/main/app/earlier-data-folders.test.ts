import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildWorkbench } from '../../support/built-workbench';
import { type ShownDataFolder, shownDataFolder } from '../../support/shown-data-folder';
import { openPackedDataFolder, type WorkbenchBench } from '../../support/workbench-bench';

/**
 * Data folders that earlier versions wrote, and what those showed of them. Optimiser states of finished trainings were
 * left out to keep them small.
 * c6a87f5: the quickstart, a reproduction that is done and one that was killed and paused, an experiment, their trainings
 * and jobs, a launch, a note, a mark.
 * Since then intervals of rates at 0 and 100 % became exact ones: their upper ends here are written anew.
 * 2026-11-27: made by tests/bench/data-folders, which says what is in it.
 */
const FOLDERS = resolve('tests', 'fixtures', 'data-folders');
/** tests/bench/data-folders writes this verdict into a journal afterwards, which is what a verification finds. */
const EDITED = 'its private verdict is grader-fault, but its tests say';
const versions = readdirSync(FOLDERS).flatMap((name) => /^(.+)\.tar\.gz$/.exec(name)?.[1] ?? []);

describe.each(versions)('a data folder of %s', (version) => {
  const expected: Partial<ShownDataFolder> = JSON.parse(
    readFileSync(resolve(FOLDERS, `${version}.json`), 'utf8'),
  );
  let bench: WorkbenchBench;

  beforeAll(async () => {
    bench = await openPackedDataFolder(await buildWorkbench(), resolve(FOLDERS, `${version}.tar.gz`));
  });
  afterAll(() => bench.dispose());

  it('opens without damage', () => {
    expect(bench.workbench.damage).toBeNull();
  });

  it('shows the same states and computes the same numbers from its journals and records', async () => {
    const all = await shownDataFolder(bench);
    // Not of every study was written down what its table showed.
    const known = Object.keys(expected.analyses ?? {}).map((id) => [id, all.analyses[id]]);
    const shown: ShownDataFolder = { ...all, analyses: Object.fromEntries(known) };
    for (const part of Object.keys(expected) as (keyof ShownDataFolder)[])
      expect({ [part]: shown[part] }).toEqual({ [part]: expected[part] });
  });

  it('replays its trees from their seeds, and their verdicts come back', async () => {
    for (const studyId of Object.keys(expected.studies ?? {})) {
      const { trees, mismatches, verdicts } = await bench.ask('study.verify', { studyId });
      expect(trees).toBeGreaterThan(0);
      expect(mismatches.filter(({ difference }) => !difference.startsWith(EDITED))).toEqual([]);
      expect(verdicts).toMatchObject({ kind: 'graded', changed: [] });
    }
  });

  it('adds up what its jobs and studies used, from the records and journals that are there', async () => {
    const { total, rows } = await bench.ask('job.usage', { by: 'job' });
    expect(total.jobs).toBeGreaterThan(0);
    expect(total.hours).toBeGreaterThan(0);
    expect(total.completionTokens).toBeGreaterThan(0);
    expect(rows.every(({ hours, isOpen }) => hours < 48 && !isOpen)).toBe(true);
  });

  const paused = Object.entries(expected.reproductions ?? {}).find(([, { state }]) => state === 'paused');
  it.skipIf(paused === undefined)(
    'resumes a reproduction that was killed and paused, to its end',
    async () => {
      const [reproductionId = ''] = paused ?? [];
      await bench.ask('reproduction.resume', { reproductionId });
      const ended = await bench.until(
        reproductionId,
        ({ state }) => state.kind !== 'running' && state.kind !== 'paused',
      );
      expect([ended.state, ended.done]).toEqual([{ kind: 'done' }, ended.total]);
    },
  );

  it('extends a study of then by a node, which replays and goes into a bundle', async () => {
    const all = await bench.ask('study.list', {});
    const exhibits = (await bench.ask('reproduction.list', {})).flatMap(({ steps }) =>
      steps.map((step) => step.studyId),
    );
    for (const { study, fromBundle } of all) {
      const nodes = Math.max(...study.runs.map(({ search }) => search.nodes)) + 1;
      const extend = bench.ask('study.extend', { studyId: study.id, apply: true, nodes });
      if (exhibits.includes(study.id) || fromBundle !== undefined) {
        await expect(extend).rejects.toThrow(/cells have a plan of their own|so it is read-only/);
        continue;
      }
      const { programs } = await extend;
      await bench.ask('study.start', { studyId: study.id });
      const ended = await bench.endedStudy(study.id);
      expect([ended.state.kind, ended.progress.nodesDone]).toEqual(['finished', ended.progress.nodesTotal]);
      const { nodes: replayed, mismatches } = await bench.ask('study.verify', {
        ...{ studyId: study.id, programs: 0 },
      });
      expect(replayed).toBeGreaterThan(programs);
      expect(mismatches.filter(({ difference }) => !difference.startsWith(EDITED))).toEqual([]);
      expect((await bench.ask('study.analysis', { studyId: study.id })).looks).toBe(2);
      const path = join(bench.dataDir, `${study.id}.mars2.zip`);
      await bench.ask('bundle.write', { source: { kind: 'study', studyId: study.id }, path });
      const manifest = execFileSync('unzip', ['-p', path, 'manifest.json'], { encoding: 'utf8' });
      expect(manifest).toContain('Intervals after looking 2 times');
      expect(manifest).toContain('"afterResults": true');
    }
  });
});

const restored = /\d+ studies were restored from their journals\./;
it.each([
  [
    'is damaged',
    (path: string) => writeFile(path, '{'),
    /^The registry was damaged .*its defaults\. \d+ studies were/,
  ],
  [
    'is gone',
    (path: string) => rm(path),
    /^The registry did not list every study of this data folder: .*the settings are back to their defaults\.$/,
  ],
])(
  'a data folder whose registry %s says what was restored, and has its headlines',
  async (_, spoil, says) => {
    const archive = resolve(FOLDERS, '2026-11-27.tar.gz');
    const bench = await openPackedDataFolder(await buildWorkbench(), archive, (dataDir) =>
      spoil(join(dataDir, 'registry.json')),
    );
    onTestFinished(() => bench.dispose());
    expect(bench.workbench.damage).toMatch(says);
    expect(bench.workbench.damage).toMatch(restored);
    expect(bench.workbench.damage).not.toContain('  ');
    const finished = (await bench.ask('study.list', {})).filter(({ state }) => state.kind === 'finished');
    expect(finished.length).toBeGreaterThan(0);
    expect(finished.filter(({ headline }) => headline === undefined)).toEqual([]);
  },
);
