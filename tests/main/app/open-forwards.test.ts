import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openForwards } from '../../../main/app/open-forwards';
import { createSlurmStarter } from '../../../main/jobs';
import { createLocalMachine } from '../../../main/machines';
import { eventually } from '../../support/eventually';
import { type JobBench, openJobBench } from '../../support/job-bench';
import { serverThere, sshOfLoginNode } from '../../support/node-ssh';
import { CLUSTER_HERE, openSlurm, type SlurmBench, whySlurmIsMissing } from '../../support/slurm';
import { smallFleet } from '../../support/small-fleet';
import { unwrap } from '../../support/unwrap';

const missing = whySlurmIsMissing();

describe.skipIf(missing !== null)(
  `ports of jobs on a cluster${missing === null ? '' : ` (not run: ${missing})`}`,
  () => {
    let slurm: SlurmBench;
    let bench: JobBench;
    const clock = { now: () => Date.now() };
    beforeAll(async () => {
      slurm = await openSlurm();
      vi.stubEnv('SLURM_CONF', slurm.conf);
      bench = await openJobBench({
        machine: (home) => createLocalMachine(home, CLUSTER_HERE),
        starter: createSlurmStarter({ clock }),
      });
    });
    afterAll(async () => {
      await bench?.dispose();
      vi.unstubAllEnvs();
      await slurm?.dispose();
    });

    test('a port of a running job is that of the node which Slurm names, and ends with the job', async () => {
      await sshOfLoginNode('node1');
      const fleet = smallFleet(createLocalMachine(bench.folder, CLUSTER_HERE));
      const forwards = openForwards(fleet, bench.jobs, clock);
      onTestFinished(() => forwards.dispose());
      const port = await serverThere();
      const command = { kind: 'line' as const, line: 'sleep 600' };
      const { id } = await unwrap(
        bench.jobs.launch({ machineId: 'cluster', name: 'board', purpose: 'command', command }),
      );
      await eventually('its start', async () => {
        await bench.jobs.inspect(id);
        return (await unwrap(bench.jobs.view(id))).state.kind === 'running';
      });
      const request = { machineId: 'cluster', port, jobId: id, localPort: null };
      const forward = await unwrap(forwards.open(request));
      expect(forward.node).toBe('node1');
      expect(await (await fetch(`http://127.0.0.1:${forward.localPort}/`)).text()).toBe('there');
      await unwrap(bench.jobs.stop(id, 0));
      await eventually('the end of the forward', () => forwards.list().length === 0);
      expect(await forwards.open(request)).toMatchObject({ error: { code: 'conflict' } });
    });
  },
);
