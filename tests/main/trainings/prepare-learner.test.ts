import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { hasEnded } from '../../../main/jobs';
import { createLocalMachine, preparedLearner, shipLearner } from '../../../main/machines';
import { prepareLearner } from '../../../main/trainings';
import { eventually } from '../../support/eventually';
import { openJobsIn } from '../../support/job-bench';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

/** Wheels that only have names, so that the real pip needs no index. */
const WHEELS = `
import sys, zipfile
for name in ("torch", "transformers", "peft"):
    with zipfile.ZipFile(f"{sys.argv[1]}/{name}-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{name}.py", "")
        info = f"{name}-1.0.dist-info"
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\\nName: {name}\\nVersion: 1.0\\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(f"{info}/RECORD", "")
`;

/** The real program with other requirements, real jobs, and a folder with a space and a quote in its name. */
async function bench(wheels = ['torch', 'transformers', 'peft']) {
  const folder = await temporaryFolder();
  const home = join(folder, "a lab's");
  const resourcesDir = join(folder, 'resources');
  await mkdir(home);
  await cp(resolve('resources/learner'), join(resourcesDir, 'learner'), { recursive: true });
  execFileSync('python3', ['-c', WHEELS, folder]);
  const lines = wheels.map(
    (name) => `${name} @ ${pathToFileURL(join(folder, `${name}-1.0-py3-none-any.whl`))}`,
  );
  await writeFile(join(resourcesDir, 'learner/requirements.txt'), `# pinned\n${lines.join('\n')}\n`);
  const machine = createLocalMachine(home);
  const jobs = await openJobsIn(home, { machine: () => machine });
  const prepare = (base: string | null = null) =>
    unwrap(prepareLearner(machine, base, { jobs, resourcesDir }));
  const ended = (id: string | undefined) =>
    eventually('the end of the job', async () => {
      const job = await unwrap(jobs.inspect(id ?? ''));
      return hasEnded(job.view.state) ? job.view.state : null;
    });
  const log = async (id = '') => (await unwrap(jobs.readLog(id, 'output', 0, 1_000_000))).text;
  return { machine, resourcesDir, jobs, prepare, ended, log };
}

test('the environment is made by a job that says first how much it downloads; the second time it is there', async () => {
  const { machine, resourcesDir, jobs, prepare, ended, log } = await bench();
  expect(await unwrap(preparedLearner(machine, resourcesDir))).toBeNull();
  // What a killed run left has no marker, and is made anew.
  const left = join((await unwrap(shipLearner(machine, resourcesDir))).environment, 'left');
  await mkdir(left, { recursive: true });
  const first = await prepare();
  const meanwhile = await prepare();
  expect(meanwhile.job?.id ?? first.job?.id).toBe(first.job?.id);
  const end = await ended(first.job?.id);
  const text = await log(first.job?.id);
  expect(end, text).toMatchObject({ kind: 'exited', code: 0 });
  expect(text).toMatch(
    /1 of 4[\s\S]*2 of 4[\s\S]*To download or copy: 3 packages, 0\.00 GB \(torch without CUDA[\s\S]*3 of 4/,
  );
  expect(text).toContain(`The environment is ready: ${first.python}`);
  expect(await unwrap(preparedLearner(machine, resourcesDir))).toBe(first.python);
  expect(existsSync(left)).toBe(false);
  execFileSync(first.python, ['-c', 'import torch, transformers, peft']);
  expect(await prepare()).toEqual({ python: first.python, job: null });
  expect(jobs.views()).toHaveLength(1);
  await jobs.dispose();
});

test('without one of the packages it is not ready, and says why', async () => {
  const { machine, resourcesDir, jobs, prepare, ended, log } = await bench(['torch', 'peft']);
  const { job } = await prepare();
  expect(await ended(job?.id)).toMatchObject({ kind: 'exited', code: 1 });
  expect(await log(job?.id)).toMatch(/No module named 'transformers'[\s\S]*cannot be imported/);
  expect(await unwrap(preparedLearner(machine, resourcesDir))).toBeNull();
  await jobs.dispose();
});

test('a Python that is none is named', async () => {
  const { jobs, prepare, ended, log } = await bench();
  const { job } = await prepare('/nowhere/bin/python');
  expect(await ended(job?.id)).toMatchObject({ kind: 'exited', code: 1 });
  expect(await log(job?.id)).toContain('/nowhere/bin/python is no Python 3.11 or newer with venv.');
  await jobs.dispose();
});
