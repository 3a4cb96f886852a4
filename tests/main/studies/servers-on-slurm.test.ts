import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ok } from '../../../main/base';
import { createSlurmStarter } from '../../../main/jobs';
import { createLocalMachine } from '../../../main/machines';
import { StudyServers } from '../../../main/studies/study-servers';
import type { ServerSpec } from '../../../preload/contract';
import { eventually } from '../../support/eventually';
import { openJobBench } from '../../support/job-bench';
import { openServers } from '../../support/server-bench';
import { CLUSTER_HERE, openSlurm, whySlurmIsMissing } from '../../support/slurm';
import { makeVllmEnvironment, standInLaunch } from '../../support/vllm-environment';

const missing = whySlurmIsMissing();

test.skipIf(missing !== null)(
  `the launches of a study are one job array before the first is ready${missing === null ? '' : ` (not run: ${missing})`}`,
  async () => {
    const slurm = await openSlurm();
    onTestFinished(slurm.dispose);
    vi.stubEnv('SLURM_CONF', slurm.conf);
    onTestFinished(() => void vi.unstubAllEnvs());
    const bench = await openJobBench({
      machine: (home) => createLocalMachine(home, CLUSTER_HERE),
      starter: createSlurmStarter({ clock: { now: () => Date.now() } }),
    });
    onTestFinished(bench.dispose);
    const environment = await makeVllmEnvironment(bench.folder);
    const steps = join(bench.folder, 'steps');
    await writeFile(steps, '');
    const ids = ['base', 'step-100', 'step-200'];
    const env = { STAND_IN_STEPS: steps };
    const servers = openServers({
      jobs: bench.jobs,
      machines: [createLocalMachine(bench.folder, CLUSTER_HERE)],
      modelServerScript: '/nowhere',
      launches: () =>
        ids.map((id) =>
          standInLaunch(environment, '', { id, name: id, model: id, machineId: 'cluster', env }),
        ),
      supervision: { checkEveryMs: 200 },
    });
    onTestFinished(servers.dispose);
    const study = new StudyServers({
      servers,
      modelFile: async () => ok(null),
      studyId: 'study',
      signal: new AbortController().signal,
      parallel: null,
      onRelease: () => undefined,
    });
    const specs = ids.map(
      (id): ServerSpec => ({ kind: 'launch', id, model: id, launchId: id, maxInFlight: 1 }),
    );
    const starting = study.start(specs, () => undefined);
    await eventually('three processes', () =>
      ids.every((id) => servers.views().some(({ launchId, stages }) => launchId === id && stages.length > 0)),
    );
    expect(servers.views().map(({ state }) => state.kind)).toEqual(['starting', 'starting', 'starting']);
    const slurmIds = bench.jobs.views().map(({ slurmId }) => slurmId?.split('_'));
    expect(slurmIds.map((parts) => parts?.[1])).toEqual(['0', '1', '2']);
    expect(new Set(slurmIds.map((parts) => parts?.[0])).size).toBe(1);
    await writeFile(steps, '1234567');
    expect(await starting).toEqual(ok(null));
    expect(study.used().map(({ spec }) => spec.id)).toEqual(ids);
    await servers.stopOwnedBy('study');
  },
);
