import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { checkLearner, createLocalMachine } from '../../../../main/machines';
import { learnerChecks, learnerScript } from '../../../../main/machines/logic/doctor/learner';
import { temporaryFolder } from '../../../support/temporary-folder';
import { unwrap } from '../../../support/unwrap';

const asked = { python: '/opt/env/bin/python', machineId: 'gpu1', isLoginNode: false };
const found = {
  versions: { torch: '2.13.0', transformers: '5.24.0', gguf: null },
  devices: [{ name: 'NVIDIA H100', memory_bytes: 80 * 2 ** 30 }],
  cores: 16,
  memory_bytes: 64 * 2 ** 30,
  free_disk_bytes: 500 * 2 ** 30,
  missing: [],
  step: { device: 'cuda:0', seconds: 0.4321, error: null },
};

const output = (change: Record<string, unknown>, gpus = 1) => ({
  code: 0,
  stdout: `a library prints\n@mars2-gpus@${gpus}\n${JSON.stringify({ ...found, ...change })}\nand again\n`,
  stderr: '',
});
const check = (id: string, change: Record<string, unknown> = {}, gpus = 1, over = {}) =>
  learnerChecks(output(change, gpus), { ...asked, ...over }).find((one) => one.id === id);

test('a machine that has everything is good in every point, whatever libraries print around it', () => {
  expect(learnerChecks(output({}), asked).map(({ id, state, found }) => [id, state, found])).toEqual([
    [
      'learner',
      'good',
      'torch 2.13.0, transformers 5.24.0 in /opt/env/bin/python; without gguf, which only a GGUF file as a model needs.',
    ],
    ['learner-devices', 'good', 'NVIDIA H100, 80 GiB.'],
    ['learner-memory', 'good', '64 GiB.'],
    ['learner-disk', 'good', '500 GiB free where trainings are saved.'],
    ['learner-step', 'good', 'A tiny model made a step on cuda:0 in 0.43 s.'],
  ]);
});

test('a GGUF file as a model needs its package', () => {
  expect(check('learner', {}, 1, { needsGguf: true })).toMatchObject({
    state: 'bad',
    found: '/opt/env/bin/python has no gguf.',
    todo: 'Make an environment with the packages: `mars2 machines prepare gpu1 --learner`. Or install them for this Python: `/opt/env/bin/python -m pip install gguf`.',
  });
  const versions = { ...found.versions, gguf: '0.19.0' };
  expect(check('learner', { versions }, 1, { needsGguf: true })?.state).toBe('good');
});

test('GPUs that torch does not see are a warning; a machine without any is good', () => {
  expect(check('learner-devices', { devices: [] }, 2)).toMatchObject({
    state: 'warning',
    found: 'The driver has 2 GPUs, but torch sees none.',
  });
  expect(check('learner-devices', { devices: [] }, 0)).toMatchObject({
    state: 'good',
    found: 'No GPU; 16 cores, enough for small models.',
  });
});

test('a login node without GPUs says nothing about the nodes that compute', () => {
  expect(check('learner-devices', { devices: [] }, 0, { isLoginNode: true })?.state).toBe('unknown');
});

test('little memory and little disk are warnings with advice', () => {
  for (const id of ['learner-memory', 'learner-disk']) {
    const low = check(id, { memory_bytes: 2 ** 31, free_disk_bytes: 2 ** 31 });
    expect(low).toMatchObject({ state: 'warning', todo: expect.any(String) });
    expect(low?.found).toContain('2 GiB');
  }
});

test('a step that fails is bad, with its reason', () => {
  const step = { device: 'cuda:0', seconds: 1, error: 'RuntimeError: no kernel image' };
  expect(check('learner-step', { step })).toMatchObject({
    state: 'bad',
    found: 'A step of a tiny model on cuda:0 failed: RuntimeError: no kernel image',
  });
});

test('missing packages come with the commands that install them, and with nothing else', () => {
  const missing = ['pip install torch', 'pip install peft', 'pip install x; rm -rf /'];
  const checks = learnerChecks(
    { code: 1, stdout: `${JSON.stringify({ missing })}\n`, stderr: '' },
    { ...asked, python: '/opt/my env/python' },
  );
  expect(checks).toEqual([
    {
      id: 'learner',
      title: 'Learner',
      state: 'bad',
      found: '/opt/my env/python has no torch, peft.',
      todo: "Make an environment with the packages: `mars2 machines prepare gpu1 --learner`. Or install them for this Python: `'/opt/my env/python' -m pip install torch peft`.",
    },
  ]);
});

test.each([
  [127, 'sh: nothing', 'There is no Python at /opt/env/bin/python.'],
  [97, 'no such module', 'The set-up failed: no such module'],
  [1, 'Traceback\nOSError: libc', 'The learner does not start with /opt/env/bin/python: OSError: libc'],
  [9, '', 'The learner does not start with /opt/env/bin/python: It ended with code 9.'],
])('code %i without an answer is bad, and says why', (code, stderr, sentence) => {
  const [only, ...others] = learnerChecks({ code, stdout: '', stderr }, asked);
  expect(only).toMatchObject({ id: 'learner', state: 'bad', found: sentence, todo: expect.any(String) });
  expect(others).toEqual([]);
});

test('an answer of another form is not taken for one', () => {
  const [only] = learnerChecks({ code: 0, stdout: '{"versions": 3}\n', stderr: '' }, asked);
  expect(only?.state).toBe('bad');
});

test('the set-up may use "source" and print, and its variables count', async () => {
  const folder = await temporaryFolder();
  const script = learnerScript({
    python: 'echo',
    program: "/it's here",
    folder,
    setUp: 'source /dev/null; echo noise; python3() { :; }',
  });
  expect(execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' })).toBe(
    '@mars2-gpus@0\n-m mars2_learner check --json\n',
  );
});

test('the real program names every package that a bare Python lacks', async () => {
  const folder = await temporaryFolder();
  const machine = createLocalMachine(folder);
  execFileSync('python3', ['-m', 'venv', '--without-pip', `${folder}/bare`]);
  const python = `${folder}/bare/bin/python`;
  const checks = await unwrap(checkLearner(machine, { resourcesDir: resolve('resources'), python }));
  expect(checks).toHaveLength(1);
  expect(checks[0]).toMatchObject({
    state: 'bad',
    found: `${python} has no torch, transformers, tokenizers, safetensors, peft, numpy.`,
  });
  expect(checks[0]?.todo).toContain('`mars2 machines prepare local --learner`');
});

test('a Python that is not there is the only finding', async () => {
  const machine = createLocalMachine(await temporaryFolder());
  const python = '/nowhere/bin/python';
  const checks = await unwrap(checkLearner(machine, { resourcesDir: resolve('resources'), python }));
  expect(checks.map(({ found }) => found)).toEqual(['There is no Python at /nowhere/bin/python.']);
});
