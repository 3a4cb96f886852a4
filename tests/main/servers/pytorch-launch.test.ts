import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ServerService } from '../../../main/servers';
import { serverLaunchSchema } from '../../../preload/contract';
import { type JobBench, openJobBench } from '../../support/job-bench';
import { openServers } from '../../support/server-bench';
import { unwrap } from '../../support/unwrap';

let bench: JobBench;
let service: ServerService;

beforeEach(async () => {
  bench = await openJobBench();
  const resourcesDir = resolve('resources');
  service = openServers({
    jobs: bench.jobs,
    machines: [bench.machine],
    modelServerScript: '/nowhere',
    resourcesDir,
  });
});
afterEach(async () => {
  service.dispose();
  await bench.dispose();
});

/** A launch in a virtual environment whose Python says whether it has the packages. */
async function launchWith(python: 'has' | 'lacks') {
  const place = join(bench.folder, 'environment');
  await mkdir(join(place, 'bin'), { recursive: true });
  await writeFile(join(place, 'bin', 'activate'), `PATH='${place}/bin':$PATH\n`);
  await writeFile(join(place, 'bin', 'python3'), `#!/bin/sh\nexit ${python === 'has' ? 0 : 1}\n`);
  await chmod(join(place, 'bin', 'python3'), 0o755);
  return serverLaunchSchema.parse({
    ...{ id: 'l', name: 'L', engine: 'pytorch', machineId: bench.machine.id, gpus: 0, port: null },
    ...{ weights: bench.folder, model: 'tiny', environment: { kind: 'venv', place } },
  });
}

test("a plan of our own engine is a command for a shell, with the environment's Python and our package", async () => {
  const plan = await unwrap(service.plan(await launchWith('has')));
  const learner = resolve('resources', 'learner');
  expect(plan.commandLine).toContain(`PYTHONPATH=${learner}$`);
  expect(plan.commandLine).toContain(' python3 -m mars2_learner.serve ');
  expect(plan.commandLine).not.toMatch(/\{(?:learner|python)\}/);
  expect(plan.problems).toEqual([]);
});

test('an environment without the packages is said before the start, with what makes one', async () => {
  const { problems } = await unwrap(service.plan(await launchWith('lacks')));
  expect(problems).toEqual([
    expect.stringMatching(/PyTorch .*was not found.*machines prepare <machine> --learner/),
  ]);
});
