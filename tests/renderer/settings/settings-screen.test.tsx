import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { SettingsScreen } from '../../../renderer/settings';
import { SHIPPED_PARTS } from '../../../renderer/settings/shipped-parts';
import { renderScreen } from '../../support/rendered-screen';
import { SAMPLE_SERVICE } from '../../support/sample-workbench';

const GRADER = { python: '3.11.2', isolation: 'sandbox', cpuFactor: 1, problem: null } as const;

test('the Python that grades is shown with its path, its packages and why it was chosen', async () => {
  const screen = await renderScreen(<SettingsScreen />);
  await screen.until('Python 3.11.2 in /usr/bin/python3, in the sandbox');
  expect(screen.text()).toContain('It has more of the packages that programs import');
  expect(screen.text()).toContain('numpy 1.24.2');
  expect(screen.text()).toContain('Active: no network');
});

test('About lists every part that is shipped, under the licence that its package names', async () => {
  const manifest = JSON.parse(await readFile('package.json', 'utf8'));
  const lock = JSON.parse(await readFile('package-lock.json', 'utf8'));
  const screen = await renderScreen(<SettingsScreen />);
  await screen.until('It ships parts of others');
  for (const name of [...Object.keys(manifest.dependencies), 'electron']) {
    const licence = Object.entries(SHIPPED_PARTS).find(([, parts]) => parts.includes(name))?.[0];
    expect({ name, licence }).toEqual({ name, licence: lock.packages[`node_modules/${name}`].license });
    expect(screen.text()).toContain(name);
  }
});

test('before a first grading it can be chosen and checked by a press', async () => {
  const screen = await renderScreen(<SettingsScreen />, { grader: null });
  await screen.until('Chosen and checked with the first grading');
  await screen.click('Check now');
  expect(screen.sample.calls).toContain('app.openGrader');
});

test('where the Python is at fault, it is what is said to be, not the sandbox', async () => {
  const sandboxProblem = 'Programs cannot be graded: /bin/ls is not a Python 3.9 or later that starts.';
  const screen = await renderScreen(<SettingsScreen />, {
    grader: null,
    sandboxProblem,
    pythonIsAtFault: true,
  });
  await screen.until('Not usable: programs are not graded');
  expect(screen.text()).toMatch(/Python !? ?Not usable.*\/bin\/ls is not a Python/);
  expect(screen.text()).not.toContain('Missing');
});

test('a grader without a sandbox is not called sandboxed', async () => {
  const screen = await renderScreen(<SettingsScreen />, { grader: { ...GRADER, isolation: 'none' } });
  await screen.until('None: programs run with your rights');
  expect(screen.text()).not.toContain('Active: no network');
});

test('a Python that a person names is saved as the one to use', async () => {
  const screen = await renderScreen(<SettingsScreen />);
  await screen.until('Python to use');
  await screen.fill('Python to use', 'python3');
  await screen.until('Its whole path');
  await screen.fill('Python to use', '/opt/lab/bin/python3');
  await screen.click('Save');
  expect(screen.sample.calls).toContain('settings.change');
});

test.each([
  ['an older service is upgraded by a press', false, 'some things may not work until both are the same'],
  ['a newer service asks for its own workbench', true, 'older than the service: use the workbench of that'],
])('%s', async (_, isOlder, sentence) => {
  const otherWindow = { version: '0.2.0', isOlder };
  const screen = await renderScreen(<SettingsScreen />, {
    service: { ...SAMPLE_SERVICE, kind: 'service', otherWindow },
  });
  await screen.until('This window is version 0.2.0');
  expect(screen.text()).toContain(sentence);
  expect(screen.text().includes('Upgrade the service')).toBe(!isOlder);
  if (isOlder) return;
  await screen.click('Upgrade the service');
  expect(screen.sample.calls).toContain('service.upgrade');
});
