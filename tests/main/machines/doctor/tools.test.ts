import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ok, shellWord } from '../../../../main/base';
import type { Machine } from '../../../../main/machines';
import type { Gpu, GpuReading } from '../../../../preload/contract';
import { findingOf } from '../../../support/doctor-check';
import { healthyCard, nvidiaStandIn } from '../../../support/nvidia-stand-in';
import { toolBench } from '../../../support/stand-in-tools';

const BWRAP = '/usr/bin/bwrap';

describe('tmux', () => {
  test.each([
    ['tmux 3.4', 'good', /^tmux 3\.4 in /],
    ['tmux next-3.6', 'good', /next-3\.6/],
    ['tmux master', 'good', /master/],
    ['tmux 2.8', 'warning', /too old/],
  ])('"%s" is %s', async (version, state, found) => {
    const bench = await toolBench();
    await bench.standIn('tmux', `echo "${version}"`);
    expect(await findingOf(bench.machine, 'tmux')).toMatchObject({
      state,
      found: expect.stringMatching(found),
    });
  });

  test('none is a warning with a way to get it without root', async () => {
    const bench = await toolBench({ without: ['tmux'] });
    const finding = await findingOf(bench.machine, 'tmux');
    expect(finding).toMatchObject({ state: 'warning', todo: expect.stringContaining('conda install') });
  });
});

