import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRegistry, type Registry, type RegistryData, type StudyRecord } from '../../../main/storage';
import { emptyRegistry } from '../../../main/storage/registry-data';
import { readRegistryValue } from '../../../main/storage/registry-reading';
import { unreadNames } from '../../../main/storage/registry-sections';
import { temporaryFolder } from '../../support/temporary-folder';
import { runStarted } from './sample-events';

async function opened(path: string): Promise<Registry> {
  const registry = await openRegistry(path);
  if (!registry.ok) throw new Error(registry.error.message);
  return registry.value;
}

function record(id: string): StudyRecord {
  const event = runStarted();
  if (event.kind !== 'run-started') throw new Error('The sample changed.');
  return {
    study: { id, name: id, createdAt: '2026-01-01T00:00:00.000Z', scale: 'pocket', runs: [event.config] },
    stopped: null,
    elapsedMs: 0,
    progress: null,
    finishedAt: null,
    removed: false,
  };
}

const adding = (id: string) => (data: RegistryData) => ({ ...data, studies: [...data.studies, record(id)] });

describe('the registry', () => {
  it('is empty with the default settings when its file is missing, and makes none by opening', async () => {
    const folder = await temporaryFolder();
    const registry = await opened(join(folder, 'data', 'registry.json'));
    expect(registry.read()).toEqual(emptyRegistry);
    expect(registry.damaged).toBeNull();
    expect(await readdir(join(folder, 'data'))).toEqual([]);
  });

  it('gives back after a restart what was put in', async () => {
    const path = join(await temporaryFolder(), 'registry.json');
    const registry = await opened(path);
    await registry.update(adding('first'));
    const window = { x: -5, y: 0, width: 900, height: 700, maximised: true };
    await registry.update((data) => ({ ...data, window }));
    expect((await opened(path)).read()).toEqual({ ...emptyRegistry, studies: [record('first')], window });
  });

  it('loses none of many updates at once and applies them in turn', async () => {
    const path = join(await temporaryFolder(), 'registry.json');
    const registry = await opened(path);
    const ids = Array.from({ length: 50 }, (_, index) => `study-${index}`);
    const results = await Promise.all(ids.map((id) => registry.update(adding(id))));
    expect(results.map((result) => result.ok && result.value.studies.length)).toEqual(
      ids.map((_, i) => i + 1),
    );
    expect((await opened(path)).read().studies.map((item) => item.study.id)).toEqual(ids);
  });

  it('does not let an update that throws spoil the others', async () => {
    const registry = await opened(join(await temporaryFolder(), 'registry.json'));
    const bad = registry.update(() => {
      throw new Error('a bug');
    });
    const good = registry.update(adding('after'));
    await expect(bad).rejects.toThrow('a bug');
    expect((await good).ok).toBe(true);
    expect(registry.read().studies).toHaveLength(1);
  });

  it('stays as it was when it cannot be written, says so, and works again when that is fixed', async () => {
    const path = join(await temporaryFolder(), 'registry.json');
    const registry = await opened(path);
    await registry.update(adding('first'));
    const before = await readFile(path, 'utf8');
    await mkdir(join(path, '..', '.registry.json.tmp')); // in the way of every write, for root too
    const failure = await registry.update(adding('second'));
    expect(failure.ok ? '' : failure.error.message).toContain(`${path} cannot be written, it is a folder`);
    expect(registry.read().studies).toHaveLength(1);
    expect(await readFile(path, 'utf8')).toBe(before);
    await rm(join(path, '..', '.registry.json.tmp'), { recursive: true, force: true });
    expect((await registry.update(adding('third'))).ok).toBe(true);
    expect((await opened(path)).read().studies.map((item) => item.study.id)).toEqual(['first', 'third']);
  });

  it.each([
    ['empty', '', 'it is not JSON'],
    ['cut', '{"version": 1, "settings"', 'it is not JSON'],
    ['null', 'null', 'it is not JSON'],
    ['without a version', '{"studies": []}', 'it has no version'],
    [
      'of wrong parts',
      JSON.stringify({ ...emptyRegistry, studies: 5 }),
      '"studies" is not what it should be',
    ],
  ])('that is %s is moved aside, kept and reported', async (_, text, why) => {
    const folder = await temporaryFolder();
    const path = join(folder, 'registry.json');
    await writeFile(join(folder, 'registry.damaged-1.json'), 'an earlier one');
    await writeFile(path, text);
    const registry = await opened(path);
    expect(registry.damaged).toEqual({ movedTo: join(folder, 'registry.damaged-2.json'), why });
    expect(await readFile(join(folder, 'registry.damaged-1.json'), 'utf8')).toBe('an earlier one');
    expect(await readFile(join(folder, 'registry.damaged-2.json'), 'utf8')).toBe(text);
    expect(registry.read()).toEqual(emptyRegistry);
    expect((await registry.update(adding('new'))).ok).toBe(true);
    expect((await opened(path)).damaged).toBeNull();
  });

  it('of a newer version is refused and left alone', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'registry.json');
    await writeFile(path, '{"version": 2}');
    const registry = await openRegistry(path);
    expect(registry.ok ? '' : registry.error.message).toContain('registry version 2; this one reads up to 1');
    expect(await readdir(folder)).toEqual(['registry.json']);
  });

  it('that is a folder is refused', async () => {
    const path = join(await temporaryFolder(), 'registry.json');
    await mkdir(path);
    const registry = await openRegistry(path);
    expect(registry.ok ? '' : registry.error.message).toContain('it is a folder');
  });

  it.skipIf(process.getuid?.() === 0)('that may not be read is refused and left alone', async () => {
    const path = join(await temporaryFolder(), 'registry.json');
    await writeFile(path, '{}');
    await chmod(path, 0);
    const registry = await openRegistry(path);
    expect(registry.ok ? '' : registry.error.message).toContain('this user may not');
  });

  it('of an older version is brought up by the steps in between', () => {
    const migrate = (old: unknown) => ({ ...emptyRegistry, ...(old as object), version: 1 });
    const reading = readRegistryValue({ version: 0, studies: [record('old')] }, [{ from: 0, migrate }]);
    expect(reading).toEqual({
      kind: 'read',
      data: { ...emptyRegistry, studies: [record('old')] },
      unread: [],
    });
    expect(readRegistryValue({ version: 0 }, [])).toMatchObject({
      kind: 'damaged',
      why: 'nothing is known of its version 0',
    });
  });

  it('loses no other value to one that it does not know, and gives it back to the version that wrote it', async () => {
    const path = join(await temporaryFolder(), 'registry.json');
    const [local] = emptyRegistry.machines;
    const newer = {
      ...emptyRegistry,
      settings: { ...emptyRegistry.settings, theme: 'sepia', railCollapsed: true, density: 'compact' },
      window: 'on the second screen',
      studies: [record('first'), { ...record('second'), stopped: 'asleep' }, record('third')],
      machines: [local, { kind: 'quantum', id: 'q', name: 'Q' }],
      machineCalibrations: { gpu1: { python: '3.12', cpuFactor: 2 }, q: 'none' },
      projects: [{ id: 'a project' }],
    };
    await writeFile(path, JSON.stringify(newer));

    const older = await opened(path);
    expect(older.damaged).toBeNull();
    expect(unreadNames(older.unread)).toBe(
      'settings.theme, settings.density, window, studies 2, machineCalibrations.q, machines 2, projects',
    );
    expect(older.read()).toEqual({
      ...emptyRegistry,
      settings: { ...emptyRegistry.settings, railCollapsed: true },
      studies: [record('first'), record('third')],
      machineCalibrations: { gpu1: { python: '3.12', cpuFactor: 2 } },
    });
    await older.update(adding('fourth'));
    const again = JSON.parse(await readFile(path, 'utf8'));
    expect(again).toEqual({ ...newer, studies: [...newer.studies, record('fourth')] });

    // What is set here counts from then on, in the newer version too.
    await older.update((data) => ({ ...data, settings: { ...data.settings, theme: 'dark' } }));
    expect(JSON.parse(await readFile(path, 'utf8')).settings).toEqual({ ...newer.settings, theme: 'dark' });
  });

  it('of which one section is damaged keeps the others, and the damaged file', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'registry.json');
    const text = JSON.stringify({ ...emptyRegistry, settings: 5, studies: [record('first')] });
    await writeFile(path, text);
    const registry = await opened(path);
    expect(registry.damaged?.why).toBe('"settings" is not what it should be');
    expect(registry.read()).toEqual({ ...emptyRegistry, studies: [record('first')] });
    expect(await readFile(join(folder, 'registry.damaged-1.json'), 'utf8')).toBe(text);
    await registry.update(adding('second'));
    expect((await opened(path)).read().studies.map(({ study }) => study.id)).toEqual(['first', 'second']);
  });
});
