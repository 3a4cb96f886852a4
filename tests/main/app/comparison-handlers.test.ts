import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { environmentSecrets } from '../../../main/app/secrets';
import { openWorkbench, type Workbench } from '../../../main/app/workbench';
import { comparisonText } from '../../../main/cli/comparison-report';
import { openJournal, openRegistry } from '../../../main/storage';
import { studyFiles } from '../../../main/studies';
import { commands, type RunEvent, type Study } from '../../../preload/contract';
import { sampleEvents, sampleStudy } from '../../support/sample-study';
import { temporaryFolder } from '../../support/temporary-folder';
import { typeCommand } from '../../support/typed-command';

const opened: Workbench[] = [];
afterEach(async () => {
  for (const workbench of opened.splice(0)) await workbench.close();
});

async function open(dataDir: string): Promise<Workbench> {
  const workbench = await openWorkbench({
    dataDir,
    project: resolve('.'),
    appVersion: '1',
    kind: 'terminal',
    nodeRuntime: { command: process.execPath, env: {} },
    secrets: environmentSecrets({}),
    reconnects: false,
  });
  if (!workbench.ok) throw new Error(workbench.error.message);
  opened.push(workbench.value);
  return workbench.value;
}

/** A data folder with these studies finished, their journals really written; no workbench has it open. */
async function dataWith(...studies: readonly Study[]): Promise<string> {
  const dataDir = await temporaryFolder();
  const files = studyFiles(dataDir);
  for (const study of studies) {
    const events = new Map<string, RunEvent[]>();
    for (const { runId, event } of sampleEvents(study))
      events.set(runId, [...(events.get(runId) ?? []), event]);
    for (const [runId, list] of events) {
      const journal = await openJournal(files.journal(study.id, runId));
      if (!journal.ok) throw new Error(journal.error.message);
      await Promise.all(list.map(journal.value.append));
      await journal.value.close();
    }
  }
  const registry = await openRegistry(join(dataDir, 'registry.json'));
  if (!registry.ok) throw new Error(registry.error.message);
  const record = { stopped: null, elapsedMs: 0, progress: null, finishedAt: '2026-01-06', removed: false };
  await registry.value.update((data) => ({
    ...data,
    studies: studies.map((study) => ({ study, ...record })),
  }));
  return dataDir;
}

const one = sampleStudy({ id: 'one', name: 'Monday', problems: 4, nodes: 5 });
const two = sampleStudy({ id: 'two', name: 'Tuesday', problems: 4, nodes: 5 });

describe('a note and tags', () => {
  it('are written to a study, announced, and present after a restart; empty ones remove them', async () => {
    const dataDir = await dataWith(one);
    const workbench = await open(dataDir);
    const notes: (string | undefined)[] = [];
    workbench.events.on((event) => {
      if (event.kind === 'study-changed') notes.push(event.view.note);
    });
    const order = { studyId: 'one', note: 'The first one.', tags: ['paper', 'figure-3'] };
    const answer = await workbench.call('study.annotate', order, 'window');
    expect(answer).toMatchObject({
      ok: true,
      value: { note: 'The first one.', tags: ['paper', 'figure-3'] },
    });
    if (answer.ok) commands['study.annotate'].value.parse(answer.value);
    expect(notes).toEqual(['The first one.']);
    await opened.pop()?.close();

    const again = await open(dataDir);
    const list = await again.call('study.list', {}, 'window');
    expect(list).toMatchObject({
      ok: true,
      value: [{ note: 'The first one.', tags: ['paper', 'figure-3'] }],
    });
    await again.call('study.annotate', { studyId: 'one', note: '', tags: [] }, 'window');
    const bare = await again.call('study.list', {}, 'window');
    expect(bare.ok && Object.keys((bare.value as object[])[0] ?? {})).not.toContain('note');
  });

  it('of an absent study, or a tag with a space, are refused', async () => {
    const workbench = await open(await dataWith(one));
    const gone = await workbench.call('study.annotate', { studyId: 'x', note: '', tags: [] }, 'window');
    expect(gone).toMatchObject({ ok: false, error: { code: 'not-found' } });
    const bad = await workbench.call('study.annotate', { studyId: 'one', note: '', tags: ['a b'] }, 'window');
    expect(bad).toMatchObject({ ok: false, error: { code: 'invalid-payload' } });
  });

  it('can be written in the terminal one by one', async () => {
    const workbench = await open(await dataWith(one));
    await typeCommand(workbench, 'studies', 'annotate', 'one', '--note', 'Hello.');
    const { out } = await typeCommand(workbench, 'studies', 'annotate', 'one', '--tags', 'a,b');
    expect(out).toBe('one  a, b  Hello.\n');
  });
});