describe('Python', () => {
  test('the one of this computer is found with its version', async () => {
    const bench = await toolBench();
    expect((await findingOf(bench.machine, 'python')).found).toMatch(/^Python 3\.\d+\.\d+ in \//);
  });

  test('none is bad', async () => {
    const bench = await toolBench({ without: ['python3'] });
    expect(await findingOf(bench.machine, 'python')).toMatchObject({
      state: 'bad',
      todo: expect.stringContaining('uv'),
    });
  });

  const pythonOutput = (version: string, venv = 'yes') =>
    `printf 'real=/usr/bin/python3.9\\nversion=${version}\\nvenv=${venv}\\n'`;
  test.each([
    ['3.8.10', 'bad', /3\.9 is needed to grade/],
    ['3.9.2', 'warning', /engines need 3\.10/],
    ['3.12.1', 'good', /^Python 3\.12\.1 in .*\(\/usr\/bin\/python3\.9\)\.$/],
  ])('version %s is %s', async (version, state, found) => {
    const bench = await toolBench();
    await bench.standIn('python3', pythonOutput(version));
    expect(await findingOf(bench.machine, 'python')).toMatchObject({
      state,
      found: expect.stringMatching(found),
    });
  });

  test('one that cannot make environments is reported', async () => {
    const bench = await toolBench({ without: ['python3', 'uv'] });
    await bench.standIn('python3', pythonOutput('3.12.1', 'no'));
    expect(await findingOf(bench.machine, 'python')).toMatchObject({
      state: 'warning',
      todo: expect.stringContaining('python3-venv'),
    });
  });

  test('a version manager without a version is reported with its own message', async () => {
    const bench = await toolBench();
    await bench.standIn('python3', 'echo "pyenv: python3: command not found" >&2; exit 127');
    const { state, found } = await findingOf(bench.machine, 'python');
    expect([state, found]).toEqual(['bad', expect.stringContaining('pyenv: python3: command not found')]);
  });
});

describe('CUDA', () => {
  test('the newest version that the driver allows is reported', async () => {
    const bench = await toolBench();
    await nvidiaStandIn(bench, [healthyCard(0)]);
    const { state, found } = await findingOf(bench.machine, 'cuda');
    expect([state, found]).toEqual([
      'good',
      expect.stringContaining('Driver 550.54.15: programs built for CUDA up to 12.4'),
    ]);
  });

  test('a driver that does not answer is bad, with what it means', async () => {
    const bench = await toolBench();
    await bench.standIn(
      'nvidia-smi',
      `echo 'Failed to initialize NVML: Driver/library version mismatch'; exit 18`,
    );
    expect(await findingOf(bench.machine, 'cuda')).toMatchObject({
      state: 'bad',
      found: expect.stringContaining('reboot the machine'),
    });
  });

  test('a compiler is reported if there is one', async () => {
    const bench = await toolBench();
    await nvidiaStandIn(bench, [healthyCard(0)]);
    await bench.standIn('nvcc', `echo 'Cuda compilation tools, release 12.1, V12.1.105'`);
    expect((await findingOf(bench.machine, 'cuda')).found).toMatch(/Compiler: nvcc 12\.1 in \/.*nvcc\.$/);
  });
});

describe('GPUs', () => {
  const gpu = (index: number, changes: Partial<Gpu> = {}): Gpu => ({
    id: `GPU-${index}`,
    index,
    name: 'NVIDIA A100',
    vendor: 'nvidia',
    sliceOf: null,
    utilisation: 0,
    memoryUsedMib: 4,
    memoryTotalMib: 81_920,
    temperatureC: null,
    powerW: null,
    powerLimitW: null,
    problems: [],
    processes: [],
    ...changes,
  });
  const found = async (reading: Pick<GpuReading, 'gpus' | 'problems'> | null) => {
    const { machine } = await toolBench();
    const whole = reading === null ? null : { at: '', driver: null, history: {}, ...reading };
    return findingOf(machine, 'gpus', { readGpus: async () => ok(whole) });
  };

  test('are counted by name, with those that are free', async () => {
    const gpus = [gpu(0), gpu(1, { memoryUsedMib: 70_000 }), gpu(2, { name: 'NVIDIA T4' })];
    expect(await found({ gpus, problems: [] })).toEqual({
      state: 'good',
      found: '2 × NVIDIA A100, 1 × NVIDIA T4; 2 of 3 nearly empty.',
      todo: null,
    });
  });

  test('a GPU with a problem is a warning; no GPU but a problem is bad', async () => {
    const warning = await found({ gpus: [gpu(0), gpu(1, { problems: ['It is too hot.'] })], problems: [] });
    expect(warning).toMatchObject({ state: 'warning', found: '2 × NVIDIA A100. GPU 1: It is too hot.' });
    const bad = await found({ gpus: [], problems: ['The driver hangs.'] });
    expect(bad).toMatchObject({ state: 'bad', found: 'No GPU is listed. The driver hangs.' });
  });

  test('no GPU and no vendor tool is good', async () => {
    expect(await found(null)).toMatchObject({ state: 'good' });
  });
});

describe('the sandbox', () => {
  test.skipIf(!existsSync(BWRAP))('starts a Python of this computer (needs bubblewrap)', async () => {
    const { machine } = await toolBench();
    const finding = await findingOf(machine, 'sandbox');
    expect(finding).toEqual({
      state: 'good',
      found: expect.stringMatching(/^bubblewrap .* in a sandbox\.$/),
      todo: null,
    });
  });

  test('of this computer is what grading itself finds', async () => {
    const { machine } = await toolBench();
    const localGradingFinding = async () =>
      ({ state: 'good', found: 'Python 3 grades.', todo: null }) as const;
    expect((await findingOf(machine, 'sandbox', { localGradingFinding })).found).toBe('Python 3 grades.');
  });

  /** The machine with another file in the place of bubblewrap, which is looked for by its path. */
  const withBwrap = (machine: Machine, file: string): Machine => ({
    ...machine,
    run: (script, options) => {
      const inside = `mount --bind ${shellWord(file)} ${BWRAP} || exit 9\n${script}`;
      return machine.run(`exec unshare --mount sh -c ${shellWord(inside)}`, options);
    },
  });
  const canMount = existsSync(BWRAP) && process.getuid?.() === 0;

  test.skipIf(!canMount)('is missing where bubblewrap is (needs root)', async () => {
    const { machine } = await toolBench();
    const finding = await findingOf(withBwrap(machine, '/dev/null'), 'sandbox');
    expect(finding).toMatchObject({ state: 'warning', todo: expect.stringContaining('install bubblewrap') });
  });

  test.skipIf(!canMount)(
    'that the kernel forbids is reported with the line that allows it (needs root)',
    async () => {
      const bench = await toolBench();
      await bench.standIn(
        'broken-bwrap',
        '[ "$1" = --version ] && { echo "bubblewrap 0.9.0"; exit 0; }; echo "bwrap: setting up uid map: Permission denied" >&2; exit 1',
      );
      const finding = await findingOf(withBwrap(bench.machine, join(bench.tools, 'broken-bwrap')), 'sandbox');
      expect(finding).toMatchObject({
        state: 'warning',
        found: expect.stringContaining('setting up uid map: Permission denied'),
        todo: expect.stringContaining('apparmor_restrict_unprivileged_userns=0'),
      });
    },
  );
});
