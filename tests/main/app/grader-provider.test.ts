import { join, resolve } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createGraderProvider } from '../../../main/app/grader-provider';
import { ok } from '../../../main/base';
import { createLocalMachine } from '../../../main/machines';
import { openRegistry } from '../../../main/storage';
import type { Settings } from '../../../preload/contract';

import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';
import { grade } from '../grading/sandbox';

// A fake: this computer, where every other program is found and bubblewrap is not.
vi.mock('../../../main/grading/executables', async (original) => {
  const real = await original<typeof import('../../../main/grading/executables')>();
  return {
    ...real,
    executablesNamed: async (name: string) => (name === 'bwrap' ? [] : real.executablesNamed(name)),
  };
});

/** The provider as after a start of the app on this data folder. */
async function started(folder: string) {
  const registry = await unwrap(openRegistry(join(folder, 'registry.json')));
  const machine = createLocalMachine(folder);
  const provider = createGraderProvider({
    resourcesDir: resolve('resources'),
    dataDir: await temporaryFolder(),
    registry,
    machines: { get: () => ok(machine) },
  });
  onTestFinished(provider.close);
  const set = (part: Partial<Settings>) =>
    registry.update((data) => ({ ...data, settings: { ...data.settings, ...part } }));
  return { provider, set };
}

test('without a sandbox nothing is graded, and the error says what to install', async () => {
  const { provider } = await started(await temporaryFolder());
  expect(await provider.problem()).toEqual({ sandboxProblem: expect.stringMatching(/bubblewrap/) });
  expect(await provider.open()).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  expect(provider.current()).toBeNull();
});

test('a program in the settings that is no Python is named as what is at fault, not the sandbox', async () => {
  const { provider, set } = await started(await temporaryFolder());
  await set({ gradingPython: '/bin/ls' });
  expect(await provider.problem()).toEqual({
    sandboxProblem: expect.stringMatching(/\/bin\/ls is not a Python/),
    pythonIsAtFault: true,
  });
});

test('the user allows grading without a sandbox once: it continues, also after a restart', async () => {
  const folder = await temporaryFolder();
  const first = await started(folder);
  expect((await first.provider.open()).ok).toBe(false);
  await first.set({ gradeWithoutSandbox: true });
  expect((await first.provider.open()).ok).toBe(true);
  await first.provider.close();

  const { provider } = await started(folder);
  expect(await provider.problem()).toEqual({ sandboxProblem: null });
  const grader = await unwrap(provider.open());
  expect(grader.isolation).toBe('none');
  const tests = [{ kind: 'stdin', input: '', expected: 'ok' } as const];
  expect((await grade(grader, { program: 'print("ok")', tests })).verdict).toBe('passed');
  expect((await grade(grader, { program: 'print("no")', tests })).verdict).toBe('wrong-answer');
});
