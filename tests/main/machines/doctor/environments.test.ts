import { execFile } from 'node:child_process';
import { mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { slurmDefaultsSchema } from '../../../../preload/contract';
import { findingOf } from '../../../support/doctor-check';
import { healthyCard, nvidiaStandIn } from '../../../support/nvidia-stand-in';
import { type ToolBench, toolBench } from '../../../support/stand-in-tools';
import { unwrap } from '../../../support/unwrap';

const run = promisify(execFile);
const hasPython = await run('/usr/bin/python3', ['-c', 'import venv'])
  .then(() => true)
  .catch(() => false);

/** A machine with GPUs of a driver that allows CUDA 12.4. */
async function gpuBench(): Promise<ToolBench> {
  const bench = await toolBench();
  await nvidiaStandIn(bench, [healthyCard(0)]);
  return bench;
}

/** A folder with a real interpreter; `kind` says by which file it can be known. */
async function environment(prefix: string, kind: 'venv' | 'conda'): Promise<string> {
  if (kind === 'venv') await run('/usr/bin/python3', ['-m', 'venv', '--without-pip', prefix]);
  else {
    // Like conda's, an installation of its own; here a venv in disguise.
    await run('/usr/bin/python3', ['-m', 'venv', '--without-pip', prefix]);
    await mkdir(join(prefix, 'conda-meta'));
  }
  const { stdout } = await run(join(prefix, 'bin/python'), [
    '-c',
    'import sysconfig; print(sysconfig.get_path("purelib"))',
  ]);
  return stdout.trim();
}

/** A package as pip leaves it, with such a module. */
async function install(library: string, name: string, version: string, source = ''): Promise<void> {
  await mkdir(join(library, name), { recursive: true });
  await writeFile(join(library, name, '__init__.py'), source);
  await mkdir(join(library, `${name}-${version}.dist-info`));
}

describe.skipIf(!hasPython)('engines (needs python3 with venv)', () => {
  test('one in a venv of the home folder is imported, and the set-up for a launch is shown', async () => {
    const bench = await gpuBench();
    await install(await environment(join(bench.home, 'vllm-env'), 'venv'), 'vllm', '0.6.3');
    const finding = await findingOf(bench.machine, 'vllm');
    expect(finding).toMatchObject({ state: 'good', todo: null });
    expect(finding.found).toContain(`vLLM 0.6.3 in ${bench.home}/vllm-env (venv), imported in`);
    const setUp = /Set-up of a launch: `(.*)`$/.exec(finding.found)?.[1] ?? '';
    const ran = await unwrap(bench.machine.run(`${setUp}\npython -c 'import vllm, sys; print(sys.prefix)'`));
    expect(ran.stdout.trim()).toBe(join(bench.home, 'vllm-env'));
  });

  test('one in an environment that conda lists elsewhere is found; its set-up works too', async () => {
    const bench = await gpuBench();
    const prefix = join(dirname(bench.home), 'some where', 'serve');
    await install(await environment(prefix, 'conda'), 'sglang', '0.4.1');
    await mkdir(join(bench.home, '.conda'));
    await writeFile(join(bench.home, '.conda/environments.txt'), `${prefix}\n/gone/away\n`);
    const finding = await findingOf(bench.machine, 'sglang');
    expect(finding).toMatchObject({
      state: 'good',
      found: expect.stringContaining(`SGLang 0.4.1 in ${prefix} (conda)`),
    });
    const setUp = /Set-up of a launch: `(.*)`$/.exec(finding.found)?.[1] ?? '';
    const ran = await unwrap(
      bench.machine.run(`${setUp}\npython -c 'import sglang, sys; print(sys.prefix)'`),
    );
    expect(ran.stdout.trim()).toBe(prefix);
    expect((await findingOf(bench.machine, 'vllm')).found).toBe('Not installed; SGLang is.');
  });

  test('the newest of several is tried', async () => {
    const bench = await gpuBench();
    for (const [name, version] of [
      ['a-env', '0.9.2'],
      ['b-env', '0.10.1.post1'],
      ['c-env', '0.8.5'],
    ] as const) {
      await install(await environment(join(bench.home, name), 'venv'), 'vllm', version);
    }
    const { found } = await findingOf(bench.machine, 'vllm');
    expect(found).toContain('vLLM 0.10.1.post1 in');
    expect(found).toContain('(2 more environments have it.)');
  });

  test.each([
    ['import torchvision', /No module named 'torchvision'/, /-m pip install torchvision/],
    ['raise ImportError("libcuda.so.1: cannot open shared object file")', /libcuda/, /driver is not there/],
    ['raise ImportError("x/_C.abi3.so: undefined symbol: _ZN3c10")', /undefined symbol/, /--force-reinstall/],
    ['raise RuntimeError("something else")', /RuntimeError: something else/, /-c "import vllm"/],
  ])('an import that ends with "%s" is reported with what to do', async (source, found, todo) => {
    const bench = await gpuBench();
    await install(await environment(join(bench.home, '.venv'), 'venv'), 'vllm', '0.6.3', source);
    expect(await findingOf(bench.machine, 'vllm')).toMatchObject({
      state: 'bad',
      found: expect.stringMatching(found),
      todo: expect.stringMatching(todo),
    });
  });

  test('on a login node the lack of a driver is not a problem', async () => {
    const spec = {
      kind: 'slurm',
      id: 'c',
      name: 'c',
      host: 'c',
      defaults: slurmDefaultsSchema.parse({}),
    } as const;
    const bench = await toolBench({ spec });
    const source = 'raise ImportError("libcuda.so.1: cannot open shared object file")';
    await install(await environment(join(bench.home, '.venv'), 'venv'), 'vllm', '0.6.3', source);
    const { state, found } = await findingOf(bench.machine, 'vllm');
    expect([state, found]).toEqual(['good', expect.stringContaining('only on the nodes')]);
    expect((await findingOf(bench.machine, 'ray')).todo).toContain('pip install');
  });

  test('one whose PyTorch needs a newer driver is a warning', async () => {
    const bench = await gpuBench();
    const library = await environment(join(bench.home, '.venv'), 'venv');
    await install(library, 'vllm', '0.11.0');
    await install(library, 'torch', '2.9.0');
    await writeFile(
      join(library, 'torch/version.py'),
      "from typing import Optional\ncuda: Optional[str] = '13.0'\n",
    );
    expect(await findingOf(bench.machine, 'vllm')).toMatchObject({
      state: 'warning',
      found: expect.stringContaining('built for CUDA 13.0, the driver allows up to 12.4'),
    });
  });

  test('one that does not break stays as it was: nothing is written into an environment', async () => {
    const bench = await gpuBench();
    const library = await environment(join(bench.home, '.venv'), 'venv');
    await install(library, 'ray', '2.40.0');
    expect(await findingOf(bench.machine, 'ray')).toMatchObject({ state: 'good' });
    const { stdout } = await run('find', [library, '-name', '*.pyc']);
    expect(stdout).toBe('');
  });
});

test('sources of MARTI are found where they were cloned', async () => {
  const bench = await gpuBench();
  await mkdir(join(bench.home, 'MARTI/marti'), { recursive: true });
  await writeFile(join(bench.home, 'MARTI/marti/__init__.py'), '');
  expect(await findingOf(bench.machine, 'marti')).toMatchObject({
    state: 'good',
    found: expect.stringContaining(`${bench.home}/MARTI`),
  });
});

test('where there are GPUs and no engine, each is a warning with the line that installs it', async () => {
  const bench = await gpuBench();
  expect(await findingOf(bench.machine, 'vllm')).toMatchObject({
    state: 'warning',
    todo: expect.stringContaining('pip install vllm'),
  });
});

test('modules of the cluster that sound like an engine are named', async () => {
  const bench = await gpuBench();
  // `module` is a function of the login shell's.
  await bench.standIn('bash', 'printf "gcc/12\\nvllm/0.6.3-cuda12\\n"');
  const { found } = await findingOf(bench.machine, 'vllm');
  expect(found).toContain('`module avail` lists vllm/0.6.3-cuda12');
});

test('an environment that is a ring of links or without an interpreter is passed over', async () => {
  const bench = await gpuBench();
  await symlink(join(bench.home, 'ring-env'), join(bench.home, 'ring-env'));
  await mkdir(join(bench.home, 'empty-env/bin'), { recursive: true });
  expect(await findingOf(bench.machine, 'vllm')).toMatchObject({ state: 'warning' });
  expect(await readFile(join(bench.tools, 'asked'), 'utf8')).toContain('header');
  expect(await realpath(bench.home)).toBe(bench.home);
});
