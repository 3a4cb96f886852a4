import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createSlurmStarter } from '../../../main/jobs';
import { createLocalMachine } from '../../../main/machines';
import type { ServerService } from '../../../main/servers';
import { bundleScript } from '../../support/bundled-script';
import { eventually } from '../../support/eventually';
import { type JobBench, openJobBench } from '../../support/job-bench';
import { writeRecording } from '../../support/model-server-process';
import { openServers } from '../../support/server-bench';
import { CLUSTER_HERE, openSlurm, type SlurmBench, whySlurmIsMissing } from '../../support/slurm';
import { unwrap } from '../../support/unwrap';
import { makeVllmEnvironment, standInLaunch } from '../../support/vllm-environment';

const missing = whySlurmIsMissing();

describe.skipIf(missing !== null)(
  `servers on a cluster${missing === null ? '' : ` (not run: ${missing})`}`,
  () => {
    let slurm: SlurmBench;
    let bench: JobBench;
    let servers: ServerService;
    beforeAll(async () => {
      slurm = await openSlurm();
      vi.stubEnv('SLURM_CONF', slurm.conf);
      bench = await openJobBench({
        machine: (home) => createLocalMachine(home, CLUSTER_HERE),
        starter: createSlurmStarter({ clock: { now: () => Date.now() } }),
      });
      const environment = await makeVllmEnvironment(bench.folder);
      servers = openServers({
        jobs: bench.jobs,
        machines: [createLocalMachine(bench.folder, CLUSTER_HERE)],
        modelServerScript: await bundleScript(resolve('main/servers/model-server.ts'), bench.folder),
        launches: () => [standInLaunch(environment, '', { machineId: 'cluster', gpus: 1 })],
        supervision: { checkEveryMs: 200, startTimeoutMs: 60_000 },
      });
    });
    afterAll(async () => {
      servers?.dispose();
      await bench?.dispose();
      vi.unstubAllEnvs();
      await slurm?.dispose();
    });

    test('a launch is a job of Slurm, answers, and ends with it', async () => {
      const [id = ''] = await unwrap(servers.launch('qwen'));
      const view = () => servers.views().find((one) => one.id === id);
      await eventually('a real token', () => view()?.state.kind === 'ready', 60_000);
      const job = await unwrap(bench.jobs.view(view()?.jobId ?? ''));
      expect(job.slurmId).toMatch(/^\d+$/);
      await unwrap(servers.stop(id));
      expect(view()?.state.kind).toBe('stopped');
      expect(await slurm.slurm('squeue', '-h')).not.toContain(job.slurmId);
    });

    test('a recorded server runs there too, from copies', async () => {
      const recording = join(bench.folder, 'recording.jsonl');
      await writeRecording(recording, 2, 3);
      const spec = {
        kind: 'recorded',
        id: 'r',
        model: 'rec',
        recordingId: 'rec',
        latencyMs: 0,
        maxInFlight: 2,
        machineId: 'cluster',
      } as const;
      const server = await unwrap(servers.ensure(spec, recording, 'study'));
      const answer = await server.client.complete(
        {
          messages: [{ role: 'user', content: 'Go.' }],
          sampling: { temperature: 1, topP: 1, maxTokens: 8 },
          seed: 1,
          metadata: { problemId: 'p/1', session: 's', ordinal: 0, parent: '', turn: 0 },
        },
        new AbortController().signal,
      );
      expect(answer.ok).toBe(true);
      await servers.stopOwnedBy('study');
    });
  },
);