describe('compare in the terminal', () => {
  it('takes whole studies and single runs, under labels, and prints what the window shows', async () => {
    const workbench = await open(await dataWith(one, two));
    const args = ['one', `${two.runs[0]?.id}=again`];
    const { code, out } = await typeCommand(workbench, 'compare', ...args);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^configuration +Pass@1 .*\n-.*\nsingle .*\nhomogeneous .*\nheterogeneous .*\nagain /m,
    );
    expect(out).toContain('Solved by all:');
    expect(out).toMatch(/^agent of heterogeneous +first attempts/m);
    const json = await typeCommand(workbench, 'compare', ...args, '--json');
    const value = commands['comparison.read'].value.parse(JSON.parse(json.out));
    expect(value.configurations).toEqual(['single', 'homogeneous', 'heterogeneous', 'again']);
  });

  it('computes the diversity of the same runs on request (these hold no programs, so only AEC is known)', async () => {
    const workbench = await open(await dataWith(one));
    const { out } = await typeCommand(workbench, 'compare', 'one', '--diversity');
    expect(out).toMatch(/^configuration +problems +aec$/m);
  });

  it('diversity of a study names what is damaged of its journals, in its text and as JSON', async () => {
    const dataDir = await dataWith(one);
    const journal = studyFiles(dataDir).journal('one', one.runs[1]?.id ?? '');
    const lines = (await readFile(journal, 'utf8')).split('\n');
    const at = Math.floor(lines.length * 0.7);
    await writeFile(journal, lines.with(at, (lines[at] ?? '').replace('"kind"', '"king"')).join('\n'));
    const workbench = await open(dataDir);
    const damage = expect.stringMatching(
      /^Part of the run homogeneous, seed 1 is missing\. .* is damaged at line \d+: .* or repair it/,
    );
    const { out } = await typeCommand(workbench, 'studies', 'diversity', 'one');
    expect(out.split('\n')[0]).toEqual(damage);
    const json = await typeCommand(workbench, 'studies', 'diversity', 'one', '--json');
    const { cells, damage: named } = commands['study.diversity'].value.parse(JSON.parse(json.out));
    expect(named).toEqual([damage]);
    const problems = (name: string) => cells.find(({ configuration }) => configuration === name)?.problems;
    expect(problems('homogeneous') ?? 0).toBeLessThan(problems('single') ?? 0);
    const runs = one.runs.map(({ id }) => ({ runId: id }));
    expect(await workbench.call('comparison.diversity', { runs }, 'window')).toMatchObject({
      ok: true,
      value: { damage: [damage] },
    });
    const compared = await typeCommand(workbench, 'compare', 'one', '--diversity');
    expect(compared.out.split('Part of the run homogeneous')).toHaveLength(2);
  });

  it('reports how far a saved regrade moved the figures', async () => {
    const workbench = await open(await dataWith(one));
    const answer = await workbench.call(
      'comparison.read',
      { runs: [{ runId: one.runs[0]?.id }] },
      'terminal',
    );
    if (!answer.ok) throw new Error(answer.error.message);
    const plain = commands['comparison.read'].value.parse(answer.value);
    expect(comparisonText(plain, false)).not.toContain('graded again');
    const [row] = plain.analysis.rows;
    if (row === undefined) throw new Error('There is a row');
    const shifts = [0, -0.25, 0.125, 0];
    const cells = row.cells.map((cell, at) => ({
      ...cell,
      graderNoise: { graded: 9, changed: 2, shift: shifts[at] ?? 0 },
    }));
    const noisy = { ...plain, analysis: { ...plain.analysis, rows: [{ ...row, cells }] } };
    expect(comparisonText(noisy, false)).toMatch(/^graded again .*\n-.*\nsingle +9 +2 +−25\.0$/m);
  });

  it('says which run is missing', async () => {
    const workbench = await open(await dataWith(one));
    const { code, err } = await typeCommand(workbench, 'compare', 'nowhere');
    expect(code).toBe(1);
    expect(err).toContain('There is no study or run nowhere.');
  });
});
