import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createSlurmStarter } from '../../../main/jobs';
import { createLocalMachine } from '../../../main/machines';
import type { ServerService } from '../../../main/servers';
import type { ServerLaunch } from '../../../preload/contract';
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
    let environment: string;
    let script: string;
    let launches: ServerLaunch[] = [];
    const open = (jobs = bench.jobs): ServerService =>
      openServers({
        jobs,
        machines: [createLocalMachine(bench.folder, CLUSTER_HERE)],
        modelServerScript: script,
        launches: () => launches,
        supervision: { checkEveryMs: 200, startTimeoutMs: 60_000, restartWaitsMs: [10, 10] },
      });
    const launch = (id: string, change: Partial<ServerLaunch> = {}): ServerLaunch =>
      standInLaunch(environment, '', { id, name: id, model: id, machineId: 'cluster', ...change });
    beforeAll(async () => {
      slurm = await openSlurm();
      vi.stubEnv('SLURM_CONF', slurm.conf);
      bench = await openJobBench({
        machine: (home) => createLocalMachine(home, CLUSTER_HERE),
        starter: createSlurmStarter({ clock: { now: () => Date.now() } }),
      });
      environment = await makeVllmEnvironment(bench.folder);
      script = await bundleScript(resolve('main/servers/model-server.ts'), bench.folder);
      servers = open();
    });
    afterAll(async () => {
      servers?.dispose();
      await bench?.dispose();
      vi.unstubAllEnvs();
      await slurm?.dispose();
    });

    const viewsOf = (owner: string, of = servers) => of.views().filter(({ studyId }) => studyId === owner);
    const states = (owner: string, of = servers) => viewsOf(owner, of).map(({ state }) => state.kind);
    const slurmIds = (owner: string, of = servers) =>
      Promise.all(
        viewsOf(owner, of).map(
          async ({ jobId }) => (await unwrap(bench.jobs.view(jobId ?? ''))).slurmId ?? '',
        ),
      );
    const numberOf = (slurmId: string | undefined) => (slurmId ?? '').split('_')[0] ?? '';
    const ensure = (id: string, owner: string, of = servers) =>
      of.ensure({ kind: 'launch', id, model: id, launchId: id, maxInFlight: 2 }, null, owner);
    const queue = () => slurm.slurm('squeue', '-h', '--array', '--states=all', '-o', '%F_%K %T');

    test('a launch is a job of Slurm, answers, and ends with it', async () => {
      launches = [launch('qwen', { gpus: 1 })];
      const [id = ''] = await unwrap(servers.launch('qwen'));
      const view = () => servers.views().find((one) => one.id === id);
      await eventually('a real token', () => view()?.state.kind === 'ready', 60_000);
      const job = await unwrap(bench.jobs.view(view()?.jobId ?? ''));
      expect(job.slurmId).toMatch(/^\d+$/);
      await unwrap(servers.stop(id));
      expect(view()?.state.kind).toBe('stopped');
      expect(await slurm.slurm('squeue', '-h')).not.toContain(job.slurmId);
    });

    test('servers that start together are one array, each with its own port, log and stop', async () => {
      launches = [launch('a', { replicas: 2 }), launch('b')];
      const [a, b] = await Promise.all([ensure('a', 'together'), ensure('b', 'together')]);
      expect([a.ok, b.ok]).toEqual([true, true]);
      await eventually('both replicas', () => states('together').every((kind) => kind === 'ready'));
      const ids = await slurmIds('together');
      const number = numberOf(ids[0]);
      expect(ids).toEqual([0, 1, 2].map((index) => `${number}_${index}`));
      const logs = await Promise.all(viewsOf('together').map(({ id }) => servers.readLog(id, 0, 10_000)));
      const seen = logs.map((log) =>
        /--served-model-name (\w+) .*--port (\d+)/.exec(log.ok ? log.value.text : '')?.slice(1),
      );
      expect(seen.map((found) => found?.[0])).toEqual(['a', 'a', 'b']);
      expect(new Set(seen.map((found) => found?.[1])).size).toBe(3);

      await unwrap(servers.stop(viewsOf('together')[1]?.id ?? ''));
      expect(states('together')).toEqual(['ready', 'stopped', 'ready']);
      const rows = (await queue()).split('\n').filter((row) => row.startsWith(`${number}_`));
      expect(rows.filter((row) => row.endsWith('RUNNING')).map((row) => row.split(' ')[0])).toEqual(
        expect.arrayContaining([`${number}_0`, `${number}_2`]),
      );
      expect(rows.some((row) => row.startsWith(`${number}_1 `) && row.endsWith('RUNNING'))).toBe(false);
      await servers.stopOwnedBy('together');
    });

    test('one that fails leaves the others of its array, and one that asks for a GPU is not in it', async () => {
      launches = [launch('c'), launch('d', { env: { STAND_IN: 'out-of-memory' } }), launch('e', { gpus: 1 })];
      const [c, d, e] = await Promise.all(['c', 'd', 'e'].map((id) => ensure(id, 'mixed')));
      expect([c?.ok, e?.ok]).toEqual([true, true]);
      expect(d).toMatchObject({
        ok: false,
        error: { message: expect.stringContaining('The GPU ran out of memory') },
      });
      const [first, second, third] = await slurmIds('mixed');
      expect([first, second]).toEqual([`${numberOf(first)}_0`, `${numberOf(first)}_1`]);
      expect(third).toMatch(/^\d+$/);
      expect(numberOf(third)).not.toBe(numberOf(first));
      await servers.stopOwnedBy('mixed');
    });

    test('one scancel ends all of an array, and none starts again', async () => {
      launches = [launch('f', { replicas: 2 })];
      await unwrap(servers.launch('f'));
      const views = () => servers.views().filter(({ launchId }) => launchId === 'f');
      await eventually('both', () => views().every(({ state }) => state.kind === 'ready'));
      const job = await unwrap(bench.jobs.view(views()[0]?.jobId ?? ''));
      await slurm.slurm('scancel', numberOf(job.slurmId ?? ''));
      await eventually('the end of both', () =>
        views().every(({ jobId, state }) => state.kind === 'failed' && !servers.isRestarting(jobId ?? '')),
      );
      expect(views().map(({ state }) => state)).toEqual(
        [0, 1].map(() => expect.objectContaining({ message: expect.stringContaining('cancelled in Slurm') })),
      );
      const jobs = await Promise.all(views().map(({ jobId }) => unwrap(bench.jobs.view(jobId ?? ''))));
      expect(jobs.map(({ attempts, state }) => [attempts, state.kind])).toEqual([
        [1, 'exited'],
        [1, 'exited'],
      ]);
    });

    test('a workbench that is opened again finds each of an array, also one that waits in the queue', async () => {
      const greedy = await slurm.slurm(
        'sbatch',
        '--parsable',
        '--gres=gpu:1',
        '--output=/dev/null',
        '--wrap=sleep 600',
      );
      launches = [launch('g', { gpus: 1, replicas: 2 })];
      await unwrap(ensure('g', 'found'));
      await eventually('the first', () => states('found').includes('ready'));
      const before = viewsOf('found').map(({ id, jobId }) => ({ id, jobId }));
      expect(before).toHaveLength(2);
      expect(states('found').toSorted()).toEqual(['ready', 'starting']);
      servers.dispose();
      const jobs = await bench.restarted();
      servers = open(jobs);
      await servers.reattach();
      expect(viewsOf('found').map(({ id, jobId }) => ({ id, jobId }))).toEqual(before);
      await eventually('the first again', () => states('found').includes('ready'));
      await slurm.slurm('scancel', greedy.trim());
      await eventually('both', () => states('found').every((kind) => kind === 'ready'));
      await servers.stopOwnedBy('found');
      expect(servers.views().map(({ state }) => state.kind)).not.toContain('ready');
      expect(await slurm.slurm('squeue', '-h')).toBe('');
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
